// One card an incident: what, where, when, what the article says, and the buttons to decide.

import { BoardView } from "./board.js";
import { make } from "./dom.js";
import { positionOf } from "./private.js";
import { fill, timeOfDay } from "./words.js";

function ownPicture(alert, file) {
  return `/referee/alerts/${alert.id}/${file}`;
}

export class Cards {
  /** `picture(alert, file)` is the address of a picture of an alert. */
  constructor({ words, language, offers, role, act, see, enlarge, picture = ownPicture }) {
    Object.assign(this, { words, language, offers, role, act, see, enlarge, picture });
  }

  /** Return the card of an alert; `size` is that of the goban. */
  card(alert, { size, isReopened = false }) {
    const { words } = this;
    const isUndecided = alert.is_open || isReopened;
    return make(
      "article",
      {
        class: `card severity-${alert.severity}${alert.is_open ? "" : " is-closed"}`,
        "data-alert": alert.id,
        "aria-label": this.name(alert),
      },
      this.#head(alert),
      alert.is_open && alert.is_escalated ? make("p", { class: "card-escalated" }, this.words.escalated) : null,
      this.#ruling(alert),
      isUndecided ? this.#article(alert) : null,
      this.#points(alert),
      isUndecided ? this.#evidence(alert, size) : null,
      this.#outcome(alert),
      isUndecided ? this.#buttons(alert) : this.#again(alert, words),
    );
  }

  name(alert) {
    return this.words.alerts[alert.type] ?? alert.type;
  }

  decisionText(decision) {
    const text = this.words.rulings[decision.decision] ?? decision.decision;
    return fill(this.words.decided, text, decision.by);
  }

  #head(alert) {
    const { words } = this;
    const who = alert.color ? words[alert.color === "B" ? "black" : "white"] : null;
    return make(
      "header",
      { class: "card-head" },
      alert.color ? make("span", { class: `card-stone stone-${alert.color}`, "aria-hidden": "true" }) : null,
      make("h3", {}, this.name(alert)),
      make(
        "p",
        { class: "card-when" },
        [who, fill(words.move, alert.move), timeOfDay(alert.at, this.language)].filter(Boolean).join(" · "),
      ),
    );
  }

  #ruling(alert) {
    const { words } = this;
    const ruling = words.rulings[alert.ruling] ?? alert.ruling;
    const side = alert.warning && words[alert.warning === "B" ? "black" : "white"];
    const warning = side ? fill(words.with_warning, side) : "";
    const isArticle = /^[\d;. ]+$/.test(alert.article);
    const article = isArticle ? fill(words.article, alert.article.replaceAll(";", ", ")) : null;
    return make(
      "p",
      { class: "card-ruling" },
      article ? make("span", { class: "chip" }, article) : null,
      fill(words.proposed, ruling + warning),
    );
  }

  /** Return what the article says; nothing where the program's own rules apply. */
  #article(alert) {
    const texts = this.words.articles?.[this.ruleset] ?? {};
    const named = alert.article.split(";").filter((number) => texts[number]);
    if (!named.length) return null;
    return make("div", { class: "card-article" }, ...named.map((number) => make("p", {}, `${number}: ${texts[number]}`)));
  }

  #points(alert) {
    const { words } = this;
    const since = alert.moves_since ? fill(words.moves_since, alert.moves_since) : words.no_moves_since;
    const parts = [alert.points.join(", "), alert.is_open ? since : ""];
    const seen = alert.is_open && alert.seen_by ? fill(words.seen_by, alert.seen_by) : "";
    return make("p", { class: "card-points" }, [...parts, ...this.#details(alert), seen].filter(Boolean).join(" · "));
  }

  /** Return the facts that decide, as short texts. */
  #details({ detail }) {
    const { words } = this;
    const minutes = (seconds) => Math.round(Number(seconds) / 6) / 10;
    const texts = [detail.note];
    if (detail.deducted_s) texts.push(fill(words.late_detail, minutes(detail.late_s), minutes(detail.deducted_s)));
    if (detail.error_s_per_hour) {
      texts.push(fill(words.fault_detail, detail.error_s_per_hour));
      texts.push(fill(words.fault_used, minutes(detail.black_used_s), minutes(detail.white_used_s)));
    }
    if (detail.moves_played) texts.push(fill(words.moves_played, detail.moves_played));
    if (detail.cycle_plies) texts.push(fill(words.cycle_detail, detail.earlier_move, detail.cycle_plies));
    return texts;
  }

  #evidence(alert, size) {
    const { words } = this;
    const row = make("div", { class: "evidence" });
    const host = make("span", { class: "evidence-board" });
    if (!alert.points.length && !alert.pictures.length) return null;
    row.append(this.#figure(words.diagram, host, () => this.#draw(alert, size)));
    for (const file of alert.pictures) {
      const caption = words[file.replace(".jpg", "")];
      const image = make("img", {
        src: this.picture(alert, file),
        alt: `${caption}: ${this.name(alert)}`,
        loading: "lazy",
      });
      row.append(this.#figure(caption, image, () => image.cloneNode()));
    }
    const view = new BoardView(host, { size, coordinates: false });
    view.show(positionOf(alert.position), { label: `${words.diagram}: ${alert.points.join(", ")}` });
    view.ring(alert.points);
    view.focus(alert.points);
    return row;
  }

  #figure(caption, content, large) {
    const open = make("button", { type: "button", class: "evidence-open", click: () => this.enlarge(large()) }, content);
    return make("figure", {}, open, make("figcaption", {}, caption));
  }

  #draw(alert, size) {
    const host = make("span", { class: "evidence-board" });
    const view = new BoardView(host, { size });
    view.show(positionOf(alert.position), { label: alert.points.join(", ") });
    view.ring(alert.points);
    return host;
  }

  #outcome(alert) {
    if (alert.withdrawn !== null) return make("p", { class: "card-outcome" }, this.words.withdrawn);
    if (!alert.decision) return null;
    const note = alert.decision.note ? ` – ${alert.decision.note}` : "";
    return make("p", { class: "card-outcome" }, this.decisionText(alert.decision) + note);
  }

  #again(alert, words) {
    if (alert.withdrawn !== null) return null;
    const again = (event) => this.see(alert, event.target.closest(".card"));
    return make("button", { type: "button", class: "link", click: again }, words.again);
  }

  #buttons(alert) {
    const { words } = this;
    const note = make("input", {
      class: "card-note", maxlength: 500, placeholder: words.note, "aria-label": words.note,
    });
    const decide = (decision) => () => this.act(alert, decision, note.value);
    const button = (decision, text, look = "") =>
      make("button", { type: "button", class: look, "data-decision": decision, click: decide(decision) }, text);
    const offers = (alert.offers ?? this.offers?.[alert.type] ?? []).map(({ decision, needs_chief: isChiefs }) => {
      const other = button(decision, words.rulings[decision] ?? decision);
      other.disabled = isChiefs && this.role < 3;
      if (other.disabled) other.title = words.forbidden;
      return other;
    });
    const confirm = button("confirm", words.confirm, "primary");
    confirm.disabled = Boolean(alert.confirm_needs_chief) && this.role < 3;
    return make(
      "div",
      { class: "card-buttons" },
      note,
      confirm,
      button("dismiss", words.dismiss),
      offers.length ? make("details", { class: "others" }, make("summary", {}, words.otherwise), ...offers) : null,
    );
  }
}
