// The broadcast overlay. Query: parts=board,bar  board=PX  bar=PX  text=PX  coordinates=0|1
// wood=0|1  numbers=0|1  lang=en|zh.

import { BoardView } from "./board.js";
import { clockText } from "./clock.js";
import { stamped } from "./feed.js";
import { follow } from "./follow.js";
import { movesOf, positionAt } from "./game.js";
import { resultText } from "./result.js";
import { embedded, fill } from "./words.js";

const words = embedded("words");
const language = document.documentElement.lang.startsWith("zh") ? "zh" : "en";
const query = new URLSearchParams(location.search);
const parts = (query.get("parts") ?? "bar,board").split(",");
const element = (id) => document.getElementById(id);
const isOn = (name, fallback) => (query.get(name) ?? (fallback ? "1" : "0")) !== "0";

let board = null;
let state = stamped(embedded("state"), { state: true });

function setSize(name, property) {
  const pixels = Number(query.get(name));
  if (pixels > 0) document.documentElement.style.setProperty(property, `${pixels}px`);
}

function renderClocks() {
  for (const color of ["B", "W"]) {
    const part = element(`side-${color}`).querySelector('[data-part="clock"]');
    const text = clockText(state, color);
    if (part.textContent !== text) part.textContent = text;
  }
}

function render() {
  const position = positionAt(state, movesOf(state).length);
  if (parts.includes("board")) renderBoard(position);
  if (parts.includes("bar")) renderBar(position);
}

function renderBoard(position) {
  if (board?.size !== state.size) {
    const options = { coordinates: isOn("coordinates", false), wood: isOn("wood", true) };
    board = new BoardView(element("board"), { size: state.size, ...options });
  }
  board.show(position, { numbers: isOn("numbers", false), label: words.title });
}

function renderBar({ last, number }) {
  for (const [color, player, side] of [["B", state.black, words.black], ["W", state.white, words.white]]) {
    const card = element(`side-${color}`);
    const set = (name, text) => { card.querySelector(`[data-part="${name}"]`).textContent = text; };
    set("name", player.name || side);
    set("rank", player.rank);
    set("prisoners", state.prisoners[color]);
    card.classList.toggle("is-to-move", state.phase === "playing" && state.to_move === color);
  }
  const result = resultText(state.result, state.ruleset, words, language);
  element("move").textContent = result || (last ? fill(words.move, number) : "");
  element("vertex").textContent = result || !last ? "" : (last.point ?? words.pass);
}

setSize("board", "--board-size");
setSize("bar", "--bar-width");
setSize("text", "--bar-text");
element("board").hidden = !parts.includes("board");
element("bar").hidden = !parts.includes("bar");
render();
setInterval(renderClocks, 250);
follow({
  state,
  tell: (news) => {
    state = news.state;
    render();
  },
  tellStale: (since) => document.body.classList.toggle("is-stale", since !== null),
  tellFresh: (isFresh) => document.body.classList.toggle("is-without-camera", !isFresh),
});
