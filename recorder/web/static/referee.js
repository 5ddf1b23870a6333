// The referee's console: follows the private stream, sounds for what is urgent, sends decisions.

import { Alarm, isUnlocked, ring, unlock } from "./alarm.js";
import { Cards } from "./card.js";
import { make } from "./dom.js";
import { actionForms } from "./forms.js";
import { followPrivate, isSure, poster, toast } from "./private.js";
import { embedded, fill, timeOfDay } from "./words.js";

const words = embedded("words");
const session = embedded("session");
const language = document.documentElement.lang;
const element = (id) => document.getElementById(id);
const alarm = new Alarm();

let state = embedded("state");
let isStale = false;
const reopened = new Set();

// Sending

const post = poster(session);

async function send(fields) {
  const answer = await post("/referee/actions", { ...fields, based_on: state.number });
  if (answer.number) toast(fill(words.saved, answer.number));
  else if (answer.status === 409) toast(fill(words.conflict, cards.decisionText(answer.decision)));
  else if (answer.error === "chief") toast(words.forbidden);
  else toast(fill(words.failed, answer.error ?? answer.status));
  return Boolean(answer.number);
}

const GRAVE = new Set(["loss", "draw", "replay", "no-result", "both-lose"]);

async function decide(alert, decision, note) {
  const text = words.rulings[decision] ?? decision;
  if (GRAVE.has(decision) && !(await isSure(text, words))) return;
  reopened.delete(alert.id);
  post(`/referee/alerts/${alert.id}/seen`, {});
  await send({ action: "ruling", alert: alert.id, decision, note });
  render();
}

// Showing

const cards = new Cards({
  words,
  language,
  offers: embedded("offers"),
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
  renderHead();
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
  if (wanted.length !== host.children.length || wanted.some((card, i) => host.children[i] !== card)) {
    host.replaceChildren(...wanted);
  }
}

function printBase(alert, isReopened) {
  return JSON.stringify([{ ...alert, moves_since: 0, is_acknowledged: false }, isReopened, state.size]);
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
  const bad = state.view !== "clear" ? words.view_bad : "";
  const differs = state.mismatch.length ? fill(words.mismatch, state.mismatch.join(", ")) : "";
  element("view").textContent = [bad, differs].filter(Boolean).join(" ");
  element("view").hidden = !(bad || differs);
}

function renderWarnings() {
  for (const color of ["B", "W"]) {
    const count = state.warnings[color];
    const chip = element(`warned-${color}`);
    const costs = state.ruleset === "chinese-2002";
    let cost = "";
    if (count >= 2) cost = words.warning_loss;
    else if (count) cost = costs ? fill(words.warning_cost, count) : words.warning_recorded;
    chip.querySelector('[data-part="count"]').textContent = count;
    chip.querySelector('[data-part="cost"]').textContent = cost;
    chip.classList.toggle("has-warnings", count > 0);
  }
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
  alarm.update([...urgent.map((alert) => `alert ${alert.id}`), ...(isStale ? ["stale"] : [])]);
}

async function turnSoundOn() {
  if (await unlock()) {
    element("sound").textContent = words.sound_is_on;
    element("sound").setAttribute("aria-pressed", "true");
    ring();
  }
}

// Following

followPrivate("/referee/events", {
  tell: (news) => {
    state = news;
    render();
    sound();
  },
  tellStale: (since) => {
    isStale = since !== null;
    element("stale").textContent = since ? fill(words.stale, timeOfDay(since, language)) : "";
    element("stale").hidden = !isStale;
    sound();
  },
});

element("sound").addEventListener("click", turnSoundOn);
document.addEventListener("pointerdown", () => { if (!isUnlocked()) turnSoundOn(); }, { once: true });
element("open").addEventListener("pointerdown", (event) => {
  const card = event.target.closest(".card");
  if (card) post(`/referee/alerts/${card.dataset.alert}/seen`, {});
});
const ask = (text) => isSure(text, words);
element("action-grid").append(...actionForms({ words, role: session.role, send, isSure: ask }));
render();
sound();
