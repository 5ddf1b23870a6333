// The referees' queue: the alerts of all boards, the most urgent first, each with its board.

import { Alarm, offerSound } from "/static/alarm.js";
import { Cards } from "/static/card.js";
import { make, setChildren } from "/static/dom.js";
import { followPrivate, mayDecide, poster, showStale, toast } from "/static/private.js";
import { embedded, fill } from "/static/words.js";

const SECTION = "banmen-section";
const words = embedded("words");
const session = embedded("session");
const language = document.documentElement.lang;
const element = (id) => document.getElementById(id);
const alarm = new Alarm();
const post = poster(session);
const reopened = new Set();

let state = embedded("state");
let isStale = false;

const keyOf = (board, alert) => `${board.board}/${alert.id}`;
const addressOf = (board) => `/referee/boards/${encodeURIComponent(board.board)}`;

// Sending

async function decide(board, cards, alert, decision, note) {
  if (!(await mayDecide(decision, words))) return;
  reopened.delete(keyOf(board, alert));
  const fields = { action: "ruling", alert: alert.id, decision, note, based_on: board.number };
  const answer = await post(`${addressOf(board)}/actions`, fields);
  if (answer.number) toast(fill(words.saved, answer.number));
  else if (answer.decision) toast(fill(words.conflict, cards.decisionText(answer.decision)));
  else if (answer.error === "chief") toast(words.forbidden);
  else toast(fill(words.failed, answer.error ?? answer.status));
  render();
}

// Showing

/** Return the boards of the chosen section. */
function wanted() {
  const names = state.sections[element("section").value];
  return names ? state.boards.filter((board) => names.includes(board.board)) : state.boards;
}

function listed(isOpen) {
  const found = wanted().flatMap((board) => board.alerts.map((alert) => ({ board, alert })));
  const fitting = found.filter(({ alert }) => alert.is_open === isOpen);
  // Of two that are alike urgent, the one that waits longer comes first.
  const age = (entry) => Date.parse(entry.alert.at) || 0;
  return fitting.sort((a, b) => (isOpen ? a.alert.severity - b.alert.severity : 0) || (isOpen ? age(a) - age(b) : age(b) - age(a)));
}

function render() {
  const open = listed(true);
  renderCards(element("open"), open);
  const closed = listed(false);
  renderCards(element("earlier"), closed);
  element("empty").hidden = open.length > 0;
  element("earlier-count").textContent = closed.length;
  element("earlier-group").hidden = closed.length === 0;
  document.title = open.length ? `(${open.length}) ${words.queue}` : words.queue;
}

// A card is drawn again only when something about it has changed, so that a note that is being
// written survives the moves of other boards.
function renderCards(host, entries) {
  const before = new Map([...host.children].map((node) => [node.dataset.key, node]));
  const nodes = entries.map(({ board, alert }) => {
    const key = keyOf(board, alert);
    const print = JSON.stringify([{ ...alert, moves_since: 0 }, reopened.has(key), board.is_online]);
    const old = before.get(key);
    if (old?.print === print) return old;
    const node = group(board, alert, key);
    node.print = print;
    return node;
  });
  setChildren(host, nodes);
}

function group(board, alert, key) {
  const cards = new Cards({
    words,
    language,
    role: session.role,
    act: (one, decision, note) => decide(board, cards, one, decision, note),
    see: () => {
      reopened.add(key);
      render();
    },
    enlarge: (content) => {
      element("large-host").replaceChildren(content);
      element("large").showModal();
    },
    picture: (one, file) => `${addressOf(board)}/alerts/${one.id}/${file}`,
  });
  cards.ruleset = board.ruleset;
  const names = [board.players.B || words.black, board.players.W || words.white].join(" – ");
  const head = make(
    "h3",
    {},
    make("a", { href: `/boards/${encodeURIComponent(board.board)}/` }, fill(words.to_board, board.board)),
    make("span", {}, names),
  );
  const offline = board.is_online ? null : make("p", { class: "tile-health" }, words.board_offline);
  const card = cards.card(alert, { size: board.size, isReopened: reopened.has(key) });
  for (const image of card.querySelectorAll("img")) {
    // A device keeps pictures for a while only.
    image.addEventListener("error", () => image.closest("figure").remove());
  }
  const node = make("section", { class: "board-group", "data-key": key, "data-board": board.board }, head, offline, card);
  node.addEventListener("pointerdown", () => {
    if (alert.is_open && !alert.is_acknowledged) post(`${addressOf(board)}/alerts/${alert.id}/seen`, {});
  });
  return node;
}

// Sounding

function sound() {
  const urgent = listed(true).filter(({ alert }) => alert.severity === 1 && !alert.is_acknowledged);
  const keys = urgent.map(({ board, alert }) => `${keyOf(board, alert)}${alert.is_escalated ? " waits" : ""}`);
  if (isStale) keys.push("stale");
  alarm.update(keys);
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
    showStale(since, words);
    sound();
  },
});

const section = element("section");
section.append(...Object.keys(state.sections).map((name) => make("option", { value: name }, name)));
section.value = localStorage.getItem(SECTION) ?? "";
if (section.selectedIndex < 0) section.value = "";
section.hidden = section.options.length < 2;
section.addEventListener("change", () => {
  localStorage.setItem(SECTION, section.value);
  render();
  sound();
});
offerSound(element("sound"), words);
render();
sound();
