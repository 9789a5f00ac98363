// @ts-check
// The curve of a game: one step for each position, up if the first player wins. A click goes to the position.
import { html, svg } from "./dom.js";

export const HALF = 50;

/** Texts of a curve: which way each player wins, what it shows with a number of turns, and each position.
    @typedef {{ up: string, down: string, about(turns: number): string, point(at: number, value: number | null): string }} Texts */

export class CurveView {
  /** @param {(at: number) => void} go @param {Texts} texts */
  constructor(go, texts) {
    this.texts = texts;
    this.cursor = svg("rect", { class: "cursor", y: 0, width: 1, height: 2 * HALF });
    this.shapes = svg("g");
    this.cells = svg("g");
    this.svg = svg("svg", { preserveAspectRatio: "none", role: "img" });
    this.svg.addEventListener("click", (event) => go(this.#clicked(event)));
    this.svg.append(this.cursor, this.shapes, this.cells);
    const up = html("span", { class: "p1" }, texts.up);
    const down = html("span", { class: "p2" }, texts.down);
    this.wait = html("span", { class: "wait" });
    this.node = html("figure", { class: "curve" }, html("figcaption", {}, up, this.wait, down), this.svg);
    this.drawn = "";
  }

  /** @param {(number | null)[]} values for the first player @param {number} cursor @param {number[]} turns
      @param {number} most the highest value @param {number} [decisive] turn */
  draw(values, cursor, turns, most, decisive) {
    this.cursor.setAttribute("x", String(cursor));
    const drawn = JSON.stringify([values, turns, most]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.svg.setAttribute("viewBox", `0 0 ${values.length} ${2 * HALF}`);
    this.svg.setAttribute("aria-label", this.texts.about(turns.length));
    this.shapes.replaceChildren(...shapesOf(values, turns, most, decisive));
    this.cells.replaceChildren(...values.map((value, at) => this.#cell(value, at)));
  }

  /** @param {number | null} value @param {number} at */
  #cell(value, at) {
    const title = svg("title");
    title.textContent = this.texts.point(at, value);
    return svg("rect", { class: "cell", x: at, y: 0, width: 1, height: 2 * HALF }, title);
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const { left, width } = this.svg.getBoundingClientRect();
    const { length } = this.cells.children;
    return Math.min(length - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * length)));
  }
}

/** Returns the shapes of a curve.
    @param {(number | null)[]} values @param {number[]} turns @param {number} most @param {number} [decisive] */
export function shapesOf(values, turns, most, decisive = turns.at(-1)) {
  const y = (/** @type {number} */ value) => HALF - Math.sign(value) * (14 + ((HALF - 18) * Math.abs(value)) / most);
  const marks = turns.map((at) => {
    const name = at === decisive ? "mark decisive" : "mark";
    return svg("path", { class: name, d: `M${at + 0.5} ${y(values[at] ?? 0)}h0` });
  });
  const axis = svg("path", { class: "axis", d: `M0 ${HALF}H${values.length}` });
  const [up, down] = [1, -1].map((sign) => area(values, sign, y));
  const line = svg("path", { class: "trace", d: trace(values, y) });
  return [svg("path", { class: "up", d: up }), svg("path", { class: "down", d: down }), axis, line, ...marks];
}

/** @param {(number | null)[]} values @param {number} sign @param {(value: number) => number} y */
function area(values, sign, y) {
  const step = (/** @type {number | null} */ value, /** @type {number} */ at) =>
    value !== null && Math.sign(value) === sign ? `M${at} ${HALF}V${y(value)}h1V${HALF}z` : "";
  return values.map(step).join("");
}

/** @param {(number | null)[]} values @param {(value: number) => number} y */
function trace(values, y) {
  const step = (/** @type {number | null} */ value, /** @type {number} */ at) => {
    if (value === null) return "";
    return `${(values[at - 1] ?? null) === null ? `M${at} ` : "V"}${y(value)}h1`;
  };
  return values.map(step).join("");
}
