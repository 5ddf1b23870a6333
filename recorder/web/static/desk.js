// The operator's desk: shows the record, corrects it, and says who plays.

import { BoardView } from "./board.js";
import { make } from "./dom.js";
import { followPrivate, isSure, positionOf, poster, showStale, toast } from "./private.js";
import { embedded, fill } from "./words.js";

const CAMERA_MS = 2000;
const words = embedded("words");
const session = embedded("session");
const element = (id) => document.getElementById(id);
const post = poster(session);

let state = embedded("state");
let chosen = null; // the number of the move to correct; null: none
let proposed = null; // the color last proposed for a move to add
let board = null;
let isFresh = true; // whether the recorder gets frames from its camera

// Sending

function report(answer) {
  if (answer.number) toast(fill(words.saved, answer.number));
  else if (answer.decision) toast(fill(words.changed, `${answer.decision.decision}, ${answer.decision.by}`));
  else if (answer.status === 409) toast(fill(words.changed, answer.error));
  else toast(fill(words.failed, answer.error ?? answer.status));
}

async function send(fields) {
  report(await post("/desk/actions", { ...fields, based_on: state.number }));
}

/** Return the move in the editor, null if its point is missing. */
function edited() {
  const point = element("point").value.trim();
  if (!point) {
    element("point").focus();
    return null;
  }
  const isPass = point.toLowerCase() === "pass" || point === words.pass;
  return { color: element("color").value, point: isPass ? null : point.toUpperCase() };
}

function act(action, number, move = {}) {
  const was = state.moves[number - 1]?.move;
  element("point").value = "";
  return send({ action, number, was, ...move });
}

const EDITS = {
  replace: () => withMove((move) => act("replace", chosen, move)),
  insert: () => withMove((move) => act("insert", chosen, move)),
  append: () => withMove((move) => act("insert", state.moves.length + 1, move)),
  delete: () => act("delete", chosen),
  cut: async () => {
    const text = `${words.cut}: ${state.moves[chosen - 1].move}`;
    if (await isSure(text, words)) act("cut", chosen);
  },
};

function withMove(use) {
  const move = edited();
  if (move) use(move);
}

// Showing

function render() {
  if (chosen !== null && chosen > state.moves.length) chosen = null;
  renderHead();
  renderBoard();
  renderEditor();
  renderMoves();
  renderUnsure();
}

function renderHead() {
  const { black, white } = state.info;
  element("players").textContent = `${black || words.black} – ${white || words.white}`;
  const count = state.moves.length ? fill(words.move, state.moves.length) : words.no_moves;
  const said = [words[`stage_${state.stage}`], words[`phase_${state.phase}`], count];
  element("status").textContent = said.filter(Boolean).join(" · ");
  const isClear = state.view === "clear";
  element("view").hidden = isClear && isFresh;
  const bad = isClear ? "" : words[VIEWS[state.view] ?? "view_lost"];
  element("view").textContent = isFresh ? bad : words.no_frames;
  element("time-hint").hidden = state.is_time_known;
  element("delete-pictures").hidden = !state.has_pictures;
  element("differs").hidden = state.differs === 0;
  for (const button of document.querySelectorAll('[data-action="turn"]')) {
    button.hidden = ["idle", "ready", "sealed"].includes(state.phase);
  }
  element("differs-text").textContent = fill(words.differs, state.differs);
  if (element("alerts")) {
    element("alerts").textContent = state.alerts ? fill(words.alerts, state.alerts) : words.referee_page;
  }
}

const VIEWS = {
  "view-blocked": "view_blocked",
  "camera-moved": "view_moved",
  "recognition-uncertain": "view_uncertain",
  "no-grid": "view_no-grid",
  "camera-lost": "view_lost",
};

function renderBoard() {
  if (board?.size !== state.size) {
    board = new BoardView(element("board"), { size: state.size });
    board.onPick((vertex) => {
      element("point").value = vertex;
      renderBoard();
    });
  }
  const isPhysical = element("physical").checked && state.differs > 0;
  const shown = positionOf(isPhysical ? state.physical : state.official);
  const [color, point] = (state.moves.at(-1)?.move ?? "").split(" ");
  board.show({ ...shown, last: { color, point } }, { label: words.record });
  // Rings are around the move to correct and the point in the editor.
  const [, vertex] = (state.moves[chosen - 1]?.move ?? "").split(" ");
  const written = element("point").value.trim().toUpperCase();
  const isPoint = (text) => /^[A-HJ-Z]([1-9]|1\d|2[0-5])$/.test(text ?? "");
  board.ring([vertex, written].filter(isPoint));
}

