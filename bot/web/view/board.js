// @ts-check
// The board: a picture that is the same as in a replay, and over it a grid with a button for each column. People
// click, touch and read the grid; the picture is hidden from screen readers.
import { COLUMN_NAMES } from "../notation.js";
import { lines } from "../picture.js";
import { cellsOf, range } from "../rules.js";
import { bestOf, isExact } from "../values.js";
import { html, isCommand, svg, switchOff, write } from "./dom.js";
import { boundsText, cellText, outcome, say } from "./words.js";

/** @import { Position, Threat, Variant } from "../rules.js" */
/** @import { Bounds, Values } from "../values.js" */
/** What is drawn. `stone` is what a click puts on a column: a stone, or 0 to take one; null if clicks do nothing.
    @typedef {{ position: Position, last: number | null, stone: 0 | 1 | 2 | null, isEdit: boolean, marks: number[],
      hint: number | null, values: Values | null, threats: Threat[] }} Scene */

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const FALL_MS = 300; // from the top to the bottom
const ABOVE = 0.94; // room above the frame for values and for the stone that is held, in cells

/** The front of the board has real holes: stones drop behind it. @param {Variant} variant */
function front({ width, height }) {
  let path = `M.35 .2a.2.2 0 0 1 .2-.2h${width - 0.1}a.2.2 0 0 1 .2.2v${height + 0.25}`;
  path += `a.2.2 0 0 1-.2.2h${0.1 - width}a.2.2 0 0 1-.2-.2z`;
  for (const y of range(height))
    for (const x of range(width)) path += `M${x + 1 - 0.41} ${y + 1}a.41.41 0 1 0 .82 0a.41.41 0 1 0-.82 0z`;
  return svg("path", { class: "bf", d: path, "fill-rule": "evenodd" });
}

/** @param {string} name @param {{x: number, y: number}} at */
const dot = (name, { x, y }) => svg("path", { class: name, d: `M${x} ${y}h0` });

export class BoardView {
  /** @param {HTMLElement} place @param {(column: number) => void} choose */
  constructor(place, choose) {
    this.place = place;
    this.choose = choose;
    /** @type {Variant | null} */
    this.variant = null;
    this.stones = svg("g");
    this.marks = svg("g");
    /** @type {Map<number, {owner: number, node: Element}>} */
    this.drawn = new Map();
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
    if (this.variant?.name !== scene.position.variant.name) this.#build(scene.position.variant);
    this.place.dataset.stone = String(scene.stone ?? "");
    this.#drawStones(scene.position);
    this.#drawMarks(scene);
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
    this.variant = variant;
    this.drawn.clear();
    this.stones.replaceChildren();
    const root = document.documentElement.style;
    root.setProperty("--w", String(width));
    root.setProperty("--h", String(height));
    const box = `.35 ${-ABOVE} ${width + 0.3} ${height + 0.65 + ABOVE}`;
    const hole = svg("rect", { class: "bk", x: 0.45, y: 0.1, width: width + 0.1, height: height + 0.45 });
    const picture = svg("svg", { class: "bo", viewBox: box, "aria-hidden": "true" });
    picture.append(hole, this.stones, front(variant), this.marks);
    this.place.replaceChildren(picture, this.#grid(variant));
    const middle = this.targets[0][Math.floor(width / 2)];
    middle.tabIndex = 0;
    this.#hold(middle);
    if (hadFocus) middle.focus();
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

  /** @param {number} cell */
  #centre(cell) {
    const variant = /** @type {Variant} */ (this.variant);
    return { x: variant.columnOf(cell) + 1, y: variant.height - variant.rowOf(cell) };
  }

  /** @param {Position} position */
  #drawStones(position) {
    const wasEmpty = this.drawn.size === 0;
    let removed = 0;
    for (const [cell, { owner, node }] of this.drawn) {
      if (position.ownerOf(cell) === owner) continue;
      node.remove();
      this.drawn.delete(cell);
      removed += 1;
    }
    const added = cellsOf(position.occupied).filter((cell) => !this.drawn.has(cell));
    for (const cell of added) this.#addStone(cell, position.ownerOf(cell));
    if (added.length === 1 && !removed && (!wasEmpty || position.ply === 1)) this.#drop(added[0]);
  }

  /** @param {number} cell @param {number} owner */
  #addStone(cell, owner) {
    const names = owner === 1 ? ["b1"] : ["b2", "br", "bi"];
    const node = svg("g", {}, ...names.map((name) => dot(name, this.#centre(cell))));
    this.stones.append(node);
    this.drawn.set(cell, { owner, node });
  }

  /** A stone accelerates: way grows with the square of time, which is exactly this curve. @param {number} cell */
  #drop(cell) {
    const node = this.drawn.get(cell)?.node;
    if (!node || calm.matches || !this.variant) return;
    const way = this.#centre(cell).y + 0.47;
    const duration = FALL_MS * Math.sqrt(way / (this.variant.height + 0.47));
    const easing = "cubic-bezier(.333, 0, .667, .333)";
    node.animate([{ transform: `translateY(${-way}px)` }, { transform: "none" }], { duration, easing });
  }

  /** @param {Scene} scene */
  #drawMarks({ position, last, marks, hint, threats }) {
    /** @type {Element[]} */
    const shapes = ["bs", "bw"].flatMap((name) => lines(position).map((d) => svg("path", { class: name, d })));
    if (last !== null) shapes.push(dot("bl", this.#centre(last)));
    for (const threat of threats) shapes.push(this.#threat(threat, threats));
    for (const cell of marks) shapes.push(...this.#rings(cell, "mark"));
    if (hint !== null) shapes.push(...this.#rings(hint, "hint"));
    this.marks.replaceChildren(...shapes);
  }

  /** A diamond in odd rows, a square in even rows. Threats of both players on one cell stand side by side.
      @param {Threat} threat @param {Threat[]} threats */
  #threat({ cell, player }, threats) {
    const { x, y } = this.#centre(cell);
    const isShared = threats.filter((other) => other.cell === cell).length > 1;
    const at = isShared ? x + (player === 1 ? -0.2 : 0.2) : x;
    const isEven = this.variant && this.variant.rowOf(cell) % 2;
    const d = isEven ? `M${at - 0.15} ${y - 0.15}h.3v.3h-.3z` : `M${at} ${y - 0.21}l.21 .21 -.21 .21 -.21 -.21z`;
    return svg("path", { class: `threat t${player}`, d });
  }

  /** @param {number} cell @param {string} kind */
  #rings(cell, kind) {
    const { x, y } = this.#centre(cell);
    const r = kind === "hint" ? 0.35 : 0.41;
    return ["under", "over"].map((name) => svg("circle", { class: `${kind} ${name}`, cx: x, cy: y, r }));
  }

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
