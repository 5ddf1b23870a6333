// The public board: shows the newest position, or the one the visitor stepped back to.

import { BoardView } from "./board.js";
import { clockText } from "./clock.js";
import { stamped } from "./feed.js";
import { follow } from "./follow.js";
import { movesOf, positionAt } from "./game.js";
import { resultText } from "./result.js";
import { duration, embedded, fill, timeOfDay } from "./words.js";

const words = embedded("words");
const language = document.documentElement.lang;
const isChinese = language.startsWith("zh");
const element = (id) => document.getElementById(id);

let state = stamped(embedded("state"), { state: true });
let moves = movesOf(state);
let chosen = numberFromHash(); // null: follow the game
let showNumbers = false;
let staleSince = null;
let isFresh = true;
let board = null;

function numberFromHash() {
  const match = /^#(\d{1,4})$/.exec(location.hash);
  return match ? Number(match[1]) : null;
}

function shownNumber() {
  return chosen === null ? moves.length : Math.min(chosen, moves.length);
}

// Showing

function render() {
  if (board?.size !== state.size) board = new BoardView(element("board"), { size: state.size });
  const position = positionAt(state, shownNumber());
  const text = moveText(position.last);
  const label = fill(words.board_label, text);
  board.show(position, { numbers: showNumbers, label });
  renderPlayers(position);
  renderHead();
  renderNow(position);
  renderControls(position.number);
  renderCurrent(position.number);
}

function moveText(last) {
  if (!last) return words.no_moves;
  const name = last.color === "B" ? words.black_short : words.white_short;
  return `${fill(words.move, last.number)} ${name} ${last.point ?? words.pass}`;
}

function renderHead() {
  element("event").textContent = state.event || words.title;
  const players = [state.black.name, state.white.name].filter(Boolean).join(" – ");
  document.title = players ? `${players} · ${moves.length}` : words.title;
  element("round").textContent = [state.round, state.place].filter(Boolean).join(" · ");
  const [kind, text] = pulse();
  element("pulse").dataset.is = kind;
  element("pulse-text").textContent = text;
  renderNotice();
  const info = [
    words.rulesets[state.ruleset] ?? state.ruleset,
    state.handicap ? fill(words.handicap, state.handicap) : "",
    state.komi === null ? "" : fill(words.komi, state.komi),
    state.time_control,
    state.date,
  ];
  element("game-info").textContent = info.filter(Boolean).join(" · ");
}

function pulse() {
  if (staleSince) return ["stale", "…"];
  if (state.phase === "playing") {
    const { seconds, moves: behind } = state.delay;
    if (behind) return ["live", fill(words.delayed_moves, behind)];
    if (seconds >= 120) return ["live", fill(words.delayed_minutes, Math.round(seconds / 60))];
    if (seconds) return ["live", fill(words.delayed_seconds, seconds)];
    return ["live", words.live];
  }
  return [state.phase, words[state.phase]];
}

function renderNotice() {
  const notice = element("notice");
  const isInterrupted = state.phase === "playing" && (state.is_interrupted || !isFresh);
  let text = "";
  if (staleSince) text = fill(words.stale, timeOfDay(staleSince, language));
  else if (isInterrupted) text = words.interrupted;
  // A live region is read out again only when its words change.
  if (notice.textContent !== text) notice.textContent = text;
  notice.hidden = !text;
}

function renderPlayers(position) {
  const isLive = position.number === moves.length;
  const next = isLive ? state.to_move : moves[position.number]?.color;
  for (const [color, player] of [["B", state.black], ["W", state.white]]) {
    const card = element(`player-${color}`);
    const part = (name) => card.querySelector(`[data-part="${name}"]`);
    const side = color === "B" ? words.black : words.white;
    part("name").textContent = player.name || side;
    part("more").textContent = [player.rank, player.team].filter(Boolean).join(" · ");
    const taken = isLive ? state.prisoners[color] : position.prisoners[color];
    part("prisoners").textContent = taken;
    part("prisoners").setAttribute("aria-label", fill(words.captures_label, taken));
    card.classList.toggle("is-to-move", state.phase === "playing" && next === color);
  }
  renderClocks();
}

function renderClocks() {
  for (const color of ["B", "W"]) {
    const part = element(`player-${color}`).querySelector('[data-part="clock"]');
    const text = clockText(state, color);
    if (part.textContent !== text) part.textContent = text;
    part.hidden = !text;
  }
}

function renderNow({ last, number }) {
  const result = resultText(state.result, state.ruleset, words, isChinese ? "zh" : "en");
  element("result").textContent = result;
  element("result").hidden = !result || number !== moves.length;
  element("now-number").textContent = last ? fill(words.move, number) : words.no_moves;
  element("now-stone").className = last ? `now-stone stone-${last.color}` : "now-stone";
  element("now-stone").hidden = !last;
  const unsure = last?.is_unsure ? ` (${words.order_unsure})` : "";
  element("now-vertex").textContent = last ? (last.point ?? words.pass) + unsure : "";
  element("now-time").textContent = last ? timeOfDay(last.at, language) || duration(last.elapsed) : "";
}

