// The office: shows who sits where, and takes pairings over after a look at them.

import { make } from "/static/dom.js";
import { poster, toast } from "/static/private.js";
import { embedded, fill } from "/static/words.js";

const words = embedded("words");
const state = embedded("state");
const post = poster(embedded("session"));
const element = (id) => document.getElementById(id);

function rows(pairings) {
  const head = [words.table, words.black, words.white].map((text) => make("th", {}, text));
  const lines = pairings.map((one) => make(
    "tr",
    {},
    make("td", {}, [one.round && fill(words.round, one.round), one.table].filter(Boolean).join(" · ")),
    make("td", {}, one.black),
    make("td", {}, one.white),
  ));
  return [make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...lines)];
}

function renderSeats() {
  const options = state.rounds.map((name) => make("option", { value: name }, fill(words.round, name)));
  element("round").replaceChildren(...options);
  element("round").value = state.round;
  element("seats").replaceChildren(...(state.pairings.length ? rows(state.pairings) : []));
}

async function look() {
  const [file] = element("file").files;
  element("preview").replaceChildren();
  element("take").hidden = element("fault").hidden = true;
  if (!file) return;
  const answer = await post("/office/preview", file);
  if (!answer.pairings) {
    element("fault").textContent = answer.error ?? answer.status;
    element("fault").hidden = false;
    return;
  }
  element("preview").replaceChildren(...rows(answer.pairings));
  element("take").textContent = fill(words.take_over, answer.pairings.length);
  element("take").hidden = false;
}

async function take() {
  const answer = await post("/office/pairings", element("file").files[0]);
  if (answer.taken) location.reload();
  else toast(fill(words.failed, answer.error ?? answer.status));
}

async function setRound() {
  const answer = await post("/office/round", { round: element("round").value });
  if (answer.round) location.reload();
  else toast(fill(words.failed, answer.error ?? answer.status));
}

element("file").addEventListener("change", look);
element("take").addEventListener("click", take);
element("set-round").addEventListener("click", setRound);
renderSeats();
