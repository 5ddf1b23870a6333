// Corners by hand: four marks on a picture, a magnifier under the finger, snapping, and a trial.

import { poster, toast } from "./private.js";
import { embedded, fill } from "./words.js";

const ZOOM = 4;
const words = embedded("words");
const element = (id) => document.getElementById(id);
const post = poster(embedded("session"));
const marks = [...document.querySelectorAll(".mark")];
const image = element("frame");

let frame = null; // what the server told about the picture
let corners = []; // [x, y] in the picture's pixels
let trial = null;
let placed = new Set(); // the marks that are about where they belong

// Between the picture's pixels and the page

/** Return the picture's pixels under a place of the window. */
function pixelsAt(clientX, clientY) {
  const box = image.getBoundingClientRect();
  const clamp = (value, most) => Math.min(Math.max(value, 0), most - 1);
  return [
    clamp(((clientX - box.left) / box.width) * frame.width - 0.5, frame.width),
    clamp(((clientY - box.top) / box.height) * frame.height - 0.5, frame.height),
  ];
}

const percent = ([x, y]) => [((x + 0.5) / frame.width) * 100, ((y + 0.5) / frame.height) * 100];

// The grid through four corners

/** Return the map of the unit square onto four corners (Heckbert 1989, section 2.2.3). */
function squareTo([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]) {
  const [dx1, dx2, dx3] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
  const [dy1, dy2, dy3] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
  const area = dx1 * dy2 - dx2 * dy1;
  const g = (dx3 * dy2 - dx2 * dy3) / area;
  const h = (dx1 * dy3 - dx3 * dy1) / area;
  const [a, b, d, e] = [x1 - x0 + g * x1, x3 - x0 + h * x3, y1 - y0 + g * y1, y3 - y0 + h * y3];
  return (u, v) => {
    const depth = g * u + h * v + 1;
    return [(a * u + b * v + x0) / depth, (d * u + e * v + y0) / depth];
  };
}

function render() {
  marks.forEach((mark, k) => {
    const [left, top] = percent(corners[k]);
    mark.style.left = `${left}%`;
    mark.style.top = `${top}%`;
  });
  const map = squareTo(corners);
  const last = Number(element("size").value) - 1;
  const line = (from, to) => `M${map(...from).map((n) => n + 0.5).join()}L${map(...to).map((n) => n + 0.5).join()}`;
  const lines = [];
  for (let k = 0; k <= last; k += 1) {
    lines.push(line([0, k / last], [1, k / last]), line([k / last, 0], [k / last, 1]));
  }
  element("grid").setAttribute("d", lines.join(""));
}

function change(k, place) {
  corners[k] = place;
  forgetTrial();
  render();
}

function forgetTrial() {
  trial = null;
  element("tried").hidden = true;
}

/**
 * Snap a mark that was let go. Lines can only be told apart once all four marks are about right:
 * until then they tell nothing about how far lines lie apart.
 */
async function settle(k) {
  const wasComplete = placed.size === 4;
  placed.add(k);
  if (placed.size < 4) return;
  for (const index of wasComplete ? [k] : [0, 1, 2, 3]) await snap(index);
}

/** Move a mark to the crossing nearest to it. */
async function snap(k) {
  const [x, y] = corners[k];
  const size = Number(element("size").value);
  const answer = await post("/corners/snap", { frame: frame.frame, corners, size, index: k });
  const isStillThere = corners[k][0] === x && corners[k][1] === y;
  if (answer.status === 200 && isStillThere) change(k, [answer.x, answer.y]);
}

// The magnifier

