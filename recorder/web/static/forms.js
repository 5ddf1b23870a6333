// The console's other actions: what players say and what the referee does.

import { make } from "./dom.js";

const CLAIMS = ["take-back", "double-move", "ko-violation", "forbidden-point", "whole-board-repetition"];
const REPORTS = ["conduct-report", "late-arrival", "absence", "clock-fault"];

/** Return the groups of forms; `send(fields)` sends an action, `isSure(text)` asks first. */
export function actionForms({ words, role, send, isSure }) {
  const name = (color) => words[color === "B" ? "black" : "white"];
  const button = (text, fields, isGrave = false) =>
    make("button", {
      type: "button",
      "data-action": fields.action,
      "data-color": fields.color,
      click: async () => {
        if (!isGrave || (await isSure(text))) send(fields);
      },
    }, text);

  const choice = (kinds, label) =>
    make("select", { "aria-label": label }, ...kinds.map((kind) => make("option", { value: kind }, words.alerts[kind])));

  const says = (color) => {
    const about = choice(CLAIMS, words.claim);
    const claim = make("button", {
      type: "button", "data-action": "claim", "data-color": color,
      click: () => send({ action: "claim", color, about: about.value }),
    }, words.claim);
    return make(
      "fieldset",
      {},
      make("legend", {}, make("span", { class: `legend-stone stone-${color}`, "aria-hidden": "true" }), name(color)),
      button(words.pass, { action: "pass", color }),
      button(`${name(color)}: ${words.resign}`, { action: "resign", color }, true),
      button(words.propose_end, { action: "propose-end", color }),
      button(words.consent, { action: "consent", color, about: "dropped-stone" }),
      make("div", { class: "joined" }, about, claim),
    );
  };

  const result = make("input", {
    "aria-label": words.result, placeholder: words.result_hint, maxlength: 12, autocapitalize: "characters",
  });
  const enter = make("button", {
    type: "button",
    "data-action": "end",
    click: async () => {
      const value = result.value.trim();
      if (value && (await isSure(`${words.result} ${value}`))) send({ action: "end", result: value });
    },
  }, words.enter_result);
  const kind = choice(REPORTS, words.report);
  const side = make("select", { "aria-label": words.report },
    make("option", { value: "" }, words.nobody),
    make("option", { value: "B" }, words.black),
    make("option", { value: "W" }, words.white));
  const note = make("input", { "aria-label": words.note, placeholder: words.note, maxlength: 500 });
  const report = make("button", {
    type: "button",
    "data-action": "report",
    click: () => send({ action: "report", type: kind.value, color: side.value, note: note.value }),
  }, words.report);

  const seal = button(words.seal, { action: "seal" }, true);
  seal.disabled = role < 3;
  return [
    says("B"),
    says("W"),
    make(
      "fieldset",
      { class: "wide" },
      make("legend", {}, words.referee_does),
      button(words.pause, { action: "pause" }, true),
      button(words.resume, { action: "resume" }),
      button(words.colors_swapped, { action: "colors-swapped" }, true),
      button(words.to_scoring, { action: "end", result: null }, true),
      seal,
      make("div", { class: "joined" }, result, enter),
      make("div", { class: "joined" }, kind, side, note, report),
    ),
  ];
}
