// @ts-check
// What the engine has found out about the positions of a game. It keeps exact values, and asks for what is missing:
// first the position on the board, then its best line, then the other positions of the game, the last one first.
import { count } from "./rules.js";

/** @typedef {import("./rules.js").Position} Position */
/** @typedef {Map<number, {low: number, high: number}>} Values */

const MOST_MS = 15_000; // for a position that is not on the board

/** @param {Position} position */
const key = (position) => `${position.variant.name} ${position.first} ${position.second}`;

/** @param {Values} values */
export const isExact = (values) => [...values.values()].every(({ low, high }) => low === high);

/** Returns the value of a position in which the game is over, for the first player. @param {Position} position */
function finalValue(position) {
  const { variant, winner, first, second } = position;
  if (winner === 1) return 1 + Math.ceil(variant.cells / 2) - count(first);
  return winner === 2 ? -1 - Math.floor(variant.cells / 2) + count(second) : 0;
}

export class Study {
  /** @param {any} engine @param {() => void} changed called when there is something new to show
   * @param {(error: Error) => void} failed */
  constructor(engine, changed, failed) {
    this.failed = failed;
    this.isDone = false;
    this.engine = engine;
    this.changed = changed;
    /** @type {Map<string, Values>} */
    this.exact = new Map();
    /** @type {Map<string, number[]>} */
    this.lines = new Map();
    /** @type {Set<string>} */
    this.tooHard = new Set();
    /** @type {{key: string, values: Values} | null} */
    this.bounds = null;
    this.task = new AbortController();
    this.wanted = "";
  }

  /** Looks at a position, and if asked at its best line and at other positions. @param {Position} position */
  look(position, withLine = false, /** @type {Position[]} */ others = []) {
    const wanted = [key(position), withLine, ...others.map(key)].join();
    if (wanted === this.wanted) return;
    this.stop();
    this.wanted = wanted;
    const { signal } = this.task;
    this.#work(position, withLine, others, signal).catch((error) => {
      if (!signal.aborted) this.failed(error);
    });
  }

  stop() {
    this.task.abort();
    this.task = new AbortController();
    this.wanted = "";
    this.isDone = false;
  }

  /** @param {Position} position @param {boolean} withLine @param {Position[]} others @param {AbortSignal} signal */
  async #work(position, withLine, others, signal) {
    await this.#solve(position, { signal, onBounds: (/** @type {Values} */ values) => this.#show(position, values) });
    if (withLine && !position.isOver && !this.lines.has(key(position))) {
      this.lines.set(key(position), await this.engine.bestLine(position, { signal }));
      this.changed();
    }
    for (const other of [...others].reverse()) await this.#solve(other, { signal, ms: MOST_MS });
    this.isDone = true;
    this.changed();
  }

  /** @param {Position} position @param {{signal: AbortSignal, ms?: number, onBounds?: (values: Values) => void}} how */
  async #solve(position, how) {
    const name = key(position);
    if (position.isOver || this.exact.has(name) || (how.ms && this.tooHard.has(name))) return;
    const values = await this.engine.values(position, how);
    if (isExact(values)) this.exact.set(name, values);
    else if (how.ms) this.tooHard.add(name);
    this.changed();
  }

  /** @param {Position} position @param {Values} values */
  #show(position, values) {
    this.bounds = { key: key(position), values };
    this.changed();
  }

  /** The values of the moves as far as they are known, or null. @param {Position} position */
  valuesOf(position) {
    const name = key(position);
    return this.exact.get(name) ?? (this.bounds?.key === name ? this.bounds.values : null);
  }

  /** The best line, or null while it is not known. @param {Position} position */
  lineOf(position) {
    return this.lines.get(key(position)) ?? null;
  }

  /** The exact value for the first player, or null. @param {Position} position */
  valueOf(position) {
    if (position.isOver) return finalValue(position);
    const values = this.exact.get(key(position));
    if (!values) return null;
    const best = Math.max(...[...values.values()].map(({ low }) => low));
    return position.player === 1 ? best : 0 - best;
  }

  /**
   * Returns the moves that changed the result for the worse: how many moves were made with it, and the results
   * (-1, 0, 1) before and after it for the player who made it.
   * @param {Position[]} positions
   */
  turns(positions) {
    const values = positions.map((position) => this.valueOf(position));
    return positions.slice(1).flatMap((_, i) => {
      const [before, after] = [values[i], values[i + 1]];
      if (before === null || after === null) return [];
      const sign = positions[i].player === 1 ? 1 : -1;
      const found = { at: i + 1, before: sign * Math.sign(before), after: sign * Math.sign(after) };
      return found.after < found.before ? [found] : [];
    });
  }
}
