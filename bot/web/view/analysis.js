// @ts-check
// Analysis of the position on the board: the curve of the game and the best line.
import { COLUMN_NAMES } from "../notation.js";
import { button, html, resize, stopAt, withArrows, write } from "./dom.js";
import { CurveView } from "./curve.js";
import { say } from "./words.js";

/** @typedef {import("../game.js").Game} Game */
/** @typedef {import("../study.js").Study} Study */

export class AnalysisView {
  /** @param {HTMLElement} place @param {{go(at: number): void, follow(cells: number[]): void}} actions */
  constructor(place, actions) {
    this.place = place;
    this.curve = new CurveView(actions.go);
    const onclick = (/** @type {MouseEvent} */ { detail }) => detail || this.steps.querySelector("button")?.focus(); // 0: by a key
    this.steps = withArrows(html("ol", { class: "steps", onclick }));
    this.wait = html("span", { class: "muted late" });
    const title = html("h2", {}, say("best line"));
    this.best = html("div", { class: "best-line" }, title, this.steps, this.wait);
    place.append(this.curve.node, this.best);
    /** @type {number[]} */
    this.line = [];
    this.follow = actions.follow;
  }

  /** @param {Game} game @param {Study} study @param {string} waiting what to say while the line is not known */
  draw(game, study, waiting) {
    this.place.hidden = game.mode === "play";
    if (this.place.hidden) return;
    const { positions, variant } = game;
    const turns = study.turns(positions).map(({ at }) => at);
    const values = positions.map((position) => study.valueOf(position));
    const most = Math.ceil((variant.cells + 1) / 2);
    this.curve.draw(values, game.cursor, turns, most);
    write(this.curve.wait, values.includes(null) && !study.isDone ? waiting : "");
    this.best.hidden = game.position.isOver;
    this.line = study.lineOf(game.position) ?? [];
    write(this.wait, this.line.length ? "" : waiting);
    resize(this.steps, this.line.length, () => this.#step(this.steps.children.length));
    [...this.steps.children].forEach((item, i) => {
      const column = COLUMN_NAMES[variant.columnOf(this.line[i])];
      const node = /** @type {HTMLElement} */ (item.firstElementChild);
      write(node, column);
      node.className = (game.position.ply + i) % 2 ? "p2" : "p1";
      node.setAttribute("aria-label", say("step of line", { move: game.position.ply + i + 1, column }));
    });
    if (!this.steps.contains(document.activeElement)) stopAt(this.steps, this.steps.querySelector("button"));
  }

  /** @param {number} i */
  #step(i) {
    return html("li", {}, button("", () => this.follow(this.line.slice(0, i + 1)), { tabindex: -1 }));
  }
}
