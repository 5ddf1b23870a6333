// The clock beside the board: shows what the recorder's clock says, and sends presses to it.

import { callsBetween, left } from "./clock.js";
import { followPrivate, poster } from "./private.js";
import { duration, embedded, fill } from "./words.js";

const words = embedded("words");
const element = (id) => document.getElementById(id);
const post = poster(embedded("session"));
const NAMES = { B: words.black, W: words.white };
const LEFT_KEYS = ["ArrowLeft", "a", "1"];
const RIGHT_KEYS = ["ArrowRight", "l", "2"];

let state = stamp(embedded("state"));
let isStale = false;
let trouble = "";
let shown = null; // {color, left} of the running side, to notice what has to be called out

function stamp(news) {
  return { ...news, at: Date.now() - 1000 * news.clock_age };
}

function leftOf(color, now) {
  const isRunning = state.clock.running === color && state.phase === "playing";
  return left(state.clock, color, isRunning ? Math.max(0, (now - state.at) / 1000) : 0);
}

function render() {
  const now = Date.now();
  for (const color of ["B", "W"]) renderHalf(color, now);
  element("message").textContent = message();
  if (state.clock) callOut(now);
}

function renderHalf(color, now) {
  const half = element(`half-${color}`);
  const set = (part, text) => {
    const place = half.querySelector(`[data-part="${part}"]`);
    if (place.textContent !== text) place.textContent = text;
  };
  const name = state.players[color] || NAMES[color];
  set("name", name);
  half.setAttribute("aria-label", fill(words.press, name));
  half.classList.toggle("is-running", state.clock?.running === color);
  half.classList.toggle("is-over", state.flag === color);
  if (!state.clock) {
    set("time", "–:––");
    return;
  }
  const { seconds, periods, moves } = leftOf(color, now);
  set("time", duration(Math.ceil(seconds - 1e-6)));
  const { control } = state.clock;
  const reserve = state.clock[color === "B" ? "black" : "white"].periods;
  let more = moves ? `/ ${moves}` : "";
  if (periods) more = `×${periods}`;
  else if (control.kind === "byo-yomi" && periods === undefined) more = `+ ${reserve} × ${control.period_s} s`;
  set("more", state.flag === color ? words.over : more);
}

function message() {
  if (isStale) return words.stale;
  if (trouble) return trouble;
  if (!state.clock) return words.no_control;
  if (state.flag) return "";
  if (state.clock.running === null && state.is_started) return words.stopped;
  if (state.source === "camera") return words.by_camera;
  if (state.clock.running === null) return words.not_started;
  return "";
}

// Calling out

function callOut(now) {
  const color = state.clock.running;
  const after = color ? { color, left: leftOf(color, now) } : null;
  const before = shown;
  shown = after;
  if (!after || before?.color !== color || !element("calls").checked) return;
  for (const call of callsBetween(state.clock.control, before.left, after.left)) speak(call);
}

function speak({ kind, number }) {
  if (!("speechSynthesis" in window)) return;
  let text = String(number);
  if (kind === "seconds") text = fill(words.say_seconds, number);
  if (kind === "left") text = number === 1 ? words.say_last : fill(words.say_left, number);
  const speech = new SpeechSynthesisUtterance(text);
  speech.lang = document.documentElement.lang.startsWith("zh") ? "zh-CN" : "en";
  speechSynthesis.speak(speech);
}

// Pressing: stamped by the recorder's clock, as far as this page knows it.

const PROBES = 5;
const PROBE_EVERY_MS = 30000;
let offset = null; // {at, uncertainty}: the recorder's seconds minus ours, and by how much that may be wrong

/** Ask for the recorder's time a few times; the quickest answer tells most. */
async function measureOffset() {
  for (let probe = 0; probe < PROBES; probe += 1) {
    const sent = performance.now() / 1000;
    try {
      const answer = await fetch("/clock/time", { cache: "no-store" });
      const { t } = await answer.json();
      const back = performance.now() / 1000;
      const found = { at: t - (sent + back) / 2, uncertainty: (back - sent) / 2, since: back };
      // What was measured long ago counts for less: clocks drift apart.
      const isOld = offset && back - offset.since > 120;
      if (!offset || isOld || found.uncertainty <= offset.uncertainty) offset = found;
    } catch {
      return; // the page says by itself that the connection is lost
    }
  }
}

function pressedAt() {
  if (!offset) return {};
  return { at: performance.now() / 1000 + offset.at, uncertainty: offset.uncertainty };
}

async function press(color) {
  // Where the camera ends the moves, a button only starts the clock.
  if (state.source === "camera" && state.clock?.running) return;
  const moment = pressedAt();
  const half = element(`half-${color}`);
  half.classList.add("is-pressed");
  navigator.vibrate?.(30);
  const answer = await post("/clock/press", { color, ...moment });
  half.classList.remove("is-pressed");
  trouble = answer.status === 200 ? "" : fill(words.failed, answer.error ?? answer.status);
  render();
}

function leftColor() {
  return element("halves").classList.contains("is-swapped") ? "W" : "B";
}

for (const color of ["B", "W"]) {
  // On touching, not on letting go: that is when the player has pressed.
  element(`half-${color}`).addEventListener("pointerdown", () => press(color));
  element(`half-${color}`).addEventListener("click", (event) => {
    if (event.detail === 0) press(color); // the keyboard's way to click
  });
}
document.addEventListener("keydown", (event) => {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const color = leftColor();
  if (LEFT_KEYS.includes(key)) press(color);
  else if (RIGHT_KEYS.includes(key)) press(color === "B" ? "W" : "B");
});
element("swap").addEventListener("click", () => element("halves").classList.toggle("is-swapped"));

async function stayAwake() {
  try {
    await navigator.wakeLock?.request("screen");
  } catch {
    // Not allowed here: the tablet's own setting has to keep the screen on.
  }
}

document.addEventListener("visibilitychange", () => { if (!document.hidden) stayAwake(); });
stayAwake();
measureOffset();
setInterval(measureOffset, PROBE_EVERY_MS);
render();
setInterval(render, 100);
followPrivate("/clock/events", {
  tell: (news) => { state = stamp(news); },
  tellStale: (since) => { isStale = since !== null; },
});
