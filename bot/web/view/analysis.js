// @ts-check
// Analysis of the position on the board: the curve of the game and the best line.
import { columnName, signed } from "../../../protocol/web/names.js";
import { CurveView } from "../../../protocol/web/curve.js";
import { button, html, keepStop, listOfButtons, resize, write } from "../../../protocol/web/dom.js";
import { colour, say } from "./words.js";

/** @import { Game } from "../game.js" */
/** @import { Study } from "../study.js" */

export class AnalysisView {
  /** @param {HTMLElement} place @param {{go(at: number): void, follow(cells: number[]): void}} actions */
  constructor(place, actions) {
    this.place = place;
    this.actions = actions;
    this.curve = new CurveView(actions.go, {
      up: say("up wins", { who: colour(1) }),
      down: say("down wins", { who: colour(2) }),
      about: (count) => `${say("curve")}. ${say("curve about", { count })}`,
      point: (move, value) => say("curve point", { move, value: value === null ? say("unknown") : signed(value) }),
    });
    const onclick = (/** @type {MouseEvent} */ { detail }) => {
      if (detail === 0) this.steps.querySelector("button")?.focus(); // a key made the click
    };
    this.steps = listOfButtons({ class: "steps", onclick });
    this.wait = html("span", { class: "muted" });
    this.best = html("div", { class: "best-line" }, html("h2", {}, say("best line")), this.steps, this.wait);
    place.append(this.curve.node, this.best);
    this.line = /** @type {number[]} */ ([]);
  }

  /** @param {Game} game @param {Study} study @param {string} waiting what to say while the line is not known */
  draw(game, study, waiting) {
    this.place.hidden = game.mode !== "analyse";
    if (this.place.hidden) return;
    const { position, positions, variant } = game;
    const turns = study.turns(positions).map(({ at }) => at);
    const values = positions.map((each) => study.valueOf(each));
    this.curve.draw(values, game.cursor, turns, Math.ceil((variant.cells + 1) / 2));
    write(this.curve.wait, values.includes(null) && !study.isDone ? waiting : "");
    this.best.hidden = position.isOver;
    this.line = study.lineOf(position) ?? [];
    write(this.wait, this.line.length ? "" : waiting);
    resize(this.steps, this.line.length, (i) => this.#step(i)).forEach((item, i) => {
      const column = columnName(variant, this.line[i]);
      const node = /** @type {HTMLElement} */ (item.firstElementChild);
      write(node, column);
      node.className = (position.ply + i) % 2 ? "p2" : "p1";
      node.setAttribute("aria-label", say("step of line", { move: position.ply + i + 1, column }));
    });
    keepStop(this.steps);
  }

  /** @param {number} i */
  #step(i) {
    return html("li", {}, button("", () => this.actions.follow(this.line.slice(0, i + 1)), { tabindex: -1 }));
  }
}
