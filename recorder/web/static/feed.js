// Keeps one copy of the public state up to date over one event stream, and says when it cannot.
//
// Used by a page or by the worker that several pages share. A phone that slept leaves a stream
// that is dead without an error: the server beats every 15 s, so silence is noticed here.

import { applyMessage } from "./game.js";

export const SILENCE_MS = 18000;
const RETRY_MS = [500, 1000, 2000, 4000, 5000];
const FULL_RETRY_MS = 5000;

/** Return a state with the browser's time at which its clocks were as it says. */
export function stamped(state, message) {
  const age = message.state ? state.clock_age : 0;
  return { ...state, clockAt: Date.now() - 1000 * age };
}

export class Feed {
  /** `tell` gets {state}, {message, state}, {beat}, or {isLost} whenever that is new. */
  constructor({ events, snapshot, state = null, tell }) {
    Object.assign(this, { events, snapshot, state, tell });
    this.failures = 0;
    this.isLost = false;
  }

  open() {
    this.#drop();
    this.isWanted = true;
    this.heardAt = Date.now();
    const after = this.state ? `?after=${encodeURIComponent(this.state.id)}` : "";
    const source = new EventSource(this.events + after);
    this.source = source;
    source.onopen = () => this.#heard();
    source.onmessage = (event) => this.#take(event);
    source.addEventListener("beat", (event) => {
      this.#heard();
      this.tell({ beat: JSON.parse(event.data) });
    });
    source.onerror = () => this.#fail(source);
    this.watch = setInterval(() => {
      if (Date.now() - this.heardAt > SILENCE_MS) this.#fail(source);
    }, 1000);
  }

  close() {
    this.isWanted = false;
    this.#drop();
  }

  #drop() {
    this.source?.close();
    this.source = null;
    clearInterval(this.watch);
    clearTimeout(this.retry);
  }

  #heard() {
    this.heardAt = Date.now();
    this.failures = 0;
    if (!this.isLost) return;
    this.isLost = false;
    this.tell({ isLost: false });
  }

  #take(event) {
    this.#heard();
    const message = JSON.parse(event.data);
    if (!message.state && !this.state) return;
    this.state = { ...applyMessage(this.state, message), id: event.lastEventId };
    // From here on the clocks run by this browser's time.
    if (message.state || message.set?.clock) this.state = stamped(this.state, message);
    this.tell({ message, state: this.state });
  }

  async #fail(source) {
    if (source !== this.source) return;
    this.#drop();
    // The stream may be refused because all places are taken while the server is well: then
    // the snapshot, asked for again and again, does nearly as well.
    const state = await this.#fetchSnapshot();
    if (this.source || !this.isWanted) return;
    if (state) {
      this.#heard();
      this.state = stamped(state, { state });
      this.tell({ state: this.state });
    } else if (!this.isLost) {
      this.isLost = true;
      this.tell({ isLost: true });
    }
    const wait = state ? FULL_RETRY_MS : RETRY_MS[Math.min(this.failures, RETRY_MS.length - 1)];
    this.failures += 1;
    // Spread out, so that a hall of phones does not come back in one instant.
    this.retry = setTimeout(() => this.open(), wait * (0.75 + 0.5 * Math.random()));
  }

  async #fetchSnapshot() {
    try {
      const answer = await fetch(this.snapshot, { cache: "no-store" });
      return answer.ok ? await answer.json() : null;
    } catch {
      return null;
    }
  }
}
