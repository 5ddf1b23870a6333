// What has moved and needs a person: a sentence on the desk while it lasts.

import { embedded } from "./words.js";

const EVERY_MS = 5000;
const words = embedded("words");

async function look() {
  if (document.hidden) return;
  try {
    const answer = await fetch("/check/movements.json");
    if (!answer.ok) return;
    const { alert } = await answer.json();
    const notice = document.getElementById("moved");
    notice.textContent = alert ? words[`needs_${alert.kind}`] ?? words.needs_bump : "";
    notice.hidden = !alert;
  } catch {
    // The device does not answer just now: the desk says so itself, and it is asked again.
  }
}

look();
setInterval(look, EVERY_MS);
