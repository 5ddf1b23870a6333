// Follows the public state: through the worker shared by all pages, or alone where there is none.

import { Feed, SILENCE_MS } from "./feed.js";

const STALE_AFTER_LOST_MS = 2500;

/**
 * Call `tell({message?, state})` whenever the state is new and `tellStale(since | null)` when what
 * is shown may be behind (since: a Date) or no longer is, and `tellFresh(boolean)` with what the
 * server says about its camera.
 */
export function follow({ state, tell, tellStale, tellFresh }) {
  const [worker, events, snapshot] = [
    new URL("./feed-worker.js", import.meta.url),
    new URL("events", location.href).href,
    new URL("state.json", location.href).href,
  ];
  let heardAt = Date.now();
  let lostAt = null;
  let stale = false;

  const check = () => {
    const now = Date.now();
    const lost = lostAt !== null && now - lostAt > STALE_AFTER_LOST_MS;
    const isStale = lost || now - heardAt > SILENCE_MS;
    if (isStale !== stale) tellStale(isStale ? new Date(heardAt) : null);
    stale = isStale;
  };
  const take = (news) => {
    if (news.isLost) {
      lostAt ??= Date.now();
    } else {
      heardAt = Date.now();
      lostAt = null;
      if (news.state) tell(news);
      if (news.beat) tellFresh(news.beat.is_fresh);
    }
    check();
  };
  setInterval(check, 1000);

  const options = { events, snapshot, state };
  if (!("SharedWorker" in window)) return followAlone(options, take);
  const shared = new SharedWorker(worker, { type: "module", name: `banmen-feed ${events}` });
  shared.onerror = () => followAlone(options, take);
  shared.port.onmessage = ({ data }) => take(data);
  shared.port.postMessage(options);
  window.addEventListener("pagehide", () => shared.port.postMessage({ leave: true }));
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) shared.port.postMessage(options);
  });
}

function followAlone(options, take) {
  const feed = new Feed({ ...options, tell: take });
  feed.open();
  // Nobody looks at a hidden page: it gives its connection back.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) feed.close();
    else feed.open();
  });
}
