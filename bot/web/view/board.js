// @ts-check
// The board: the picture of protocol/web/board.js, and over it a grid with a button for each column. People
// click, touch and read the grid; the picture is hidden from screen readers.
import { Board } from "../../../protocol/web/board.js";
import { COLUMN_NAMES } from "../../../protocol/web/names.js";
import { range } from "../../../protocol/web/rules.js";
import { bestOf, isExact } from "../values.js";
import { html, isCommand, svg, switchOff, write } from "../../../protocol/web/dom.js";
import { boundsText, cellText, outcome, say } from "./words.js";

/** @import { Position, Threat, Variant } from "../../../protocol/web/rules.js" */
/** @import { Bounds, Values } from "../values.js" */
/** What is drawn. `stone` is what a click puts on a column: a stone, or 0 to take one; null if clicks do nothing.
    @typedef {{ position: Position, last: number | null, stone: 0 | 1 | 2 | null, isEdit: boolean, marks: number[],
      hint: number | null, values: Values | null, threats: Threat[] }} Scene */

const ABOVE = 0.94; // room above the frame for values and for the stone that is held, in cells

export class BoardView {
  /** @param {HTMLElement} place @param {(column: number) => void} choose */
  constructor(place, choose) {
    this.place = place;
    this.choose = choose;
    /** @type {Board | null} */
    this.board = null;
    /** @type {HTMLElement[][]} the buttons of the columns, then the rows from the top; each from left to right */
    this.targets = [];
    /** @type {HTMLElement[]} */
    this.values = [];
    place.addEventListener("keydown", (event) => this.#act(event));
    place.addEventListener("focusin", (event) => this.#keepTab(event));
    place.addEventListener("pointerover", (event) => {
      this.#hold(/** @type {Element} */ (event.target).closest(".column"));
    });
  }

  /** @param {Scene} scene */
  draw(scene) {
    const { position } = scene;
    const board = this.board?.variant.name === position.variant.name ? this.board : this.#build(position.variant);
    this.place.dataset.stone = String(scene.stone ?? "");
    board.draw(position, scene.last, marksOf(board, scene));
    this.#drawColumns(scene);
    this.#drawCells(scene);
  }

  focus() {
    this.targets.flat().find(({ tabIndex }) => tabIndex === 0)?.focus();
  }

  // Building, when the size changes

  /** @param {Variant} variant */
  #build(variant) {
    const { width, height } = variant;
    const hadFocus = this.place.contains(document.activeElement);
    const board = new Board(variant, { names: "room", above: ABOVE });
    this.board = board;
    const root = document.documentElement.style;
    root.setProperty("--w", String(width));
    root.setProperty("--h", String(height));
    this.place.replaceChildren(board.node, this.#grid(variant));
    const middle = this.targets[0][Math.floor(width / 2)];
    middle.tabIndex = 0;
    this.#hold(middle);
    if (hadFocus) middle.focus();
    return board;
  }

  /** @param {Variant} variant */
  #grid({ width, height }) {
    const buttons = range(width).map((x) => this.#columnButton(x));
    this.values = buttons.map(() => html("span", { "aria-hidden": "true" }));
    const heads = buttons.map((node, x) => html("div", { role: "columnheader" }, node, this.values[x]));
    const cells = range(height).map(() => buttons.map(() => html("div", { role: "gridcell", tabindex: -1 })));
    this.targets = [buttons, ...cells];
    const rows = cells.map((row, i) => {
      const head = html("div", { role: "rowheader", class: "unseen" }, say("row", { row: height - i }));
      return html("div", { role: "row" }, head, ...row);
    });
    const corner = html("div", { role: "columnheader", class: "unseen" }, say("board"));
    const first = html("div", { role: "row", class: "heads" }, corner, ...heads);
    return html("div", { role: "grid", "aria-label": say("board"), class: "grid" }, first, ...rows);
  }

  /** @param {number} x */
  #columnButton(x) {
    const [held, name] = ["held", "name"].map((part) => html("span", { class: part }));
    name.textContent = COLUMN_NAMES[x];
    return html("button", { type: "button", tabindex: -1, class: "column", onclick: () => this.choose(x) }, held, name);
  }

  // Keys move the focus or press the column; only one element of the grid is reached with Tab

  /** @param {KeyboardEvent} event */
  #act(event) {
    const { row, column } = this.#placeOf(event.target);
    const focus = (/** @type {number} */ y, /** @type {number} */ x) => () => this.targets[y]?.[x]?.focus();
    const press = () => this.targets[0][column].click();
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowLeft: focus(row, column - 1), ArrowRight: focus(row, column + 1), ArrowUp: focus(row - 1, column),
      ArrowDown: focus(row + 1, column), Home: focus(row, 0), End: focus(row, this.targets[0].length - 1),
      ...(row > 0 ? { Enter: press, " ": press } : {}), // the buttons in row 0 are pressed by the browser
    };
    const action = actions[event.key];
    if (!action || row < 0 || isCommand(event)) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }

  /** @param {FocusEvent} event */
  #keepTab(event) {
    this.#hold(event.target);
    for (const target of this.targets.flat()) target.tabIndex = target === event.target ? 0 : -1;
  }

  /** Holds the next stone above the column of the pointer or the focus. @param {EventTarget | null} target */
  #hold(target) {
    const { row, column } = this.#placeOf(target);
    if (row < 0) return;
    for (const [x, node] of this.targets[0].entries()) node.classList.toggle("here", x === column);
  }

  /** Returns the row and the column of a target; -1 if it is none. @param {EventTarget | null} target */
  #placeOf(target) {
    const columns = this.targets.map((targets) => targets.indexOf(/** @type {any} */ (target)));
    const row = columns.findIndex((column) => column >= 0);
    return { row, column: columns[row] };
  }

  // Drawing

  /** @param {Scene} scene */
  #drawColumns({ position, stone, isEdit, values }) {
    const best = values && isExact(values) ? bestOf(values).low : null;
    this.targets[0].forEach((node, x) => {
      const cell = position.cellIn(x);
      const bounds = (cell !== null && values?.get(cell)) || null;
      switchOff(node, stone === null || (stone !== 0 && cell === null));
      node.setAttribute("aria-label", this.#nameOf(x, cell, bounds, isEdit ? stone : null));
      const value = this.values[x];
      write(value, bounds ? boundsText(bounds) : "");
      value.className = `value ${bounds ? outcome(bounds) : ""}`;
      value.classList.toggle("best", bounds !== null && bounds.low === best);
    });
  }

  /** @param {number} x @param {number | null} cell @param {Bounds | null} bounds @param {Scene["stone"]} stone */
  #nameOf(x, cell, bounds, stone) {
    const column = COLUMN_NAMES[x];
    if (stone === 0) return say("take from", { column });
    if (cell === null) return say("full column", { column });
    if (stone) return say("drop on", { column });
    if (!bounds) return say("play column", { column });
    return say("value of", { column, value: boundsText(bounds), outcome: say(outcome(bounds)) });
  }

  /** @param {Scene} scene */
  #drawCells({ position, threats }) {
    const { variant } = position;
    this.targets.slice(1).forEach((row, i) => {
      row.forEach((node, x) => {
        const name = cellText(position, variant.cell(x, variant.height - 1 - i), threats);
        if (node.getAttribute("aria-label") !== name) node.setAttribute("aria-label", name);
      });
    });
  }
}

/** @param {Board} board @param {Scene} scene */
function marksOf(board, { marks, hint, threats }) {
  const shapes = threats.map((threat) => threatOn(board, threat, threats));
  return [...shapes, ...marks.flatMap((cell) => board.mark(cell)), ...(hint === null ? [] : board.mark(hint, "hint", 0.35))];
}

/** A diamond in odd rows, a square in even rows. Threats of both players on one cell stand side by side.
    @param {Board} board @param {Threat} threat @param {Threat[]} threats */
function threatOn(board, { cell, player }, threats) {
  const { x, y } = board.centre(cell);
  const isShared = threats.filter((other) => other.cell === cell).length > 1;
  const at = isShared ? x + (player === 1 ? -0.2 : 0.2) : x;
  const isEven = board.variant.rowOf(cell) % 2;
  const d = isEven ? `M${at - 0.15} ${y - 0.15}h.3v.3h-.3z` : `M${at} ${y - 0.21}l.21 .21 -.21 .21 -.21 -.21z`;
  return svg("path", { class: `threat t${player}`, d });
}
