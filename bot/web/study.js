// @ts-check
// What the engine has found out about the positions of a game. It asks for what is missing: first the values of the
// position on the board, then its best line, then the other positions of the game, the last one first.
import { count } from "../../protocol/web/rules.js";
import { bestOf, isExact, UNKNOWN } from "./values.js";

/** @import { Engine } from "./engine/client.js" */
/** @import { Position } from "../../protocol/web/rules.js" */
/** @import { Values } from "./values.js" */
/** A move that made the result worse for its player: the number of moves with it, and the results (-1, 0, 1).
    @typedef {{at: number, before: number, after: number}} Turn */

const MAX_MS = 60_000; // for the position on the board
const OTHER_MS = 5_000; // for another one

/** @param {Position} position */
const key = (position) => `${position.variant.name} ${position.first} ${position.second}`;

/** Returns the value for the first player when the game is over. @param {Position} position */
function finalValue({ variant, winner, first, second }) {
  if (winner === 1) return 1 + Math.ceil(variant.cells / 2) - count(first);
  return winner === 2 ? count(second) - Math.floor(variant.cells / 2) - 1 : 0;
}

export class Study {
  /** @param {Engine} engine @param {() => void} changed @param {(error: Error) => void} failed */
  constructor(engine, changed, failed) {
    this.engine = engine;
    this.changed = changed;
    this.failed = failed;
    /** @type {Map<string, Values>} */
    this.found = new Map();
    /** @type {Map<string, number[]>} */
    this.lines = new Map();
    /** @type {Map<string, number>} how long positions were searched */
    this.spent = new Map();
    this.task = new AbortController();
    this.wanted = "";
    this.isDone = false;
  }

  /** Looks at a position, in an analysis also at its best line and at other positions.
      @param {Position} position @param {Position[] | null} others */
  look(position, others) {
    const wanted = [position, ...(others ?? [])].map(key).join();
    if (wanted === this.wanted) return;
    this.stop();
    this.wanted = wanted;
    const { signal } = this.task;
    this.#work(position, others, signal).catch((error) => {
      if (!signal.aborted) this.failed(error);
    });
  }

  stop() {
    this.task.abort();
    this.task = new AbortController();
    this.wanted = "";
    this.isDone = false;
  }

  /** @param {Position} position @param {Position[] | null} others @param {AbortSignal} signal */
  async #work(position, others, signal) {
    await this.#solve(position, { signal, ms: MAX_MS, onBounds: (values) => this.#keep(position, values) });
    if (others && this.#isSolved(position) && !this.lineOf(position)) {
      this.#keepLine(position, await this.engine.bestLine(position, signal));
    }
    for (const other of [...(others ?? [])].reverse()) await this.#solve(other, { signal, ms: OTHER_MS });
    this.isDone = true;
    this.changed();
  }

  /** @param {Position} position @param {{signal: AbortSignal, ms: number, onBounds?: (values: Values) => void}} how */
  async #solve(position, how) {
    const name = key(position);
    if (position.isOver || this.#isSolved(position) || (this.spent.get(name) ?? 0) >= how.ms) return;
    this.#keep(position, await this.engine.values(position, how));
    this.spent.set(name, how.ms);
  }

  /** @param {Position} position */
  #isSolved(position) {
    const known = this.valuesOf(position);
    return known !== null && isExact(known);
  }

  /** @param {Position} position @param {Values} values */
  #keep(position, values) {
    this.found.set(key(position), values);
    this.changed();
  }

  /** The rest of a best line is the best line after its moves. @param {Position} position @param {number[]} line */
  #keepLine(position, line) {
    this.lines.set(key(position), line);
    if (line.length > 1) this.#keepLine(position.play(line[0]), line.slice(1));
    else this.changed();
  }

  /** The values of the moves as far as they are known, or null. @param {Position} position */
  valuesOf(position) {
    return this.found.get(key(position)) ?? null;
  }

  /** The best line, or null while it is not known. @param {Position} position */
  lineOf(position) {
    return this.lines.get(key(position)) ?? null;
  }

  /** Bounds of the value for the first player. @param {Position} position */
  boundsOf(position) {
    const values = this.valuesOf(position);
    const { low, high } = values ? bestOf(values) : UNKNOWN;
    return position.player === 1 ? { low, high } : { low: 0 - high, high: 0 - low };
  }

  /** The exact value for the first player, or null. @param {Position} position */
  valueOf(position) {
    if (position.isOver) return finalValue(position);
    const { low, high } = this.boundsOf(position);
    return low === high ? low : null;
  }

  /** Returns the moves that changed the result for the worse. @param {Position[]} positions @returns {Turn[]} */
  turns(positions) {
    const values = positions.map((position) => this.valueOf(position));
    return positions.slice(1).flatMap((_, i) => {
      const [before, after] = [values[i], values[i + 1]];
      if (before === null || after === null) return [];
      const result = (/** @type {number} */ value) => Math.sign(positions[i].player === 1 ? value : 0 - value);
      const turn = { at: i + 1, before: result(before), after: result(after) };
      return turn.after < turn.before ? [turn] : [];
    });
  }
}
