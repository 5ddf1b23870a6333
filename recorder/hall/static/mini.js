// Draws a position small and fast: hundreds of boards on one page would be too many elements.

import { starPoints } from "/static/board.js";

const WOOD = "#e3b973";
const LINE = "#4a300f";
const FILL = { X: "#17181b", O: "#fbfaf6" };
const PIXELS = 380;

/** Draw a position, one letter a point (X, O or a dot), with a mark on the last stone. */
export function drawMini(canvas, { size, position, last }) {
  canvas.width = PIXELS;
  canvas.height = PIXELS;
  const pen = canvas.getContext("2d");
  const cell = PIXELS / (size + 0.4);
  const at = (line) => (line + 0.7) * cell;
  pen.fillStyle = WOOD;
  pen.fillRect(0, 0, PIXELS, PIXELS);
  drawLines(pen, size, at);
  for (let place = 0; place < position.length; place += 1) {
    const color = position[place];
    if (color === ".") continue;
    const [x, y] = [at(place % size), at(Math.floor(place / size))];
    disc(pen, x, y, cell * 0.47, FILL[color]);
    if (color === "O") ring(pen, x, y, cell * 0.47, "#8f887a", 1);
    if (place === last) ring(pen, x, y, cell * 0.24, color === "X" ? "#ff5a45" : "#d0271a", cell * 0.14);
  }
}

function drawLines(pen, size, at) {
  pen.strokeStyle = LINE;
  pen.lineWidth = 1;
  pen.beginPath();
  for (let i = 0; i < size; i += 1) {
    pen.moveTo(at(0), at(i));
    pen.lineTo(at(size - 1), at(i));
    pen.moveTo(at(i), at(0));
    pen.lineTo(at(i), at(size - 1));
  }
  pen.stroke();
  for (const [row, col] of starPoints(size)) disc(pen, at(col), at(row), 2.6, LINE);
}

function disc(pen, x, y, radius, color) {
  pen.fillStyle = color;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}

function ring(pen, x, y, radius, color, width) {
  pen.strokeStyle = color;
  pen.lineWidth = width;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.stroke();
}
