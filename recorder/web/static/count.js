// The count: dead stones and shared points are tapped, the recorder counts, a person enters it.

import { BoardView } from "./board.js";
import { make } from "./dom.js";
import { parseVertex, COLUMNS } from "./game.js";
import { positionOf } from "./private.js";
import { fill } from "./words.js";

const element = (id) => document.getElementById(id);

export class CountDialog {
  /** `post(path, fields)` asks the recorder; `enter({dead, shared})` puts the count into the log. */
  constructor({ words, language, post, enter }) {
    Object.assign(this, { words, language, post, enter });
    this.dialog = element("count");
    element("count-enter").addEventListener("click", () => this.#enter());
    element("count-again").addEventListener("click", () => this.#ask({}));
  }

  /** Open for a position {size, official}, beginning with what was entered last, if anything. */
  open({ size, official, minutes }) {
    Object.assign(this, { size, official });
    this.stones = positionOf(official).stones;
    this.board = new BoardView(element("count-board"), { size });
    this.board.onPick((vertex) => this.#toggle(vertex));
    element("count-summary").replaceChildren();
    this.dialog.showModal();
    const before = minutes.count;
    this.#ask(before ? { dead: before.dead, shared: before.shared } : {});
  }

  async #ask(marks) {
    const answer = await this.post("/referee/count", marks);
    if (answer.status !== 200) {
      element("count-summary").textContent = fill(this.words.failed, answer.error ?? answer.status);
      return;
    }
    this.counted = answer;
    this.#show();
  }

  #toggle(vertex) {
    const { dead, shared } = this.counted;
    if (!this.stones.has(vertex)) {
      const isShared = shared.includes(vertex);
      this.#ask({ dead, shared: isShared ? shared.filter((other) => other !== vertex) : [...shared, vertex] });
      return;
    }
    const chain = this.#chain(vertex);
    const rest = dead.filter((other) => !chain.has(other));
    this.#ask({ shared, dead: dead.includes(vertex) ? rest : [...dead, vertex] });
  }

  /** Return the vertices of the chain at a stone. */
  #chain(vertex) {
    const { color } = this.stones.get(vertex);
    const found = new Set([vertex]);
    const toVisit = [vertex];
    while (toVisit.length) {
      const { row, col } = parseVertex(toVisit.pop(), this.size);
      for (const [r, c] of [[row - 1, col], [row + 1, col], [row, col - 1], [row, col + 1]]) {
        const next = `${COLUMNS[c] ?? ""}${this.size - r}`;
        if (found.has(next) || this.stones.get(next)?.color !== color) continue;
        found.add(next);
        toVisit.push(next);
      }
    }
    return found;
  }

  #show() {
    const { words, counted } = this;
    this.board.show({ stones: this.stones, last: null }, { label: words.count });
    this.board.areas({ B: counted.black.surrounded, W: counted.white.surrounded });
    this.board.halves([...counted.shared, ...counted.neutral]);
    this.board.crosses(counted.dead);
    const line = (name, side) => {
      const warned = side.warnings ? ` · ${fill(words.count_warnings, side.warnings)}` : "";
      return make("li", {}, `${name}: ${side.total}${warned}`);
    };
    element("count-summary").replaceChildren(
      make("ul", {},
        line(words.black, counted.black),
        line(words.white, counted.white),
        make("li", {}, fill(words.count_komi, counted.komi)),
      ),
      make("p", { class: "count-result" }, counted.words[this.language.startsWith("zh") ? "zh" : "en"]),
    );
  }

  async #enter() {
    const { dead, shared } = this.counted;
    if (await this.enter({ dead, shared })) this.dialog.close();
  }
}