function magnify(k) {
  const canvas = element("magnifier");
  const side = canvas.width / ZOOM;
  const [x, y] = corners[k];
  const context = canvas.getContext("2d");
  context.imageSmoothingEnabled = false;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, x + 0.5 - side / 2, y + 0.5 - side / 2, side, side, 0, 0, canvas.width, canvas.height);
  context.strokeStyle = "#ff2d2d";
  context.beginPath();
  context.moveTo(canvas.width / 2, 0);
  context.lineTo(canvas.width / 2, canvas.height);
  context.moveTo(0, canvas.height / 2);
  context.lineTo(canvas.width, canvas.height / 2);
  context.stroke();
  // Away from the finger: in the corner of the picture that is farther off.
  const isLeft = x < frame.width / 2;
  const isTop = y < frame.height / 2;
  canvas.style.left = isLeft ? "auto" : "8px";
  canvas.style.right = isLeft ? "8px" : "auto";
  canvas.style.top = isTop ? "auto" : "8px";
  canvas.style.bottom = isTop ? "8px" : "auto";
  canvas.hidden = false;
}

function hold(mark, k) {
  let grip = null; // from the pointer to the mark's middle
  mark.addEventListener("pointerdown", (event) => {
    if (!frame) return;
    event.preventDefault();
    mark.focus();
    mark.setPointerCapture(event.pointerId);
    mark.classList.add("is-held");
    const [x, y] = pixelsAt(event.clientX, event.clientY);
    grip = [corners[k][0] - x, corners[k][1] - y];
    magnify(k);
  });
  mark.addEventListener("pointermove", (event) => {
    if (!grip) return;
    const [x, y] = pixelsAt(event.clientX, event.clientY);
    change(k, [x + grip[0], y + grip[1]]);
    magnify(k);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    mark.addEventListener(end, () => {
      if (!grip) return;
      grip = null;
      mark.classList.remove("is-held");
      element("magnifier").hidden = true;
      settle(k);
    });
  }
  mark.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step || !frame) return;
    event.preventDefault();
    const far = event.shiftKey ? 10 : 1;
    change(k, [corners[k][0] + far * step[0], corners[k][1] + far * step[1]]);
    magnify(k);
  });
  mark.addEventListener("blur", () => { element("magnifier").hidden = true; });
}

// Taking pictures, trying, keeping

function tell(text) {
  element("news").textContent = text;
  element("news").hidden = !text;
}

async function freeze() {
  forgetTrial();
  const answer = await post("/corners/frame", {});
  if (answer.status !== 200) {
    tell(answer.status === 503 ? words.no_picture : fill(words.failed, answer.error ?? answer.status));
    return;
  }
  image.src = `/corners/frame-${answer.frame}.jpg`;
  await image.decode();
  frame = answer;
  corners = answer.corners;
  placed = new Set(answer.is_found ? [0, 1, 2, 3] : []);
  element("lines").setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
  element("size").value = String(answer.size);
  tell(answer.is_found ? words.found : words.not_found);
  render();
}

async function tryOut() {
  const answer = await post("/corners/try", {
    frame: frame.frame, corners, size: Number(element("size").value), black: element("black").value,
  });
  if (answer.status !== 200) {
    toast(fill(words.failed, answer.error ?? answer.status));
    return;
  }
  trial = answer.trial;
  const { B, W } = answer.stones;
  element("told").textContent = `${words[`by_${answer.by}`]} ${fill(words.stones, B, W)}`;
  element("picture").src = `/corners/tried-${trial}.jpg`;
  element("tried").hidden = false;
  element("tried").dataset.rows = answer.rows.join("\n");
  element("keep").scrollIntoView({ block: "nearest" });
}

async function keep() {
  const answer = await post("/corners/keep", { trial });
  if (answer.status === 200) toast(words.kept);
  else toast(fill(words.failed, answer.error ?? answer.status));
}

marks.forEach(hold);
element("size").addEventListener("change", () => { forgetTrial(); if (frame) render(); });
element("black").addEventListener("change", forgetTrial);
element("again").addEventListener("click", freeze);
element("try").addEventListener("click", () => { if (frame) tryOut(); });
element("keep").addEventListener("click", keep);
freeze();
