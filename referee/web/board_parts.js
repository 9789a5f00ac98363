// @ts-check
// Parts of a board on which a person looks at values and plays: values above the columns, and buttons over the picture.
import { button, html, svg } from "../../protocol/web/dom.js";
import { signed } from "../../protocol/web/names.js";
import { range } from "../../protocol/web/rules.js";

/** @import { Board } from "../../protocol/web/board.js" */
/** The value of a column, null for a full one, or a text if it is not known. @typedef {number | string | null} Value */

/** Room above a board for values, in cells. */
export const ROOM = 0.8;

/** @param {number} value @returns {"win" | "draw" | "loss"} */
export const outcomeOf = (value) => (value > 0 ? "win" : value < 0 ? "loss" : "draw");

/** Returns the best value of a row; NaN if a value is not known. @param {Value[]} row */
export const bestOf = (row) => Math.max(...row.filter((value) => value !== null).map(Number));

export class Chips {
  /** @param {Board} board with `ROOM` above it */
  constructor(board) {
    this.board = board;
    this.node = svg("g", { class: "chips" });
    board.node.prepend(this.node);
  }

  /** @param {Value[]} row @param {{ best?: number, next?: number | null, about?: (x: number, value: number) => string }}
      how the value that is marked, the column of the next move, and what a value means */
  draw(row, { best = bestOf(row), next = null, about } = {}) {
    this.node.replaceChildren(...row.map((value, x) => this.#chip(value, x, value === best, x === next, about)));
  }

  /** Says why there are no values. @param {string} reason */
  say(reason) {
    const { variant, top } = this.board;
    this.node.replaceChildren(svg("text", { class: "none", x: (variant.width + 1) / 2, y: top - 0.47 }, reason));
  }

  /** @param {Value} value @param {number} x @param {boolean} isBest @param {boolean} isNext
      @param {((x: number, value: number) => string) | undefined} about */
  #chip(value, x, isBest, isNext, about) {
    const { top } = this.board;
    const node = svg("g", {}, svg("rect", { x: x + 0.57, y: top - 0.72, width: 0.86, height: 0.5, rx: 0.1 }));
    if (value === null) return node;
    const isKnown = typeof value === "number";
    node.append(svg("text", { x: x + 1, y: top - 0.47 }, isKnown ? signed(value) : value));
    if (!isKnown) return node;
    node.setAttribute("class", outcomeOf(value) + (isBest ? " best" : ""));
    if (isNext) node.append(svg("path", { class: "next", d: `M${x + 0.88} ${top - 0.15}h.24l-.12.12z` }));
    if (about) node.prepend(svg("title", {}, about(x, value)));
    return node;
  }
}

/** Returns buttons over a board: one for each column, or for each cell where stones do not fall.
    @param {Board} board @param {(column: number, row: number | null) => void} choose rows count from the top */
export function pressOf({ variant, above, top, left, height, frame }, choose) {
  const { width, gravity } = variant;
  const buttons = range(gravity ? width : variant.cells).map((i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    const node = button("", ({ detail }) => detail < 2 && choose(x, gravity ? null : y));
    node.style.gridArea = `${y + 2} / ${x + 2}`;
    return node;
  });
  const node = html("div", { class: "press", role: "group", "aria-label": gravity ? "Columns" : "Cells" }, ...buttons);
  const rows = gravity ? `${above}fr ${height}fr` : `${above + 0.5 - top}fr repeat(${variant.height}, 1fr) ${frame}fr`;
  node.style.gridTemplate = `${rows} / ${0.5 - left}fr repeat(${width}, 1fr) ${frame}fr`;
  return { node, buttons };
}
