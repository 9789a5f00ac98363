// @ts-check
// Changing the position by hand, and pasting a game.
import { count } from "../rules.js";
import { announce } from "./announce.js";
import { button, html, write } from "./dom.js";
import { colour, say } from "./words.js";

/** @typedef {import("../rules.js").Position} Position */

/** Returns what is wrong with a position that was made by hand, or "". @param {Position} position */
export function problemOf({ first, second, variant }) {
  const [ones, twos] = [count(first), count(second)];
  if (ones !== twos && ones !== twos + 1) return say("numbers do not fit", { first: ones, second: twos });
  return variant.lines(first) && variant.lines(second) ? say("both have lines") : "";
}

export class EditView {
  /** @param {HTMLElement} place @param {{done(): void, cancel(): void, paste(text: string): string}} actions */
  constructor(place, actions) {
    this.place = place;
    /** @type {0 | 1 | 2} */
    this.stone = 1;
    this.chosen = () => {};
    const choices = /** @type {(0 | 1 | 2)[]} */ ([1, 2, 0]).map((stone) => this.#choice(stone));
    this.problem = html("p", { class: "problem", role: "alert" });
    const legend = html("legend", {}, say("edit legend"));
    const stones = html("fieldset", { class: "radios" }, legend, html("div", {}, ...choices));
    const buttons = html("div", { class: "buttons" }, button(say("done"), actions.done, { class: "first" }));
    buttons.append(button(say("cancel"), actions.cancel));
    this.text = html("textarea", { rows: 3, spellcheck: "false" });
    this.refused = html("p", { class: "problem" });
    const open = button(say("open"), () => {
      write(this.refused, actions.paste(this.text.value));
      if (this.refused.textContent) announce(this.refused.textContent);
    });
    const label = html("label", { class: "paste" }, say("paste label"), this.text);
    place.append(stones, this.problem, buttons, label, open, this.refused);
  }

  /** @param {0 | 1 | 2} stone */
  #choice(stone) {
    const onchange = () => {
      this.stone = stone;
      this.chosen();
    };
    const input = html("input", { type: "radio", name: "stone", value: stone, checked: stone === 1, onchange });
    const text = stone ? colour(stone) : say("eraser");
    return html("label", {}, input, html("span", { class: stone ? `p${stone}` : "" }, text));
  }

  /** @param {Position | null} draft null while nothing is changed by hand */
  draw(draft) {
    this.place.hidden = !draft;
    if (draft) write(this.problem, problemOf(draft));
    else write(this.refused, "");
  }
}
