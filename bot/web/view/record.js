// @ts-check
// The moves of the game, and below them those of the variation.
import { columnName } from "../../../protocol/web/names.js";
import { button, html, keepStop, listOfButtons, resize, write } from "../../../protocol/web/dom.js";
import { resultText, say } from "./words.js";

/** @import { Game } from "../game.js" */
/** @import { Turn } from "../study.js" */
/** @typedef {{go(at: number, inFork: boolean): void, remove(): void, promote(): void}} Actions */

export class RecordView {
  /** @param {HTMLElement} place @param {Actions} actions */
  constructor(place, actions) {
    this.place = place;
    this.actions = actions;
    this.main = listOfButtons({ class: "moves", "aria-label": say("moves") });
    this.fork = listOfButtons({ class: "moves", "aria-label": say("variation") });
    this.leave = button(say("leave variation"), () => actions.go(this.from, false));
    const stop = () => /** @type {HTMLElement | null} */ (this.main.querySelector("[tabindex='0']"));
    const onclick = () => stop()?.focus(); // because a click hides the button
    const buttons = html("div", { class: "buttons", onclick }, this.leave);
    buttons.append(button(say("promote variation"), actions.promote), button(say("remove variation"), actions.remove));
    this.variation = html("div", { class: "variation" }, html("h2", {}, say("variation")), this.fork, buttons);
    this.from = 0;
    place.append(this.main, this.variation);
    new ResizeObserver(() => this.#scroll()).observe(place);
  }

  /** @param {Game} game @param {Turn[]} turns of the current line; none while values are hidden */
  draw(game, turns) {
    const { isVaried } = game;
    const fork = game.mode === "analyse" ? game.fork : null;
    this.place.hidden = game.mode === "learn" || (!game.main.length && !fork);
    this.from = fork?.from ?? 0;
    this.decisive = turns.at(-1);
    const inMain = turns.filter(({ at }) => !isVaried || at <= this.from);
    this.#list(this.main, game, game.main, isVaried ? -1 : game.cursor, inMain);
    this.variation.hidden = !fork;
    this.#list(this.fork, game, fork?.cells ?? [], isVaried ? game.cursor : -1, isVaried ? turns : []);
    this.leave.hidden = !isVaried;
  }

  /** @param {Element} list @param {Game} game @param {number[]} cells @param {number} cursor @param {Turn[]} turns */
  #list(list, game, cells, cursor, turns) {
    resize(list, cells.length, (i) => this.#item(list, i)).forEach((item, i) => {
      const at = this.#cursorAt(list, i);
      const number = game.start.ply + at;
      const [count, node] = /** @type {HTMLElement[]} */ ([...item.children]);
      write(count, number % 2 ? `${(number + 1) / 2}.` : i ? "" : `${number / 2}. …`);
      this.#drawMove(node, columnName(game.variant, cells[i]), number, turns.find((turn) => turn.at === at));
      const isNew = at === cursor && node.getAttribute("aria-current") !== "step";
      node.setAttribute("aria-current", at === cursor ? "step" : "false");
      if (isNew) this.#scroll();
    });
    keepStop(list);
  }

  /** Returns the cursor after a move of a list. @param {Element} list @param {number} i */
  #cursorAt(list, i) {
    return (list === this.fork ? this.from : 0) + i + 1;
  }

  /** @param {Element} list @param {number} i */
  #item(list, i) {
    const go = () => this.actions.go(this.#cursorAt(list, i), list === this.fork);
    return html("li", {}, html("span", { class: "number", "aria-hidden": "true" }), button("", go, { tabindex: -1 }));
  }

  /** @param {HTMLElement} node @param {string} column @param {number} move its number @param {Turn} [turn] */
  #drawMove(node, column, move, turn) {
    const sign = turn ? (turn.after < 0 ? "??" : "?") : "";
    const change = turn ? say("turned", { before: resultText(turn.before), after: resultText(turn.after) }) : "";
    write(node, column + sign);
    node.className = `p${2 - (move % 2)} ${turn && turn === this.decisive ? "decisive" : ""}`;
    node.setAttribute("aria-label", [say("move name", { move, column }), change].filter(Boolean).join(", "));
    node.title = change;
  }

  /** Scrolls the list, and not the page, to the current move. */
  #scroll() {
    const current = this.place.querySelector("[aria-current=step]");
    if (!current) return;
    const [frame, here] = [this.place, current].map((node) => node.getBoundingClientRect());
    if (here.top >= frame.top && here.bottom <= frame.bottom) return;
    this.place.scrollTop += here.top - frame.top - frame.height / 2;
  }
}
