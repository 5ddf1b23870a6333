// The console's other actions, as a table: what players say and what the referee does.

import { make } from "./dom.js";
import { fill } from "./words.js";

const CLAIMS = ["take-back", "double-move", "ko-violation", "forbidden-point", "whole-board-repetition"];
const CODE_SIGNS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

// A field is [name, kind, options]; `_min` times are asked for in minutes and sent in seconds.
const color = ["color", "color"];
const anyColor = ["color", "color", { isOptional: true }];
const note = (name) => [name, "text", { label: "note" }];
const minutes = (name, label) => [name, "minutes", { label }];
const side = (name) => [name, "side"];

const GROUPS = [
  ["break", [
    { label: "times_confirmed", action: "note", fixed: { kind: "times-confirmed" }, fields: [["text", "times", { label: "clock_times" }]] },
    { label: "seal_move", action: "seal-move", fields: [color, ["point", "point"], ["code", "code"]], hint: "seal_move_hint" },
    { label: "open_move", action: "open-move", fields: [color, ["point", "point"], ["code", "text", { label: "code" }]] },
  ]],
  ["time", [
    { label: "late", action: "late", fields: [color, minutes("late_s", "late_minutes"), ["limit_s", "choice", { label: "late_limit", options: [["900", "limit_15"], ["3600", "limit_60"]], isNumber: true }]], hint: "late_hint" },
    { label: "absence", action: "report", fixed: { type: "absence" }, fields: [color, note("note")] },
    { label: "flag_seen", action: "report", fixed: { type: "flag-fall" }, fields: [color], isGrave: true },
    { label: "count_restart", action: "count-restart", fields: [["used_s", "number", { label: "at_second" }]] },
    { label: "clock_check", action: "clock-check", fields: [minutes("black_s", "black_shown"), minutes("white_s", "white_shown"), minutes("real_s", "real_time")] },
    { label: "clock_set", action: "clock-set", fields: [side("black"), side("white"), note("note")], hint: "clock_set_hint", isGrave: true },
    { label: "clock_replaced", action: "note", fixed: { kind: "clock-replaced" }, fields: [note("text")] },
  ]],
  ["incident", [
    { label: "colors_swapped", action: "colors-swapped", fields: [], isGrave: true },
    { label: "conduct", action: "report", fixed: { type: "conduct-report" }, fields: [color, note("note")] },
    { label: "scattered", action: "report", fixed: { type: "board-scattered" }, fields: [anyColor, note("note")] },
    { label: "nigiri", action: "nigiri", fields: [["guesser", "text", { label: "guesser" }], ["guess", "choice", { label: "guess", options: [["odd", "odd"], ["even", "even"]] }], ["stones", "number", { label: "stones_held" }]], hint: "nigiri_hint" },
    { label: "free_note", action: "note", fixed: { kind: "note" }, fields: [note("text")] },
  ]],
  ["ending", [
    { label: "dispute", action: "dispute", fields: [color, ["points", "points"], ["claim", "choice", { label: "dispute_claim", options: [["dead", "dead"], ["alive", "alive"]] }]] },
    { label: "enter_result", action: "end", fields: [["result", "result"]], isGrave: true },
    { label: "forfeit", action: "end", fixed: { reason: "forfeit" }, fields: [["result", "choice", { label: "winner", options: [["B+F", "black"], ["W+F", "white"]] }]], isGrave: true, isChiefs: true },
    { label: "without_winner", action: "end", fields: [["reason", "choice", { label: "decision", options: [["draw", "r_draw"], ["replay", "r_replay"], ["no-result", "r_no-result"], ["both-lose", "r_both-lose"]] }]], isGrave: true, isChiefs: true },
  ]],
];

/** Return the groups of forms; `send(fields)` sends an action, `isSure(text)` asks first. */
export function actionForms(tools) {
  const { words } = tools;
  const groups = GROUPS.map(([name, forms]) => group(words[`g_${name}`], quick(name, tools), forms.map((form) => makeForm(form, tools))));
  return [says("B", tools), says("W", tools), ...groups];
}

function group(title, buttons, forms) {
  return make("fieldset", { class: "wide" }, make("legend", {}, title), buttons, ...forms);
}

function button({ send, isSure }, text, fields, isGrave = false, isDisabled = false) {
  return make("button", {
    type: "button",
    disabled: isDisabled,
    "data-action": fields.action,
    "data-color": fields.color,
    click: async () => {
      if (!isGrave || (await isSure(text))) send(fields);
    },
  }, text);
}

function says(of, tools) {
  const { words, send } = tools;
  const name = words[of === "B" ? "black" : "white"];
  const about = choice(CLAIMS.map((kind) => [kind, words.alerts[kind]]), words.claim);
  const claim = make("button", {
    type: "button", "data-action": "claim", "data-color": of,
    click: () => send({ action: "claim", color: of, about: about.value }),
  }, words.claim);
  return make(
    "fieldset",
    {},
    make("legend", {}, make("span", { class: `legend-stone stone-${of}`, "aria-hidden": "true" }), name),
    button(tools, words.pass, { action: "pass", color: of }),
    button(tools, `${name}: ${words.resign}`, { action: "resign", color: of }, true),
    button(tools, words.propose_end, { action: "propose-end", color: of }),
    button(tools, words.give_up, { action: "give-up", color: of }, true),
    button(tools, words.consent, { action: "consent", color: of, about: "dropped-stone" }),
    make("div", { class: "joined" }, about, claim),
  );
}

