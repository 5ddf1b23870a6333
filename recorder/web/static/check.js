// The check before the game: asks for a verdict and shows it; what has moved, every few seconds.

import { make } from "./dom.js";
import { poster } from "./private.js";
import { embedded, fill, timeOfDay } from "./words.js";

const MOVEMENTS_MS = 5000;
const words = embedded("words");
const language = document.documentElement.lang;
const element = (id) => document.getElementById(id);
const post = poster(embedded("session"));

function showVerdict(verdict) {
  element("verdict").className = `verdict is-${verdict.level}`;
  element("verdict").dataset.level = verdict.level;
  element("verdict-text").textContent = verdict.text;
  element("items").replaceChildren(
    ...verdict.items.map((item) =>
      make("li", { class: `is-${item.level}`, "data-topic": item.topic, "data-level": item.level },
        make("span", { class: "level" }, item.level_name),
        make("b", {}, item.name),
        item.text)),
  );
  element("seen").hidden = verdict.picture === null;
  if (verdict.picture !== null) element("picture").src = `/check/picture-${verdict.picture}.jpg`;
}

async function run() {
  element("run").disabled = true;
  element("verdict-text").textContent = words.running;
  const answer = await post("/check/run", {});
  element("run").disabled = false;
  if (answer.status === 200) showVerdict(answer);
  else element("verdict-text").textContent = fill(words.check_failed, answer.error ?? answer.status);
}

function showMovements(movements) {
  const told = [...movements].reverse().map((moved) =>
    make("li", { class: moved.needs_person ? "is-bad" : "is-good" },
      make("time", {}, timeOfDay(moved.at, language)),
      `${fill(words[`moved_${moved.kind}`], moved.cells)} `,
      moved.needs_person ? words.needs_person : words.followed));
  element("movements").replaceChildren(...(told.length ? told : [make("li", {}, words.no_movements)]));
}

async function followMovements() {
  if (document.hidden) return;
  try {
    const answer = await fetch("/check/movements.json");
    if (answer.ok) showMovements((await answer.json()).movements);
  } catch {
    // The device does not answer just now: what is shown stays, and it is asked again.
  }
}

element("run").addEventListener("click", run);
showMovements(embedded("state").movements);
setInterval(followMovements, MOVEMENTS_MS);
