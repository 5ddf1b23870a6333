// What the players' clocks show: the same arithmetic as the recorder's, for display alone.

import { duration } from "./words.js";

/** Return what a side has left after so many more seconds: {seconds, periods?, moves?}. */
export function left({ control, ...sides }, color, elapsed) {
  const side = color === "B" ? sides.black : sides.white;
  const main = side.main_s - elapsed;
  if (main > 0) return { seconds: main };
  if (control.kind === "byo-yomi") return leftOfPeriods(side, control.period_s, -main);
  if (control.kind === "blocks") return leftOfBlock(side, control, -main);
  return { seconds: 0 };
}

function leftOfPeriods(side, period, over) {
  let used = side.used_s + over;
  let { periods } = side;
  while (periods > 0 && used >= period) {
    used -= period;
    periods -= 1;
  }
  return { seconds: periods ? period - used : 0, periods };
}

function leftOfBlock(side, control, over) {
  const isOpen = side.moves_left > 0;
  const block = isOpen ? side.block_s : control.block_s;
  const moves = isOpen ? side.moves_left : control.block_moves;
  return { seconds: Math.max(0, block - over), moves };
}

/** Return the text of a side's clock at a moment, "" where there is no clock. */
export function clockText(state, color, now = Date.now()) {
  if (!state.clock) return "";
  const isRunning = state.clock.running === color && state.phase === "playing";
  const elapsed = isRunning ? Math.max(0, (now - state.clockAt) / 1000) : 0;
  const { seconds, periods, moves } = left(state.clock, color, elapsed);
  // A clock shows 0:00 only when nothing is left.
  const time = duration(Math.ceil(seconds - 1e-6));
  if (periods) return `${time} ×${periods}`;
  return moves ? `${time} / ${moves}` : time;
}

/** Return the calls of Chinese byo-yomi that fall between two moments of a running clock. */
export function callsBetween(control, before, after) {
  if (control.kind !== "byo-yomi" || after.periods === undefined) return [];
  const period = control.period_s;
  const used = (side) => (side.periods === undefined ? 0 : period - side.seconds);
  if (before.periods !== undefined && before.periods > after.periods) {
    return after.periods ? [{ kind: "left", number: after.periods }] : [{ kind: "count", number: 10 }];
  }
  const isLast = after.periods === 1;
  const times = (isLast ? [30, 20, 10] : [30, 20, 10, 5, 2]).map((rest) => ({
    at: period - rest, kind: "seconds", number: period - rest,
  }));
  for (let number = 1; isLast && number < 10; number += 1) {
    times.push({ at: period - 10 + number, kind: "count", number });
  }
  return times.filter(({ at }) => at > 0 && used(before) < at && at <= used(after));
}
