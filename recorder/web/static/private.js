// What the private pages share: sending with the session's token, asking first, following.

import { fill } from "./words.js";

const SILENCE_MS = 12000;
const element = (id) => document.getElementById(id);

/** Return a function that posts JSON and gives the answer with its `status`, 0 if none came. */
export function poster(session) {
  const headers = { "Content-Type": "application/json", "X-Banmen-Token": session.token };
  return async (path, fields) => {
    try {
      const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(fields) });
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

let toastTimer = 0;

/** Show a sentence for a few seconds. */
export function toast(text) {
  element("toast").textContent = text;
  element("toast").hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { element("toast").hidden = true; }, 7000);
}

/** Call `tell(state)` with each new state, and `tellStale(since | null)` every second. */
export function followPrivate(address, { tell, tellStale }) {
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
    source.addEventListener("beat", heard);
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