function renderControls(number) {
  const slider = element("slider");
  slider.max = moves.length;
  slider.value = number;
  slider.setAttribute("aria-valuetext", fill(words.move, number));
  element("first").disabled = element("back").disabled = number === 0;
  element("forward").disabled = element("last").disabled = number === moves.length;
  const button = element("to-live");
  button.hidden = chosen === null;
  const unseen = moves.length - number;
  const more = unseen > 0 ? ` (${fill(words.new_moves, unseen)})` : "";
  button.textContent = words.to_live + more;
}

// The list of moves: built where it changes, so that a long game costs nothing.

const listed = [];

function renderList() {
  const list = element("moves");
  let keep = 0;
  while (keep < moves.length && keep < listed.length && isListed(keep)) keep += 1;
  while (listed.length > keep) {
    listed.pop();
    list.lastElementChild.remove();
  }
  for (let place = keep; place < moves.length; place += 1) {
    listed.push(moves[place]);
    list.append(makeEntry(moves[place], place + 1));
  }
}

function isListed(place) {
  return listed[place].color === moves[place].color && listed[place].point === moves[place].point;
}

function makeEntry(move, number) {
  const entry = document.createElement("li");
  const button = document.createElement("button");
  const parts = [
    ["move-number", String(number)],
    [`move-stone stone-${move.color}`, ""],
    ["move-point", move.point ?? words.pass],
  ];
  for (const [name, text] of parts) {
    const span = document.createElement("span");
    span.className = name;
    span.textContent = text;
    button.append(span);
  }
  button.type = "button";
  button.setAttribute("aria-label", moveText({ ...move, number }));
  button.addEventListener("click", () => choose(number));
  entry.append(button);
  return entry;
}

function renderCurrent(number) {
  const list = element("moves");
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const button = list.children[number - 1]?.firstElementChild;
  if (!button) return;
  button.setAttribute("aria-current", "true");
  // Scrolls the list alone: scrollIntoView would move a phone's whole page.
  const { offsetTop, offsetHeight } = button.parentElement;
  const top = offsetTop - list.offsetTop;
  const isAbove = top < list.scrollTop;
  const isBelow = top + offsetHeight > list.scrollTop + list.clientHeight;
  if (isAbove || isBelow) list.scrollTop = top - (list.clientHeight - offsetHeight) / 2;
}

// Stepping

function choose(number) {
  const wanted = Math.max(0, Math.min(number, moves.length));
  chosen = wanted;
  history.replaceState(null, "", `#${wanted}`);
  render();
}

function goLive() {
  chosen = null;
  history.replaceState(null, "", location.pathname + location.search);
  render();
}

/** Step; arriving at the newest move by stepping forward is following the game again. */
function stepBy(count) {
  const wanted = shownNumber() + count;
  if (count > 0 && wanted >= moves.length) goLive();
  else choose(wanted);
}

const KEYS = {
  ArrowLeft: () => stepBy(-1),
  ArrowRight: () => stepBy(1),
  PageUp: () => stepBy(-10),
  PageDown: () => stepBy(10),
  Home: () => choose(0),
  End: goLive,
  n: toggleNumbers,
};

function toggleNumbers() {
  showNumbers = !showNumbers;
  element("numbers").setAttribute("aria-pressed", String(showNumbers));
  render();
}

async function share() {
  const link = new URL(location.href);
  link.hash = String(shownNumber());
  const button = element("share");
  if (await copyText(link.href)) button.textContent = words.copied;
  setTimeout(() => { button.textContent = words.share; }, 2500);
}

async function copyText(text) {
  // The clipboard needs https; in a hall without it, a field that is selected does as well.
  if (navigator.clipboard) return navigator.clipboard.writeText(text).then(() => true, () => false);
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "visually-hidden";
  document.body.append(field);
  field.select();
  const isDone = document.execCommand("copy");
  field.remove();
  return isDone;
}

function listen() {
  element("first").addEventListener("click", () => choose(0));
  element("back").addEventListener("click", () => stepBy(-1));
  element("forward").addEventListener("click", () => stepBy(1));
  element("last").addEventListener("click", goLive);
  element("to-live").addEventListener("click", goLive);
  element("numbers").addEventListener("click", toggleNumbers);
  element("share").addEventListener("click", share);
  element("slider").addEventListener("input", (event) => {
    const number = Number(event.target.value);
    if (number === moves.length) goLive();
    else choose(number);
  });
  window.addEventListener("hashchange", () => {
    chosen = numberFromHash();
    render();
  });
  document.addEventListener("keydown", (event) => {
    const isField = event.target.matches("input, textarea, select");
    if (isField || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

setInterval(renderClocks, 250);
listen();
renderList();
render();
follow({
  state,
  tell: (news) => {
    state = news.state;
    moves = movesOf(state);
    renderList();
    render();
  },
  tellStale: (since) => {
    staleSince = since;
    renderHead();
  },
  tellFresh: (value) => {
    isFresh = value;
    renderHead();
  },
});
