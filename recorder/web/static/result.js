// An SGF result in words.

import { fill } from "./words.js";

const REASONS = { R: "wins_resignation", T: "wins_time", F: "wins_forfeit" };
const QUARTERS = { 0.25: "1/4", 0.5: "1/2", 0.75: "3/4" };

/** Return "Black wins by 3.5 points", "黑胜 1又3/4 子" and so on; "" for no result. */
export function resultText(result, ruleset, words, language) {
  if (!result) return "";
  if (result === "0" || result === "Draw" || result === "Jigo") return words.draw;
  const [winner, margin = ""] = result.split("+");
  if (winner !== "B" && winner !== "W") return words.void;
  const name = winner === "B" ? words.black_short : words.white_short;
  if (REASONS[margin]) return fill(words[REASONS[margin]], name);
  if (!Number(margin)) return fill(words.wins, name);
  return fill(words.wins_by, name, marginText(Number(margin), ruleset, words, language));
}

function marginText(points, ruleset, words, language) {
  // By the Chinese rules a win is counted in stones above half the board: half the points.
  if (language !== "zh" || !ruleset.startsWith("chinese")) return fill(words.points, points);
  const stones = points / 2;
  const part = QUARTERS[stones % 1];
  const whole = Math.floor(stones);
  if (!part) return fill(words.stones, stones);
  return fill(words.stones, whole ? `${whole}又${part}` : part);
}
