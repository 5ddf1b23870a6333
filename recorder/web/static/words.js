// The words of the page's language and what the server put into the page.

/** Return a text with {0}, {1}... filled in. */
export function fill(text, ...values) {
  return text.replace(/\{(\d)\}/g, (_, place) => values[Number(place)]);
}

/** Return the value of a JSON block of the page. */
export function embedded(id) {
  return JSON.parse(document.getElementById(id).textContent);
}

/** Return a time of day as the visitor's clock shows it, "" for an unknown one. */
export function timeOfDay(moment, language) {
  const date = moment instanceof Date ? moment : new Date(moment);
  if (Number.isNaN(date.getTime())) return "";
  const options = { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false };
  return date.toLocaleTimeString(language, options);
}

/** Return seconds as 1:02:03 or 2:03. */
export function duration(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [Math.floor(whole / 60) % 60, whole % 60].map((n) => String(n).padStart(2, "0"));
  const hours = Math.floor(whole / 3600);
  if (hours) return [hours, ...parts].join(":");
  return `${Number(parts[0])}:${parts[1]}`;
}