function renderEditor() {
  const move = chosen === null ? null : state.moves[chosen - 1];
  element("chosen").textContent = move
    ? `${fill(words.move, chosen)}: ${sayMove(move.move)}${move.note ? ` – ${move.note}` : ""}`
    : words.select_hint;
  for (const id of ["replace", "insert", "delete", "cut"]) element(id).disabled = !move;
  // Once a turn: whoever chose another color to add keeps it until the next move.
  if (!move && state.to_move && state.to_move !== proposed) element("color").value = state.to_move;
  proposed = state.to_move;
}

function sayMove(text) {
  const [color, point] = text.split(" ");
  const name = color === "B" ? words.black : words.white;
  return `${name} ${point === "pass" ? words.pass : point}`;
}

const listed = [];

function renderMoves() {
  const list = element("moves");
  state.moves.forEach((move, place) => {
    const print = JSON.stringify(move);
    if (listed[place] === print) return;
    const entry = makeEntry(move, place + 1);
    if (place < list.children.length) list.children[place].replaceWith(entry);
    else list.append(entry);
    listed[place] = print;
  });
  while (list.children.length > state.moves.length) list.lastElementChild.remove();
  listed.length = state.moves.length;
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  list.children[chosen - 1]?.firstElementChild.setAttribute("aria-current", "true");
}

function makeEntry(move, number) {
  const [color, point] = move.move.split(" ");
  const how = move.is_order_known ? words[move.provenance] : words.unsure;
  const choose = () => {
    chosen = chosen === number ? null : number;
    element("color").value = color;
    render();
  };
  return make(
    "li",
    {},
    make(
      "button",
      { type: "button", "aria-label": `${fill(words.move, number)} ${sayMove(move.move)}`, click: choose },
      make("span", { class: "number" }, String(number)),
      make("span", { class: `stone stone-${color}`, "aria-hidden": "true" }),
      point === "pass" ? words.pass : point,
      how ? make("span", { class: "how" }, how) : null,
    ),
  );
}

/** Show the stretches of moves that are not certain, each with a button to confirm it. */
function renderUnsure() {
  const stretches = [];
  state.moves.forEach((move, place) => {
    if (!move.is_unsure) return;
    const last = stretches.at(-1);
    if (last?.at(-1) === place) last.push(place + 1);
    else stretches.push([place + 1]);
  });
  const print = JSON.stringify(stretches.map((numbers) => numbers.map((number) => state.moves[number - 1].move)));
  if (element("unsure").print === print) return;
  element("unsure").print = print;
  element("unsure").hidden = stretches.length === 0;
  element("unsure-text").textContent = fill(words.unsure_moves, stretches.flat().length);
  element("unsure-list").replaceChildren(...stretches.map((numbers) => {
    const [first, last] = [numbers[0], numbers.at(-1)];
    const moves = numbers.map((number) => sayMove(state.moves[number - 1].move)).join(", ");
    const confirm = () => send({ action: "confirm", first, number: last, was: state.moves[last - 1].move });
    return make("li", {},
      make("button", { type: "button", class: "link", click: () => choose(first) }, fill(words.stretch, first, last, moves)),
      make("button", { type: "button", "data-action": "confirm", click: confirm }, words.confirm_moves),
    );
  }));
}

/** Choose a move to correct, or none. */
function choose(number) {
  chosen = number;
  element("color").value = state.moves[number - 1].move[0];
  render();
  element("moves").children[number - 1]?.scrollIntoView({ block: "nearest" });
}

// Pairings: read by the recorder, shown here, filled into the form.

async function readPairings() {
  const [file] = element("pairings-file").files;
  if (!file) return;
  const answer = await post("/desk/pairings", file);
  const isRead = answer.status === 200;
  element("pairings-said").textContent = isRead
    ? fill(words.pairings_found, answer.pairings.length)
    : fill(words.failed, answer.error ?? answer.status);
  showPairings(isRead ? answer.pairings : []);
}

let pairings = [];

function showPairings(found) {
  pairings = found;
  const table = Number(element("table").value) || null;
  const rows = found.filter((pairing) => !table || pairing.table === table);
  element("pairings-region").hidden = rows.length === 0;
  element("pairings").replaceChildren(...rows.map((pairing) => {
    const say = ({ name, rank }) => [name, rank].filter(Boolean).join(" ");
    const cells = [pairing.round, pairing.table, say(pairing.black), say(pairing.white), pairing.handicap || "", pairing.komi ?? ""];
    return make("tr", {}, ...cells.map((text) => make("td", {}, String(text))),
      make("td", {}, make("button", { type: "button", click: () => takePairing(pairing) }, words.take)));
  }));
}

