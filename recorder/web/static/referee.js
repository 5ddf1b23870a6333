// The referee's console: follows the private stream, sounds for what is urgent, sends decisions.

import { Alarm, offerSound } from "./alarm.js";
import { Cards } from "./card.js";
import { clockText } from "./clock.js";
import { CountDialog } from "./count.js";
import { make, setChildren } from "./dom.js";
import { actionForms } from "./forms.js";
import { followPrivate, isSure, mayDecide, poster, showStale, toast } from "./private.js";
import { embedded, fill, timeOfDay } from "./words.js";

const words = embedded("words");
const session = embedded("session");
const language = document.documentElement.lang;
const element = (id) => document.getElementById(id);
const alarm = new Alarm();

let state = stamp(embedded("state"));
let isStale = false;
let isFresh = true;
const reopened = new Set();

/** Return a state with the browser's time at which its clocks were as it says. */
function stamp(news) {
  return { ...news, clockAt: Date.now() - 1000 * news.clock_age };
}

// Sending

const post = poster(session);

async function send(fields) {
  // On resumption goban and record are compared (14).
  const differs = fields.action === "resume" && state.mismatch.length;
  if (differs && !(await isSure(fill(words.resume_differs, state.mismatch.join(", ")), words))) return false;
  const answer = await post("/referee/actions", { ...fields, based_on: state.number });
  if (answer.number) toast(fill(words.saved, answer.number));
  else if (answer.decision) toast(fill(words.conflict, sayDecision(answer.decision)));
  else if (answer.status === 409) toast(words[`early_${answer.error}`] ?? answer.error);
  else if (answer.error === "chief") toast(words.forbidden);
  else toast(fill(words.failed, answer.error ?? answer.status));
  return Boolean(answer.number);
}

/** Return what was done before, a ruling or an action like "pass B", in the page's language. */
function sayDecision(decision) {
  if (words.rulings[decision.decision]) return cards.decisionText(decision);
  const [action, ...rest] = decision.decision.split(" ");
  const sides = { B: words.black, W: words.white };
  const key = action === "end" ? "result" : action.replaceAll("-", "_");
  const text = [words[key] ?? action, ...rest.map((part) => sides[part] ?? part)].join(" ");
  return fill(words.decided, text, decision.by);
}

/** Note in the log, once, that somebody has taken note of an alert; it sounds no more. */
function see(id) {
  const alert = state.alerts.find((other) => other.id === id);
  if (alert?.is_open && !alert.is_acknowledged) post(`/referee/alerts/${id}/seen`, {});
}

async function decide(alert, decision, note) {
  if (!(await mayDecide(decision, words))) return;
  reopened.delete(alert.id);
  see(alert.id);
  await send({ action: "ruling", alert: alert.id, decision, note });
  render();
}

// Showing

const cards = new Cards({
  words,
  language,
  role: session.role,
  act: decide,
  see: (alert) => {
    reopened.add(alert.id);
    render();
  },
  enlarge: (content) => {
    element("large-host").replaceChildren(content);
    element("large").showModal();
  },
});

function render() {
  cards.ruleset = state.ruleset;
  renderHead();
  renderEnding();
  renderMinutes();
  renderWarnings();
  const listed = state.alerts.filter((alert) => alert.severity < 4);
  const open = listed.filter((alert) => alert.is_open).sort((a, b) => a.severity - b.severity || b.id - a.id);
  const closed = listed.filter((alert) => !alert.is_open).sort((a, b) => b.id - a.id);
  renderCards(element("open"), open);
  renderCards(element("earlier"), closed);
  element("empty").hidden = open.length > 0;
  element("earlier-count").textContent = closed.length;
  element("earlier-group").hidden = closed.length === 0;
  renderLog(state.alerts.filter((alert) => alert.severity === 4));
  document.title = open.length ? `(${open.length}) ${words.title}` : words.title;
}

// A card is drawn again only when something about it has changed: a note being written, or an
// opened list, must survive the next move.
function renderCards(host, alerts) {
  const before = new Map([...host.children].map((card) => [card.dataset.alert, card]));
  const wanted = alerts.map((alert) => {
    const isReopened = reopened.has(alert.id);
    const print = JSON.stringify([alert, isReopened, state.size]);
    const old = before.get(String(alert.id));
    if (old?.print === print) return old;
    const isOnlyLater = old && old.printBase === printBase(alert, isReopened);
    if (isOnlyLater) {
      refreshCard(old, alert);
      old.print = print;
      return old;
    }
    const card = cards.card(alert, { size: state.size, isReopened });
    card.print = print;
    card.printBase = printBase(alert, isReopened);
    return card;
  });
  setChildren(host, wanted);
}

function printBase(alert, isReopened) {
  const lasting = { ...alert, moves_since: 0, is_acknowledged: false, seen_by: null };
  return JSON.stringify([lasting, isReopened, state.size]);
}

function refreshCard(card, alert) {
  const fresh = cards.card(alert, { size: state.size });
  card.querySelector(".card-points").replaceWith(fresh.querySelector(".card-points"));
}

function renderHead() {
  const names = [state.players.B || words.black, state.players.W || words.white];
  element("players").textContent = names.join(" – ");
  const last = state.last === "pass" ? words.pass : state.last;
  const parts = [words[`phase_${state.phase}`], fill(words.move, state.moves), last];
  if (state.result) {
    parts.push(fill(state.is_result_confirmed ? words.result_confirmed : words.result_proposed, state.result));
  }
  element("status").textContent = parts.filter(Boolean).join(" · ");
  const bad = state.view !== "clear" ? words.view_bad : isFresh ? "" : words.no_frames;
  const differs = state.mismatch.length ? fill(words.mismatch, state.mismatch.join(", ")) : "";
  element("view").textContent = [bad, differs].filter(Boolean).join(" ");
  element("view").hidden = !(bad || differs);
}

