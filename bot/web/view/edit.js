// @ts-check
// Changing the position by hand, and pasting a game.
import { problemOf } from "../notation.js";
import { announce } from "./announce.js";
import { button, check, html, radios, write } from "../../../protocol/web/dom.js";
import { colour, problemText, say } from "./words.js";

/** @import { Position } from "../../../protocol/web/rules.js" */
/** @typedef {{chosen(): void, done(): void, cancel(): void, paste(text: string): string}} Actions */

export class EditView {
  /** @param {HTMLElement} place @param {Actions} actions */
  constructor(place, actions) {
    this.place = place;
    /** @type {0 | 1 | 2} */
    this.stone = 1;
    const choose = (/** @type {0 | 1 | 2} */ stone) => {
      this.stone = stone;
      actions.chosen();
    };
    const [first, second] = [colour(1), colour(2)];
    this.stones = radios("stone", say("edit legend"), choose, [1, first, "p1"], [2, second, "p2"], [0, say("eraser")]);
    this.problem = html("p", { class: "problem", role: "alert" });
    const buttons = html("div", { class: "buttons" }, button(say("done"), actions.done, { class: "first" }));
    buttons.append(button(say("cancel"), actions.cancel));
    this.text = html("textarea", { rows: 3, spellcheck: "false" });
    this.refused = html("p", { class: "problem" });
    const open = button(say("open"), () => {
      write(this.refused, actions.paste(this.text.value));
      if (this.refused.textContent) announce(this.refused.textContent);
    });
    const label = html("label", { class: "paste" }, say("paste label"), this.text);
    place.append(this.stones, this.problem, buttons, label, open, this.refused);
  }

  /** @param {Position | null} draft null while nothing is changed by hand */
  draw(draft) {
    this.place.hidden = !draft;
    check(this.stones, this.stone);
    const problem = draft && problemOf(draft);
    write(this.problem, problem ? problemText(problem) : "");
    if (!draft) write(this.refused, "");
  }
}
