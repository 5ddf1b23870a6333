// Draws a goban as SVG: wood, lines, stones, marks. Knows nothing of games or pages.

import { COLUMNS, parseVertex } from "./game.js";

const SVG = "http://www.w3.org/2000/svg";
const CELL = 40; // one line spacing, in the picture's own units
const RADIUS = 19.2;
let boards = 0;

function make(parent, name, attributes = {}, text = null) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== null) element.textContent = text;
  parent.append(element);
  return element;
}

/** Return the marked points of a goban as [row, col]. */
export function starPoints(size) {
  if (size < 7) return size % 2 ? [[(size - 1) / 2, (size - 1) / 2]] : [];
  const near = size < 13 ? 2 : 3;
  const far = size - 1 - near;
  const points = [[near, near], [near, far], [far, near], [far, far]];
  if (size % 2 === 0) return points;
  const middle = (size - 1) / 2;
  points.push([middle, middle]);
  if (size >= 15) points.push([near, middle], [far, middle], [middle, near], [middle, far]);
  return points;
}

export class BoardView {
  /** Draw an empty goban into a host element; `wood: false` leaves the ground transparent. */
  constructor(host, { size = 19, coordinates = true, wood = true } = {}) {
    this.host = host;
    this.options = { coordinates, wood };
    this.resize(size);
  }

  /** Start again with another number of lines. */
  resize(size) {
    this.size = size;
    this.id = `goban${(boards += 1)}`;
    this.drawn = new Map();
    const pad = this.options.coordinates ? 1.56 * CELL : 0.8 * CELL;
    const span = (size - 1) * CELL;
    this.pad = pad;
    this.extent = span + 2 * pad;
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", `0 0 ${this.extent} ${this.extent}`);
    svg.setAttribute("role", "img");
    svg.classList.add("goban");
    this.svg = svg;
    this.#define();
    if (this.options.wood) this.#drawWood();
    this.#drawLines();
    this.coordinateLayer = make(svg, "g", { class: "coordinates" });
    if (this.options.coordinates) this.#drawCoordinates();
    this.shadowLayer = make(svg, "g");
    this.stoneLayer = make(svg, "g");
    this.markLayer = make(svg, "g");
    this.host.replaceChildren(svg);
  }

