// Sound and vibration: two rising tones, made here so that nothing has to be loaded.

const AGAIN_MS = 60000;
let audio = null;

/** Let sounds play; browsers allow that only after the visitor has touched the page. */
async function unlock() {
  audio ??= new AudioContext();
  await audio.resume();
  return audio.state === "running";
}

function isUnlocked() {
  return audio?.state === "running";
}

/** Let a button, or the first touch of the page, turn the sound on; the button then says so. */
export function offerSound(button, words) {
  const turnOn = async () => {
    if (!(await unlock())) return;
    button.textContent = words.sound_is_on;
    button.setAttribute("aria-pressed", "true");
    ring();
  };
  button.addEventListener("click", turnOn);
  document.addEventListener("pointerdown", () => { if (!isUnlocked()) turnOn(); }, { once: true });
}

/** Sound and vibrate once. */
function ring() {
  navigator.vibrate?.([300, 120, 300]);
  if (!isUnlocked()) return;
  for (const [place, pitch] of [660, 880, 660, 880].entries()) tone(pitch, place * 0.22);
}

function tone(pitch, delay) {
  const start = audio.currentTime + delay;
  const oscillator = audio.createOscillator();
  const volume = audio.createGain();
  oscillator.frequency.value = pitch;
  volume.gain.setValueAtTime(0.0001, start);
  volume.gain.exponentialRampToValueAtTime(0.4, start + 0.02);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.2);
  oscillator.connect(volume).connect(audio.destination);
  oscillator.start(start);
  oscillator.stop(start + 0.21);
}

/** Rings for what is urgent: at once, and every minute for as long as nobody has seen it. */
export class Alarm {
  constructor() {
    this.rungAt = new Map();
  }

  /** Take note of what is urgent now (keys); ring if something is new or has waited too long. */
  update(keys, now = Date.now()) {
    for (const key of this.rungAt.keys()) if (!keys.includes(key)) this.rungAt.delete(key);
    const due = keys.filter((key) => now - (this.rungAt.get(key) ?? -Infinity) >= AGAIN_MS);
    for (const key of due) this.rungAt.set(key, now);
    if (due.length) ring();
  }
}
