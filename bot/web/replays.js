// @ts-check
// The engine for the replays of c4-referee, whose scripts are no modules. Questions and answers are plain data. Columns
// and rows count from 0, rows from the bottom. Moves are the columns of a game from the empty board.

import { Engine } from "./engine/client.js";
import { Position, range, Variant } from "../../protocol/web/rules.js";
import { UNKNOWN } from "./values.js";

/** @import { Bounds, Values } from "./values.js" */

const VALUES_MS = 60_000;

/** A new question ends the one before of the same kind, which is then rejected with an `AbortError`. */
class ReplayEngine {
  /** @param {{ width: number, height: number, connect: number }} size
      @param {string} folder the address of the folder of engine.js, with a slash at the end */
  constructor({ width, height, connect }, folder) {
    this.variant = new Variant(width, height, connect);
    this.engine = new Engine({ folder });
    this.ready = this.engine.ready.then(() => this);
    /** @type {Record<string, AbortController>} */
    this.tasks = {};
  }

  /** Returns bounds for each column, null for a full one, after a minute or when all are exact. `onBounds` gets what is
      known before. @param {number[]} moves @param {(row: (Bounds | null)[]) => void} onBounds */
  async values(moves, onBounds) {
    const position = this.#position(moves);
    const cells = range(this.variant.width).map((column) => position.cellIn(column));
    const row = (/** @type {Values} */ values) => cells.map((cell) => (cell === null ? null : (values.get(cell) ?? UNKNOWN)));
    const use = (/** @type {Values} */ values) => onBounds(row(values));
    return row(await this.engine.values(position, { signal: this.#begin("values"), ms: VALUES_MS, onBounds: use }));
  }

  /** Returns the column that a level plays. @param {number[]} moves @param {number} level 1 to 10 */
  async move(moves, level) {
    return this.variant.columnOf(await this.engine.move(this.#position(moves), level, this.#begin("move")));
  }

  /** Returns why a move is good or a mistake, with the cells that the text speaks of, each as its column and row.
      @param {number[]} moves @param {number} column */
  async explain(moves, column) {
    const { variant } = this;
    const position = this.#position(moves);
    const { text, cells, better } = await this.engine.explain(position, position.cellIn(column), this.#begin("explain"));
    return { text, isMistake: better !== null, cells: cells.map((cell) => [variant.columnOf(cell), variant.rowOf(cell)]) };
  }

  /** Ends all questions. */
  stop() {
    for (const task of Object.values(this.tasks)) task.abort();
  }

  /** @param {"values" | "move" | "explain"} kind */
  #begin(kind) {
    this.tasks[kind]?.abort();
    this.tasks[kind] = new AbortController();
    return this.tasks[kind].signal;
  }

  /** Returns the position after legal moves. @param {number[]} moves */
  #position(moves) {
    const play = (/** @type {Position} */ position, /** @type {number} */ column) =>
      position.play(/** @type {number} */ (position.cellIn(column)));
    return moves.reduce(play, new Position(this.variant));
  }
}

Object.assign(globalThis, { C4ReplayEngine: ReplayEngine });