function takePairing({ table, round, event, handicap, komi, black, white }) {
  const { elements } = element("info");
  const set = (name, value) => { if (value !== "" && value !== null) elements[name].value = value; };
  for (const [side, person] of Object.entries({ black, white })) {
    elements[side].value = person.name;
    elements[`${side}_rank`].value = person.rank;
    elements[`${side}_team`].value = person.club;
  }
  set("round", round);
  set("event", event);
  set("komi", komi);
  elements.handicap.value = handicap;
  element("pairings-said").textContent = fill(words.taken, table);
}

// Forms: filled once, so that what is being typed survives the next move.

function fillForms() {
  for (const input of element("info").elements) {
    if (input.name) input.value = state.info[input.name] ?? "";
  }
  element("delay").elements.seconds.value = state.delay.seconds;
  element("delay").elements.moves.value = state.delay.moves;
}

function infoFields() {
  const info = {};
  for (const input of element("info").elements) if (input.name) info[input.name] = input.value.trim();
  info.komi = info.komi === "" ? null : numberOr(info.komi);
  info.handicap = info.handicap === "" ? 0 : numberOr(info.handicap);
  return info;
}

/** Return the number that a text says; what is none goes as it is, for the recorder to refuse. */
function numberOr(text) {
  const number = Number(text.replace(",", "."));
  return text === "" || Number.isNaN(number) ? text : number;
}

async function saveDelay(event) {
  event.preventDefault();
  const { seconds, moves } = element("delay").elements;
  const answer = await post("/desk/delay", {
    seconds: numberOr(seconds.value.trim()), moves: numberOr(moves.value.trim()),
  });
  if (answer.status === 200) toast(words.delay_saved);
  else report(answer);
}

// The camera's picture comes again and again, but only while somebody looks.

function showCamera() {
  if (document.hidden) return;
  const next = new Image();
  next.onload = () => {
    element("camera").src = next.src;
    element("camera").hidden = false;
    element("no-camera").hidden = true;
  };
  next.src = `/desk/camera.jpg?at=${Date.now()}`;
}

for (const [id, edit] of Object.entries(EDITS)) element(id).addEventListener("click", edit);
element("point").addEventListener("input", renderBoard);
element("physical").addEventListener("change", render);
element("accept").addEventListener("click", async () => {
  if (await isSure(words.accept, words)) send({ action: "accept" });
});
element("info").addEventListener("submit", (event) => {
  event.preventDefault();
  send({ action: "info", info: infoFields() });
});
element("exchange").addEventListener("click", () => {
  const { elements } = element("info");
  for (const part of ["", "_rank", "_team"]) {
    const [black, white] = [elements[`black${part}`], elements[`white${part}`]];
    [black.value, white.value] = [white.value, black.value];
  }
});
element("start").addEventListener("click", async () => {
  if (await isSure(words.start, words)) send({ action: "start", info: infoFields() });
});
element("delay").addEventListener("submit", saveDelay);
element("pairings-file").addEventListener("change", readPairings);
element("table").addEventListener("input", () => showPairings(pairings));
element("call").addEventListener("click", async () => {
  if (await isSure(words.call_referee, words)) send({ action: "call-referee" });
});
for (const button of document.querySelectorAll(".steps-row [data-action]")) {
  button.addEventListener("click", async () => {
    const { action, quarters } = button.dataset;
    const fields = quarters ? { action, quarters: Number(quarters) } : { action };
    if (await isSure(button.textContent, words)) send(fields);
  });
}
element("delete-pictures").addEventListener("click", async () => {
  if (!await isSure(words.delete_pictures, words)) return;
  const answer = await post("/desk/delete-pictures", {});
  if (answer.status === 200) toast(fill(words.pictures_deleted, answer.files));
  else report(answer);
  state.has_pictures = answer.status !== 200;
  renderHead();
});
fillForms();
render();
followPrivate("/desk/events", {
  tell: (news) => {
    state = news;
    render();
  },
  tellStale: (since) => showStale(since, words),
  tellFresh: (value) => {
    isFresh = value;
    renderHead();
  },
});
if (state.has_camera) {
  showCamera();
  setInterval(showCamera, CAMERA_MS);
}