  #define() {
    const defs = make(this.svg, "defs");
    const gradient = (name, stops, place) => {
      const g = make(defs, "radialGradient", { id: `${this.id}-${name}`, ...place });
      for (const [offset, color, opacity = 1] of stops) {
        make(g, "stop", { offset, "stop-color": color, "stop-opacity": opacity });
      }
    };
    const light = { cx: 0.36, cy: 0.3, r: 0.78 };
    gradient("B", [[0, "#6b6d72"], [0.28, "#34363a"], [0.7, "#17181b"], [1, "#060607"]], light);
    gradient("W", [[0, "#ffffff"], [0.55, "#f6f4ee"], [0.85, "#dcd8cd"], [1, "#bdb8ab"]], light);
    gradient("shadow", [[0.72, "#2a1500", 0.5], [1, "#2a1500", 0]], {});
    const wood = make(defs, "linearGradient", { id: `${this.id}-wood`, x1: 0, y1: 0, x2: 1, y2: 1 });
    for (const [offset, color] of [[0, "#ecc888"], [0.5, "#e3b973"], [1, "#d9ab62"]]) {
      make(wood, "stop", { offset, "stop-color": color });
    }
  }

  #drawWood() {
    const whole = this.extent;
    const ground = { x: 0, y: 0, width: whole, height: whole, rx: 10 };
    make(this.svg, "rect", { ...ground, fill: `url(#${this.id}-wood)` });
    // A quiet grain: long, slightly bent strokes, the same on every screen.
    const grain = make(this.svg, "g", { fill: "none", stroke: "#8a5a1c", class: "grain" });
    for (let i = 0; i < 46; i += 1) {
      const y = (whole * (i + 0.5)) / 46 + 7 * Math.sin(i * 2.4);
      const bend = 9 * Math.sin(i * 1.7);
      const d = `M0 ${y.toFixed(1)} C${whole * 0.3} ${(y + bend).toFixed(1)} ${whole * 0.7} ${(y - bend).toFixed(1)} ${whole} ${(y + bend / 2).toFixed(1)}`;
      const weight = 0.7 + 1.3 * Math.abs(Math.sin(i * 3.1));
      make(grain, "path", { d, "stroke-width": weight.toFixed(2), opacity: 0.11 });
    }
  }

  #drawLines() {
    const { pad, size } = this;
    const end = pad + (size - 1) * CELL;
    const lines = make(this.svg, "g", { class: "lines" });
    for (let i = 1; i < size - 1; i += 1) {
      const at = pad + i * CELL;
      make(lines, "path", { d: `M${pad} ${at}H${end}M${at} ${pad}V${end}` });
    }
    make(lines, "rect", { x: pad, y: pad, width: end - pad, height: end - pad, class: "rim" });
    for (const [row, col] of starPoints(size)) {
      make(lines, "circle", { cx: pad + col * CELL, cy: pad + row * CELL, r: 4.6, class: "star" });
    }
  }

  #drawCoordinates() {
    const { pad, size, extent } = this;
    const off = 0.56 * CELL;
    for (let i = 0; i < size; i += 1) {
      const at = pad + i * CELL;
      for (const side of [off, extent - off]) {
        make(this.coordinateLayer, "text", { x: at, y: side }, COLUMNS[i]);
        make(this.coordinateLayer, "text", { x: side, y: at }, String(size - i));
      }
    }
  }

  /** Show a position as `game.positionAt` returns it; only what differs is drawn again. */
  show(position, { numbers = false, label = "" } = {}) {
    const { stones, last } = position;
    for (const [vertex, drawn] of this.drawn) {
      if (stones.get(vertex)?.color === drawn.color) continue;
      drawn.shadow.remove();
      drawn.stone.remove();
      this.drawn.delete(vertex);
    }
    for (const [vertex, { color }] of stones) {
      if (!this.drawn.has(vertex)) this.drawn.set(vertex, this.#drawStone(vertex, color));
    }
    this.markLayer.replaceChildren();
    if (numbers) this.#drawNumbers(stones, last);
    else if (last?.point && stones.has(last.point)) this.#markLast(last);
    this.svg.setAttribute("aria-label", label);
  }

  #place(vertex) {
    const { row, col } = parseVertex(vertex, this.size);
    return { x: this.pad + col * CELL, y: this.pad + row * CELL };
  }

  #drawStone(vertex, color) {
    const { x, y } = this.#place(vertex);
    const shadow = make(this.shadowLayer, "circle", {
      cx: x + 1.6, cy: y + 2.8, r: RADIUS * 1.12, fill: `url(#${this.id}-shadow)`,
    });
    const stone = make(this.stoneLayer, "circle", {
      cx: x, cy: y, r: RADIUS, fill: `url(#${this.id}-${color})`, class: `stone ${color}`,
    });
    stone.dataset.vertex = vertex;
    return { color, shadow, stone };
  }

  #markLast({ point, color }) {
    const { x, y } = this.#place(point);
    make(this.markLayer, "circle", { cx: x, cy: y, r: RADIUS * 0.46, class: `last on-${color}` });
  }

  #drawNumbers(stones, last) {
    for (const [vertex, { color, number }] of stones) {
      if (!number) continue;
      const { x, y } = this.#place(vertex);
      const newest = number === last?.number ? " newest" : "";
      const digits = ` digits${String(number).length}`;
      make(this.markLayer, "text", { x, y, class: `number on-${color}${digits}${newest}` }, number);
    }
  }

  /** Call `pick(vertex)` when a point is clicked or tapped. */
  onPick(pick) {
    this.svg.classList.add("is-pickable");
    this.svg.addEventListener("click", (event) => {
      const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(
        this.svg.getScreenCTM().inverse(),
      );
      const [col, row] = [x, y].map((value) => Math.round((value - this.pad) / CELL));
      const isOn = (value) => value >= 0 && value < this.size;
      if (isOn(row) && isOn(col)) pick(`${COLUMNS[col]}${this.size - row}`);
    });
  }

  /** Show only the part around some points, at least `lines` lines wide; for small diagrams. */
  focus(vertices, lines = 9) {
    const places = vertices.map((vertex) => parseVertex(vertex, this.size));
    if (!places.length || lines >= this.size) return;
    const start = (axis) => {
      const values = places.map((place) => place[axis]);
      const [low, high] = [Math.min(...values), Math.max(...values)];
      const width = Math.max(lines, high - low + 3);
      const first = Math.round((low + high) / 2 - (width - 1) / 2);
      return { width, first };
    };
    const [row, col] = [start("row"), start("col")];
    const width = Math.min(Math.max(row.width, col.width), this.size);
    const corner = (axis) => {
      const middle = axis.first + (axis.width - 1) / 2;
      const first = Math.round(middle - (width - 1) / 2);
      const kept = Math.max(0, Math.min(first, this.size - width));
      return this.pad + (kept - 0.7) * CELL;
    };
    const extent = (width - 1 + 1.4) * CELL;
    this.svg.setAttribute("viewBox", `${corner(col)} ${corner(row)} ${extent} ${extent}`);
  }

  /** Mark whose points are whose, for the count: small squares of the owner's color. */
  areas(byColor) {
    const side = RADIUS * 0.62;
    for (const [color, vertices] of Object.entries(byColor)) {
      for (const vertex of vertices) {
        const { x, y } = this.#place(vertex);
        const square = { x: x - side / 2, y: y - side / 2, width: side, height: side };
        make(this.markLayer, "rect", { ...square, class: `area area-${color}` });
      }
    }
  }

  /** Mark points that both share. */
  halves(vertices) {
    for (const vertex of vertices) {
      const { x, y } = this.#place(vertex);
      make(this.markLayer, "circle", { cx: x, cy: y, r: RADIUS * 0.34, class: "half-point" });
    }
  }

  /** Cross stones out. */
  crosses(vertices) {
    const arm = RADIUS * 0.55;
    for (const vertex of vertices) {
      const { x, y } = this.#place(vertex);
      const d = `M${x - arm} ${y - arm}L${x + arm} ${y + arm}M${x - arm} ${y + arm}L${x + arm} ${y - arm}`;
      make(this.markLayer, "path", { d, class: "cross" });
    }
  }

  /** Mark points with a ring, for diagrams. */
  ring(vertices) {
    for (const vertex of vertices) {
      const { x, y } = this.#place(vertex);
      make(this.markLayer, "circle", { cx: x, cy: y, r: RADIUS * 1.12, class: "ring" });
    }
  }
}
