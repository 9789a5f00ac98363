// @ts-check
// The moves of the game, and below them those of the variation.
import { COLUMN_NAMES } from "../notation.js";
import { button, html, resize, stopAt, withArrows, write } from "./dom.js";
import { say } from "./words.js";

/** @typedef {import("../game.js").Game} Game */
/** @typedef {import("./words.js").Key} Key */
/** @typedef {import("../study.js").Turn} Turn */

const OUTCOMES = /** @type {Key[]} */ (["loss", "drawn", "win"]);
const outcome = (/** @type {number} */ sign) => say(OUTCOMES[sign + 1]);

export class RecordView {
  /** @param {HTMLElement} place @param {{go(at: number, inFork: boolean): void, remove(): void, promote(): void}} actions */
  constructor(place, actions) {
    this.place = place;
    this.actions = actions;
    this.main = withArrows(html("ol", { class: "moves", "aria-label": say("moves") }));
    this.fork = withArrows(html("ol", { class: "moves", "aria-label": say("variation") }));
    this.leave = button(say("leave variation"), () => actions.go(this.from, false));
    const onclick = () => [...this.main.querySelectorAll("button")].find(({ tabIndex }) => tabIndex === 0)?.focus(); // these are hidden
    const buttons = html("div", { class: "buttons", onclick }, this.leave);
    buttons.append(button(say("promote variation"), actions.promote), button(say("remove variation"), actions.remove));
    this.variation = html("div", { class: "variation" }, html("h2", {}, say("variation")), this.fork, buttons);
    this.from = 0;
    /** @type {Turn | undefined} */
    this.decisive = undefined;
    place.append(this.main, this.variation);
    new ResizeObserver(() => this.#scroll()).observe(place);
  }

  /** @param {Game} game @param {Turn[]} turns of the current line; none while values are hidden */
  draw(game, turns) {
    const { isVaried } = game;
    const fork = game.mode === "analyse" ? game.fork : null;
    this.place.hidden = !game.main.length && !fork;
    this.from = fork?.from ?? 0;
    const first = game.start.ply;
    const inMain = turns.filter(({ at }) => !isVaried || at <= this.from);
    this.decisive = turns[turns.length - 1];
    this.#list(this.main, game, game.main, 0, first, isVaried ? -1 : game.cursor, inMain);
    this.variation.hidden = !fork;
    this.#list(this.fork, game, fork?.cells ?? [], this.from, first, isVaried ? game.cursor : -1, isVaried ? turns : []);
    this.leave.hidden = !isVaried;
  }

  /**
   * @param {HTMLElement} list @param {Game} game @param {number[]} cells @param {number} from moves before the list
   * @param {number} stones on the board at the start @param {number} cursor @param {Turn[]} turns
   */
  #list(list, game, cells, from, stones, cursor, turns) {
    const items = resize(list, cells.length, () => this.#item(list));
    items.forEach((item, i) => {
      const at = from + i + 1;
      const number = stones + at;
      const turn = turns.find((found) => found.at === at);
      const node = /** @type {HTMLElement} */ (item.lastElementChild);
      const column = COLUMN_NAMES[game.variant.columnOf(cells[i])];
      const sign = turn ? (turn.after < 0 ? "??" : "?") : "";
      const change = turn ? say("turned", { before: outcome(turn.before), after: outcome(turn.after) }) : "";
      node.dataset.at = String(at);
      write(/** @type {Element} */ (item.firstElementChild), number % 2 ? `${(number + 1) / 2}.` : i ? "" : `${number / 2}. …`);
      write(node, column + sign);
      node.className = `p${2 - (number % 2)} ${turn ? (turn === this.decisive ? "decisive" : "turned") : ""}`;
      node.setAttribute("aria-label", [say("move name", { move: number, column }), change].filter(Boolean).join(", "));
      node.title = change;
      const isNew = at === cursor && node.getAttribute("aria-current") !== "step";
      node.setAttribute("aria-current", at === cursor ? "step" : "false");
      if (isNew) this.#scroll();
    });
    const current = list.querySelector("[aria-current=step]") ?? list.querySelector("button");
    if (!list.contains(document.activeElement)) stopAt(list, current);
  }

  /** @param {HTMLElement} list */
  #item(list) {
    const go = (/** @type {Event} */ event) => {
      const { at } = /** @type {HTMLElement} */ (event.currentTarget).dataset;
      this.actions.go(Number(at), list === this.fork);
    };
    return html("li", {}, html("span", { class: "number", "aria-hidden": "true" }), button("", go, { tabindex: -1 }));
  }

  /** Scrolls the list, and not the page, to the current move. */
  #scroll() {
    const current = this.place.querySelector("[aria-current=step]");
    if (!current) return;
    const [frame, here] = [this.place, current].map((node) => node.getBoundingClientRect());
    if (here.top < frame.top || here.bottom > frame.bottom) this.place.scrollTop += here.top - frame.top - frame.height / 2;
  }
}
