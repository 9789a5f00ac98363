// @ts-check
// The picture of a board, everywhere: stones behind a front with real holes, and marks before it. A cell is one unit
// wide, as in picture.js.
import { COLUMN_NAMES, rowName } from "./names.js";
import { lines } from "./picture.js";
import { cellsOf, range } from "./rules.js";
import { svg } from "./dom.js";

/** @import { Position, Variant } from "./rules.js" */

const MOST_NAMES = 13; // on a wider board only some columns have names, in larger letters
const FALL_MS = 300; // from the top to the bottom
const FADE_MS = 150; // of a stone that does not fall
const LAYERS = [["b1"], ["b2", "br", "bi"]];

/** Whether the reader wants less motion. */
export const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export class Board {
  /** @param {Variant} variant @param {{ names?: "drawn" | "room" | "", above?: number, label?: string }} how whether
        rows and columns have names, or room for them, the room above the frame, in cells, and a description */
  constructor(variant, { names = "drawn", above = 0, label = "" } = {}) {
    const { width, height, gravity } = variant;
    this.variant = variant;
    this.step = Math.ceil(width / MOST_NAMES);
    this.above = above;
    this.frame = 0.15 * this.step;
    const edge = names ? 0.5 * this.step : this.frame;
    this.left = 0.5 - (gravity ? this.frame : edge + (names ? this.frame : 0));
    this.top = 0.5 - edge;
    this.width = width + 0.5 + this.frame - this.left;
    this.height = height + 0.5 + this.frame - this.top;
    this.stones = svg("g");
    this.marks = svg("g");
    /** @type {Map<number, {owner: number, node: Element}>} */
    this.drawn = new Map();
    const hole = svg("rect", { class: "bk", x: 0.55, y: 0.55, width: width - 0.1, height: height - 0.1 });
    const box = [this.left, this.top - above, this.width, this.height + above].join(" ");
    const about = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
    this.node = svg("svg", { class: "bo", viewBox: box, ...about }, hole, this.stones, this.#front());
    if (names === "drawn") this.node.append(this.#names());
    this.node.append(this.marks);
  }

  /** Draws a position. The last move has a dot, complete lines have a stroke. One new stone falls.
      @param {Position} position @param {number | null} [last] @param {(Element | null)[]} [marks] on top */
  draw(position, last = null, marks = []) {
    this.#drawStones(position);
    const strokes = ["bs", "bw"].flatMap((name) => lines(position).map((d) => svg("path", { class: name, d })));
    const dots = last === null ? [] : [this.dot("bl", position.cellOf(last))];
    this.marks.replaceChildren(...strokes, ...dots, ...marks.filter((mark) => mark !== null));
  }

  /** @param {number} cell */
  centre(cell) {
    return { x: this.variant.columnOf(cell) + 1, y: this.variant.height - this.variant.rowOf(cell) };
  }

  /** @param {string} name @param {number} cell */
  dot(name, cell) {
    const { x, y } = this.centre(cell);
    return svg("path", { class: name, d: `M${x} ${y}h0` });
  }

  /** @param {string} name @param {number} cell @param {number} r */
  ring(name, cell, r) {
    const { x, y } = this.centre(cell);
    return svg("circle", { class: name, cx: x, cy: y, r });
  }

  /** Returns a circle with an edge, so that it is seen on every stone. @param {number} cell @param {string} name */
  mark(cell, name = "mark", r = 0.41) {
    return ["under", "over"].map((layer) => this.ring(`${name} ${layer}`, cell, r));
  }

  #front() {
    const { left, top, width, height, variant } = this;
    let d = `M${left} ${top + 0.2}a.2.2 0 0 1 .2-.2h${width - 0.4}a.2.2 0 0 1 .2.2v${height - 0.4}a.2.2 0 0 1-.2.2`;
    d += `h${0.4 - width}a.2.2 0 0 1-.2-.2z`;
    for (const y of range(variant.height))
      for (const x of range(variant.width)) d += `M${x + 1 - 0.41} ${y + 1}a.41.41 0 1 0 .82 0a.41.41 0 1 0-.82 0z`;
    return svg("path", { class: "bf", d, "fill-rule": "evenodd" });
  }

  #names() {
    const { step } = this;
    const { width, height, gravity } = this.variant;
    const group = svg("g", { class: "bt" });
    group.style.setProperty("--size", `${0.34 * step}px`); // a policy of a server may forbid the attribute
    const write = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ text) =>
      group.append(svg("text", { x, y }, text));
    for (let i = step; i <= width; i += step) write(i, 0.5 - 0.24 * step, gravity ? COLUMN_NAMES[i - 1] : `${i}`);
    for (let i = step; i <= height && !gravity; i += step) write(0.5 - 0.28 * step, i, rowName(i - 1));
    return group;
  }

  /** @param {Position} position */
  #drawStones(position) {
    const wasEmpty = this.drawn.size === 0;
    const removed = [];
    for (const [cell, { owner, node }] of this.drawn) {
      if (position.ownerOf(cell) === owner) continue;
      node.remove();
      this.drawn.delete(cell);
      removed.push(cell);
    }
    const added = cellsOf(position.occupied).filter((cell) => !this.drawn.has(cell));
    for (const cell of added) this.#addStone(cell, position.ownerOf(cell));
    const isOne = added.length === 1 && (!wasEmpty || position.ply === 1);
    if (isOne && removed.every((cell) => cell === added[0])) this.#animate(added[0], removed.length > 0);
  }

  /** @param {number} cell @param {number} owner */
  #addStone(cell, owner) {
    const node = svg("g", {}, ...LAYERS[owner - 1].map((name) => this.dot(name, cell)));
    this.stones.append(node);
    this.drawn.set(cell, { owner, node });
  }

  /** A stone accelerates: way grows with the square of time, which is exactly this curve. A stolen stone, or one that
      does not fall, appears. @param {number} cell @param {boolean} isStolen */
  #animate(cell, isStolen) {
    const node = this.drawn.get(cell)?.node;
    if (!node || isCalm()) return;
    if (isStolen || !this.variant.gravity) return void node.animate({ opacity: [0, 1] }, FADE_MS);
    const way = this.centre(cell).y + 0.47;
    const duration = FALL_MS * Math.sqrt(way / (this.variant.height + 0.47));
    const easing = "cubic-bezier(.333, 0, .667, .333)";
    node.animate([{ transform: `translateY(${-way}px)` }, { transform: "none" }], { duration, easing });
  }
}