/** Return the buttons of a group that need nothing else; the ending ones are filled by the page. */
function quick(name, tools) {
  const { words, role } = tools;
  const row = make("div", { class: "quick", id: `quick-${name}` });
  if (name === "break") {
    row.append(
      button(tools, words.pause, { action: "pause" }, true),
      button(tools, words.resume, { action: "resume" }),
      button(tools, fill(words.resume_first, words.black), { action: "resume", color: "B" }),
      button(tools, fill(words.resume_first, words.white), { action: "resume", color: "W" }),
    );
  }
  if (name === "ending") {
    const seal = button(tools, words.seal, { action: "seal" }, true);
    seal.title = role < 3 ? words.seal_hint : "";
    row.append(
      button(tools, words.to_scoring, { action: "end", result: null }, true),
      make("button", { type: "button", id: "open-count" }, words.count),
      make("button", { type: "button", id: "confirm-result", "data-action": "end" }, words.confirm_result),
      button(tools, fill(words.sign, words.black), { action: "sign", color: "B" }),
      button(tools, fill(words.sign, words.white), { action: "sign", color: "W" }),
      seal,
    );
  }
  return row;
}

// Forms

function choice(options, label) {
  return make("select", { "aria-label": label }, ...options.map(([value, text]) => make("option", { value }, text)));
}

function makeForm(spec, tools) {
  const { words, role, send, isSure } = tools;
  const label = words[spec.label];
  const fields = spec.fields.map(([name, kind, options]) => ({ name, ...FIELDS[kind](words, options ?? {}, tools) }));
  const form = make(
    "form",
    { class: "action-form", "data-form": spec.label },
    ...fields.map(({ node }) => node),
    spec.hint ? make("p", { class: "hint" }, words[spec.hint]) : null,
    make("button", { class: "primary", disabled: spec.isChiefs && role < 3, title: spec.isChiefs && role < 3 ? words.forbidden : null }, label),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const values = { action: spec.action, ...spec.fixed };
    for (const { name, read } of fields) {
      const value = read();
      if (value !== undefined) values[name] = value;
    }
    if (spec.label === "without_winner") values.result = values.reason === "draw" ? "0" : "Void";
    if (spec.isGrave && !(await isSure(label))) return;
    if (await send(values)) {
      form.reset();
      for (const { renew } of fields) renew?.();
      form.closest("details").open = false;
    }
  });
  return make("details", { class: "action-details" }, make("summary", {}, label), form);
}

function labelled(text, input) {
  return make("label", {}, text, input);
}

const number = (text) => (text.trim() === "" ? undefined : Number(text.replace(",", ".")));

// Each kind of field gives its element and how it is read.
const FIELDS = {
  color(words, { isOptional }) {
    const options = [["B", words.black], ["W", words.white]];
    const select = choice(isOptional ? [["", words.nobody], ...options] : options, words.who);
    return { node: labelled(words.who, select), read: () => select.value };
  },
  text(words, { label }) {
    const input = make("input", { maxlength: 500 });
    return { node: labelled(words[label], input), read: () => input.value };
  },
  number(words, { label }) {
    const input = make("input", { inputmode: "numeric", required: true, maxlength: 6 });
    return { node: labelled(words[label], input), read: () => number(input.value) };
  },
  minutes(words, { label }) {
    const input = make("input", { inputmode: "decimal", required: true, maxlength: 8 });
    return { node: labelled(words[label], input), read: () => 60 * number(input.value) };
  },
  choice(words, { label, options, isNumber }) {
    const select = choice(options.map(([value, word]) => [value, words[word]]), words[label]);
    return { node: labelled(words[label], select), read: () => (isNumber ? Number(select.value) : select.value) };
  },
  point(words) {
    const input = make("input", { required: true, maxlength: 4, autocapitalize: "characters", placeholder: "Q16" });
    return { node: labelled(words.point, input), read: () => input.value.trim().toUpperCase() };
  },
  points(words) {
    const input = make("input", { required: true, maxlength: 200, autocapitalize: "characters", placeholder: "Q16 R16" });
    return { node: labelled(words.points_list, input), read: () => input.value.toUpperCase().split(/[\s,]+/).filter(Boolean) };
  },
  result(words) {
    const input = make("input", { required: true, maxlength: 12, placeholder: words.result_hint, autocapitalize: "characters" });
    const read = () => {
      const text = input.value.trim().toUpperCase();
      return text === "VOID" ? "Void" : text;
    };
    return { node: labelled(words.result, input), read };
  },
  side(words, _, __) {
    return sideField(words);
  },
  times(words, { label }, { times }) {
    const output = make("output", {}, times());
    const node = make("p", { class: "clock-times" }, words[label], " ", output);
    node.renew = () => { output.textContent = times(); };
    return { node, read: () => times() };
  },
  code(words) {
    const output = make("output", { class: "code" });
    const renew = () => { output.textContent = newCode(); };
    renew();
    return { node: make("p", {}, words.code, ": ", output), read: () => output.textContent, renew };
  },
};

/** Minutes and periods left of one side; nothing is sent for a side that is left empty. */
function sideField(words) {
  const main = make("input", { inputmode: "decimal", maxlength: 8, "aria-label": words.minutes_left });
  const periods = make("input", { inputmode: "numeric", maxlength: 3, "aria-label": words.periods_left });
  const node = make("div", { class: "side-field" }, labelled(words.minutes_left, main), labelled(words.periods_left, periods));
  const read = () => {
    const left = number(main.value);
    return left === undefined ? undefined : { main_s: 60 * left, periods: number(periods.value) ?? 0 };
  };
  return { node, read };
}

function newCode() {
  const random = crypto.getRandomValues(new Uint8Array(10));
  return [...random].map((byte) => CODE_SIGNS[byte % CODE_SIGNS.length]).join("");
}
