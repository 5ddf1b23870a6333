// The game as the public messages tell it: pure functions over plain values, no page.
//
// A line is a list of nodes in order: moves {color, point | null, captured, at, elapsed} and
// corrections {black, white, empty} that belong to the position after the move before them.

export const COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

/** Return {row, col}, 0-based from the upper left, of a vertex such as "Q16". */
export function parseVertex(vertex, size) {
  return { row: size - Number(vertex.slice(1)), col: COLUMNS.indexOf(vertex[0]) };
}

/** Return the state after a message; the state before is not changed. */
export function applyMessage(state, message) {
  if (message.state) return message.state;
  const line = state.line.slice(0, message.keep).concat(message.line);
  return { ...state, ...message.set, line };
}

/** Return the moves of a line, numbered from 1 by their place. */
export function movesOf(state) {
  return state.line.filter((node) => "color" in node);
}

/**
 * Return the position after `number` moves: stones by vertex with the number of the move that put
 * them there (0: set up), the last move, and the prisoners each color has taken.
 */
export function positionAt(state, number) {
  const stones = new Map();
  const prisoners = { B: 0, W: 0 };
  let last = null;
  let played = 0;
  put(stones, state.setup);
  for (const node of state.line) {
    if ("color" in node) {
      if (played === number) break;
      played += 1;
      last = { ...node, number: played };
      if (node.point) stones.set(node.point, { color: node.color, number: played });
      for (const vertex of node.captured) take(stones, vertex, prisoners);
    } else {
      put(stones, node);
    }
  }
  return { stones, last, prisoners, number: played };
}

function put(stones, change) {
  for (const vertex of change.empty ?? []) stones.delete(vertex);
  for (const vertex of change.black ?? []) stones.set(vertex, { color: "B", number: 0 });
  for (const vertex of change.white ?? []) stones.set(vertex, { color: "W", number: 0 });
}

function take(stones, vertex, prisoners) {
  const stone = stones.get(vertex);
  if (!stone) return;
  stones.delete(vertex);
  prisoners[stone.color === "B" ? "W" : "B"] += 1;
}
