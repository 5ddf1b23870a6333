// What the private pages share: sending with the session's token, asking first, following.

import { fill, timeOfDay } from "./words.js";

const SILENCE_MS = 12000;
const element = (id) => document.getElementById(id);

/**
 * Return a function that posts JSON, or a file as it is, and gives the answer with its `status`,
 * 0 if none came.
 */
export function poster(session) {
  return async (path, content) => {
    const isFile = content instanceof Blob;
    const type = isFile ? "application/octet-stream" : "application/json";
    const headers = { "Content-Type": type, "X-Banmen-Token": session.token };
    const body = isFile ? content : JSON.stringify(content);
    try {
      const answer = await fetch(path, { method: "POST", headers, body });
      if (answer.status === 401) location.assign("/login");
      return { status: answer.status, ...(await answer.json()) };
    } catch (error) {
      return { status: 0, error: String(error) };
    }
  };
}

/** Ask in the page's dialog; resolves to whether the answer was yes. */
export function isSure(text, words) {
  const dialog = element("sure");
  element("sure-text").textContent = fill(words.sure, text);
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}

// What ends or turns a game is asked about before it is sent.
const GRAVE = new Set(["loss", "loss-B", "loss-W", "draw", "replay", "no-result", "both-lose", "restart"]);

/** Ask before a grave decision; resolves to whether it may be sent. */
export async function mayDecide(decision, words) {
  return !GRAVE.has(decision) || isSure(words.rulings[decision] ?? decision, words);
}

/** Say that what the page shows may be behind since a moment, or (null) that it is not. */
export function showStale(since, words) {
  element("stale").textContent = since ? fill(words.stale, timeOfDay(since, document.documentElement.lang)) : "";
  element("stale").hidden = !since;
}

let toastTimer = 0;

/** Show a sentence for a few seconds. */
export function toast(text) {
  element("toast").textContent = text;
  element("toast").hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { element("toast").hidden = true; }, 7000);
}

/** Return {stones, last} for a board, from vertices by color. */
export function positionOf(byColor) {
  const stones = new Map();
  for (const color of ["B", "W"]) {
    for (const vertex of byColor[color]) stones.set(vertex, { color, number: 0 });
  }
  return { stones, last: null };
}

/**
 * Call `tell(state)` with each new state, `tellStale(since | null)` every second, and
 * `tellFresh(boolean)` with whether the recorder gets frames from its camera.
 */
export function followPrivate(address, { tell, tellStale, tellFresh = () => {} }) {
  let heardAt = Date.now();
  const open = () => {
    const source = new EventSource(address);
    const heard = () => { heardAt = Date.now(); };
    let watch = 0;
    const again = () => {
      source.close();
      clearInterval(watch);
      setTimeout(open, 1500);
    };
    source.addEventListener("beat", (event) => {
      heard();
      tellFresh(JSON.parse(event.data).is_fresh);
    });
    source.onmessage = (event) => {
      heard();
      tell(JSON.parse(event.data));
    };
    source.onerror = again;
    watch = setInterval(() => { if (Date.now() - heardAt > SILENCE_MS) again(); }, 3000);
  };
  open();
  setInterval(() => tellStale(Date.now() - heardAt > SILENCE_MS ? new Date(heardAt) : null), 1000);
}