function renderClocks() {
  element("clocks").hidden = !state.clock;
  if (state.clock) element("clocks").textContent = times();
}

function renderWarnings() {
  for (const color of ["B", "W"]) {
    const { confirmed, proposed } = state.warnings[color];
    const count = confirmed + proposed;
    const chip = element(`warned-${color}`);
    const parts = [];
    if (proposed) parts.push(fill(words.warned, confirmed, proposed));
    if (count >= 2) parts.push(words.warning_loss);
    else if (count) {
      parts.push(state.ruleset === "chinese-2002" ? fill(words.warning_cost, count) : words.warning_recorded);
    }
    chip.querySelector('[data-part="count"]').textContent = count;
    chip.querySelector('[data-part="cost"]').textContent = parts.join(" · ");
    chip.classList.toggle("has-warnings", confirmed > 0);
    chip.classList.toggle("has-proposed", proposed > 0);
  }
}

/** Let the buttons of the end say what is still to be done. */
function renderEnding() {
  const confirm = element("confirm-result");
  confirm.disabled = !state.result || state.is_result_confirmed;
  confirm.textContent = state.result ? `${words.confirm_result}: ${state.result}` : words.confirm_result;
  element("open-count").disabled = !["scoring", "ended"].includes(state.phase) || state.is_result_confirmed;
  for (const color of ["B", "W"]) {
    const sign = document.querySelector(`[data-action="sign"][data-color="${color}"]`);
    const isSigned = state.minutes.signed.includes(color);
    sign.disabled = !state.result || isSigned || state.phase === "sealed";
    sign.setAttribute("aria-pressed", String(isSigned));
  }
  const seal = document.querySelector('[data-action="seal"]');
  const isReady = state.is_result_confirmed && state.phase !== "sealed";
  seal.disabled = !isReady || (session.role < 3 && state.minutes.signed.length < 2);
}

function renderMinutes() {
  const { notes, count } = state.minutes;
  const said = count ? [...notes, { kind: "count", by: count.by, text: count.result, detail: {} }] : notes;
  element("minutes-group").hidden = said.length === 0;
  element("minutes-count").textContent = said.length;
  element("minutes").replaceChildren(...said.map((entry) => make("li", {}, sayNote(entry))).reverse());
}

function sayNote({ kind, color, by, text, detail }) {
  const who = color ? words[color === "B" ? "black" : "white"] : "";
  const facts = [];
  if (detail.matches) facts.push(detail.matches === "true" ? words.seal_matches : words.seal_differs);
  if (detail.seconds) facts.push(`${detail.seconds} s`);
  if (kind === "nigiri") facts.push(fill(words.nigiri_detail, words[detail.guess], detail.stones));
  return [words[`n_${kind}`] ?? kind, who, text, ...facts, by].filter(Boolean).join(" · ");
}

/** Return what both clocks show, as it is written down at an adjournment. */
function times() {
  if (!state.clock) return words.no_clock;
  return ["B", "W"].map((color) => `${words[color === "B" ? "black" : "white"]} ${clockText(state, color)}`).join(", ");
}

function renderLog(alerts) {
  element("log-group").hidden = alerts.length === 0;
  element("log-count").textContent = alerts.length;
  const lines = alerts.map((alert) => {
    const who = alert.color ? words[alert.color === "B" ? "black" : "white"] : "";
    const parts = [timeOfDay(alert.at, language), fill(words.move, alert.move), cards.name(alert), who];
    return make("li", {}, parts.filter(Boolean).join(" · "));
  });
  element("log").replaceChildren(...lines.reverse());
}

// Sounding

function sound() {
  const urgent = state.alerts.filter((a) => a.is_open && a.severity === 1 && !a.is_acknowledged);
  const keys = urgent.map((alert) => `alert ${alert.id}${alert.is_escalated ? " waits" : ""}`);
  if (isStale) keys.push("stale");
  if (!isFresh || state.view === "camera-lost") keys.push("no frames");
  alarm.update(keys);
}

// Following

followPrivate("/referee/events", {
  tell: (news) => {
    state = stamp(news);
    render();
    sound();
  },
  tellFresh: (value) => {
    isFresh = value;
    renderHead();
    sound();
  },
  tellStale: (since) => {
    isStale = since !== null;
    showStale(since, words);
    sound();
  },
});

offerSound(element("sound"), words);
element("open").addEventListener("pointerdown", (event) => {
  const card = event.target.closest(".card");
  if (card) see(Number(card.dataset.alert));
});
const ask = (text) => isSure(text, words);
element("action-grid").append(...actionForms({ words, role: session.role, send, isSure: ask, times }));
for (const details of document.querySelectorAll(".action-details")) {
  details.addEventListener("toggle", () => details.querySelector(".clock-times")?.renew());
}
const count = new CountDialog({
  words, language, post, enter: (marks) => send({ action: "count", ...marks }),
});
element("open-count").addEventListener("click", () => count.open(state));
element("confirm-result").addEventListener("click", async () => {
  const { result } = state;
  if (await ask(`${words.confirm_result}: ${result}`)) send({ action: "end", result, reason: state.minutes.count ? "counted" : "" });
});
render();
renderClocks();
setInterval(renderClocks, 1000);
sound();
