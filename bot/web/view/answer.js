// @ts-check
// The place where the computer answers: a hint or an explanation, and at the end of a game what one can do next.
import { button, html, write } from "../../../protocol/web/dom.js";
import { say } from "./words.js";

/** The text is empty until the engine answers. An answer marks `cells`, or recommends the cell `hint`. `back` is the
    number of moves after the explained one, -1 for a hint, or -2 for the judgement of a move in an exercise, which may
    be right. A hint has two steps: `reveal` makes the second.
    @typedef {{ title: string, text: string, back: number, cells?: number[], hint?: number,
      isRight?: boolean, reveal?: () => void }} Answer */
/** @typedef {{again(): void, look(): void, send(): void, before(): void, turns(): void}} Actions */

export class AnswerView {
  /** @param {HTMLElement} place @param {Actions} actions */
  constructor(place, actions) {
    this.place = place;
    this.title = html("p", { class: "muted" });
    this.text = html("p");
    this.before = button(say("why before"), actions.before, { class: "plain" });
    this.reveal = button(say("show move"), () => this.answer?.reveal?.(), { class: "plain" });
    this.turns = button("", actions.turns);
    this.about = html("p", { class: "muted" });
    this.end = html("div", { class: "buttons" }, button(say("again"), actions.again, { class: "first" }));
    this.end.append(this.turns, button(say("look"), actions.look), button(say("send"), actions.send));
    this.card = html("div", {}, this.title, this.text, this.before, this.reveal);
    place.append(this.card, this.about, this.end);
  }

  /** @param {Answer | null} answer
      @param {{isOver: boolean, isFirst: boolean, waiting: string, turns: number | null, isKnown: boolean}} shown
        `turns` is the number of turning points, or null while it is sought; `isKnown` says that there are no others */
  draw(answer, { isOver, isFirst, waiting, turns, isKnown }) {
    this.answer = answer;
    write(this.title, answer?.title ?? "");
    write(this.text, answer?.text || waiting);
    this.title.className = answer?.back === -2 ? "verdict" : "muted";
    this.card.classList.toggle("right", answer?.isRight ?? false);
    this.card.hidden = !answer;
    this.text.classList.toggle("muted", !answer?.text);
    this.before.hidden = !answer || answer.back < 0 || isFirst;
    this.reveal.hidden = !answer?.reveal;
    this.end.hidden = !isOver;
    this.turns.hidden = !turns;
    write(this.turns, say("turns found", { count: turns ?? 0 }));
    this.about.hidden = !isOver || Boolean(turns);
    write(this.about, say(turns === null ? "turns sought" : isKnown ? "turns none" : "turns unknown"));
    this.place.hidden = !answer && !isOver;
  }
}
