// The wall of boards: asks for the whole wall again and again, and draws what has changed.

import { make, setChildren } from "/static/dom.js";
import { resultText } from "/static/result.js";
import { duration, embedded, fill } from "/static/words.js";
import { drawMini } from "./mini.js";

const EVERY_MS = 2000;
const words = embedded("words");
const language = document.documentElement.lang.startsWith("zh") ? "zh" : "en";
const isPrivate = document.getElementById("private") !== null;
const element = (id) => document.getElementById(id);

let state = embedded("state");
let secret = isPrivate ? embedded("private") : {};
let failures = 0;
const tiles = new Map();

class Tile {
  constructor(name) {
    this.canvas = make("canvas", { role: "img" });
    this.parts = {};
    const part = (key, tag, look) => (this.parts[key] = make(tag, { class: look }));
    const player = (color) => make(
      "div",
      { class: "tile-player" },
      make("span", { class: `dot stone-${color}`, "aria-hidden": "true" }),
      part(`name-${color}`, "span", "who"),
      part(`rank-${color}`, "span", "rank"),
    );
    this.node = make(
      "a",
      { class: "tile", href: `/boards/${encodeURIComponent(name)}/`, "data-board": name },
      make("div", { class: "tile-head" }, make("span", {}, fill(words.board, name)), part("state", "span", "tile-state")),
      part("alerts", "p", "tile-alerts"),
      part("health", "p", "tile-health"),
      this.canvas,
      player("B"),
      player("W"),
      make("div", { class: "tile-foot" }, part("moves", "span", ""), part("age", "span", ""), part("result", "span", "tile-result")),
    );
  }

  update(board, hidden) {
    const { parts } = this;
    const print = [board.size, board.position, board.last].join();
    if (print !== this.print) drawMini(this.canvas, board);
    this.print = print;
    this.canvas.setAttribute("aria-label", fill(words.board_label, fill(words.move, board.moves)));
    for (const [color, player] of [["B", board.black], ["W", board.white]]) {
      text(parts[`name-${color}`], player.name || words[color === "B" ? "black" : "white"]);
      text(parts[`rank-${color}`], player.rank || player.team);
    }
    const [look, said] = standing(board);
    parts.state.className = `tile-state is-${look}`;
    text(parts.state, said);
    this.node.classList.toggle("is-offline", !board.is_online);
    text(parts.moves, board.moves ? fill(words.move, board.moves) : "");
    text(parts.result, resultText(board.result, board.ruleset, words, language));
    this.#updateHidden(hidden);
    this.age(board);
  }

  #updateHidden(hidden) {
    const { alerts, health } = this.parts;
    alerts.hidden = !hidden?.alerts;
    alerts.className = `tile-alerts severity-${hidden?.severity ?? 0}`;
    if (hidden?.alerts) text(alerts, fill(words.alerts, hidden.alerts));
    const ill = hidden ? illness(hidden) : "";
    health.hidden = !ill;
    text(health, ill);
  }

  age(board) {
    const since = Date.parse(board.last_at);
    const isShown = board.phase === "playing" && !Number.isNaN(since);
    text(this.parts.age, isShown ? fill(words.last_move, duration((Date.now() - since) / 1000)) : "");
  }
}

function text(node, value) {
  if (node.textContent !== value) node.textContent = value ?? "";
}

function standing(board) {
  if (!board.is_online) return ["offline", words.offline];
  if (board.phase === "playing" && board.is_interrupted) return ["paused", words.view_bad];
  return [board.phase, words[board.phase]];
}

function illness(hidden) {
  if (hidden.is_cloned) return words.cloned;
  if (!hidden.is_online && hidden.heard) {
    return fill(words.heard, duration((Date.now() - Date.parse(hidden.heard)) / 1000));
  }
  return hidden.view === "clear" ? "" : words.view_bad;
}

// Filters

function isWanted(board) {
  const wanted = element("find").value.trim().toLowerCase();
  const named = [board.name, board.black.name, board.white.name, board.black.team, board.white.team];
  if (wanted && !named.some((name) => name.toLowerCase().includes(wanted))) return false;
  if (element("round").value && board.round !== element("round").value) return false;
  const show = element("show").value;
  if (show === "alerts") return Boolean(secret[board.name]?.alerts);
  return !show || board.phase === show;
}

function renderRounds() {
  const rounds = [...new Set(state.boards.map((board) => board.round).filter(Boolean))].sort();
  const select = element("round");
  const known = [...select.options].slice(1).map((option) => option.value);
  if (known.join() === rounds.join()) return;
  const chosen = select.value;
  const options = rounds.map((round) => make("option", { value: round }, fill(words.round, round)));
  select.replaceChildren(select.options[0], ...options);
  select.value = rounds.includes(chosen) ? chosen : "";
}

function render() {
  renderRounds();
  element("event").textContent = state.event || words.wall;
  document.title = `${words.wall} · ${state.event}`;
  const shown = state.boards.filter(isWanted);
  if (isPrivate) shown.sort((a, b) => urgency(a) - urgency(b));
  for (const board of shown) {
    if (!tiles.has(board.name)) tiles.set(board.name, new Tile(board.name));
    tiles.get(board.name).update(board, secret[board.name]);
  }
  setChildren(element("wall"), shown.map((board) => tiles.get(board.name).node));
  element("none").hidden = shown.length > 0;
  text(element("count"), fill(words.boards_shown, shown.length, state.boards.length));
}

function urgency(board) {
  const hidden = secret[board.name];
  return hidden?.alerts ? hidden.severity : 9;
}

// Following

async function load(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

async function refresh() {
  try {
    const asked = [load("/wall.json"), ...(isPrivate ? [load("/referee/wall.json")] : [])];
    [state, secret = {}] = await Promise.all(asked);
    failures = 0;
    render();
  } catch {
    failures += 1;
  }
  element("stale").hidden = failures < 3;
  // Spread out, so that a crowd does not ask in one instant.
  setTimeout(refresh, EVERY_MS * (0.85 + 0.3 * Math.random()));
}

element("filters").addEventListener("input", render);
element("filters").addEventListener("submit", (event) => event.preventDefault());
setInterval(() => {
  for (const board of state.boards) tiles.get(board.name)?.age(board);
}, 1000);
render();
setTimeout(refresh, EVERY_MS);
