// One stream for all pages of this browser that show the same game: over plain http a browser opens six connections to a
// server, so the seventh page would hang if each held its own stream.

import { Feed } from "./feed.js";

const ports = new Set();
let feed = null;

function tellAll(news) {
  for (const port of ports) port.postMessage(news);
}

function join(port, { events, snapshot, state }) {
  ports.add(port);
  if (!feed) {
    feed = new Feed({ events, snapshot, state, tell: tellAll });
    feed.open();
  }
  if (feed.state) port.postMessage({ state: feed.state });
  if (feed.isLost) port.postMessage({ isLost: true });
}

function leave(port) {
  ports.delete(port);
  if (ports.size) return;
  feed?.close();
  feed = null;
}

self.addEventListener("connect", ({ ports: [port] }) => {
  port.onmessage = ({ data }) => (data.leave ? leave(port) : join(port, data));
});
