// @ts-check
// The state of the page without a view: a game, at most one variation of it, and who plays.
//
// A line is a list of cells from the start. The variation leaves the game after `from` moves. `cursor` is the number
// of moves of the current line that are on the board.
import { bit, Position, STANDARD } from "./rules.js";

export const MOST_CELLS = 42; // of a board on which level 10 plays

/** @typedef {1 | 2 | "both"} Side the stones that the person moves */
/** @typedef {"play" | "analyse"} Mode */

export class Game {
  /** @param {{start?: Position, moves?: number[], level?: number, side?: Side, mode?: Mode}} settings */
  constructor({ start = new Position(STANDARD), moves = [], level = 3, side = 1, mode = "play" } = {}) {
    this.start = start;
    this.main = moves;
    /** @type {{from: number, cells: number[]} | null} */
    this.fork = null;
    this.inFork = false;
    this.cursor = moves.length;
    this.level = start.variant.cells > MOST_CELLS ? Math.min(level, 9) : level;
    /** @type {Side} */
    this.side = side;
    /** @type {Mode} */
    this.mode = mode;
  }

  get variant() {
    return this.start.variant;
  }

  /** The cells of the current line: of the game, or of the variation with the moves before it. */
  get line() {
    if (!this.fork || !this.inFork) return this.main;
    return [...this.main.slice(0, this.fork.from), ...this.fork.cells];
  }

  /** The cells that were played up to the position on the board. */
  get played() {
    return this.line.slice(0, this.cursor);
  }

  /** The positions of the current line, the start first. */
  get positions() {
    const positions = [this.start];
    for (const cell of this.line) positions.push(positions[positions.length - 1].play(cell));
    return positions;
  }

  get position() {
    return this.played.reduce((position, cell) => position.play(cell), this.start);
  }

  /** @returns {number | null} */
  get last() {
    return this.cursor ? this.line[this.cursor - 1] : null;
  }

  get isVaried() {
    return this.inFork && this.fork !== null && this.cursor > this.fork.from;
  }

  /** Whether the person moves the stones of a player. @param {1 | 2} player */
  isPerson(player) {
    return this.mode === "analyse" || this.side === "both" || this.side === player;
  }

  /** Whether the level is to move. */
  get isAwaited() {
    return !this.position.isOver && !this.isPerson(this.position.player);
  }

  /** @param {number} cursor */
  go(cursor, inFork = this.inFork) {
    this.inFork = inFork && this.fork !== null;
    this.cursor = Math.max(0, Math.min(cursor, this.line.length));
  }

  /** Makes a legal move. While the person plays, it replaces the moves that were taken back. @param {number} cell */
  play(cell) {
    if (this.line[this.cursor] === cell) this.cursor += 1;
    else if (this.mode === "play" || this.isVaried || this.cursor === this.main.length) this.#extend(cell);
    else this.#vary(cell);
  }

  /** @param {number} cell */
  #extend(cell) {
    const cells = [...this.played, cell];
    if (this.isVaried && this.fork) this.fork = { from: this.fork.from, cells: cells.slice(this.fork.from) };
    else this.main = cells;
    this.cursor = cells.length;
    if (this.mode === "play") this.fork = null;
  }

  /** @param {number} cell */
  #vary(cell) {
    this.fork = { from: this.cursor, cells: [cell] };
    this.inFork = true;
    this.cursor += 1;
  }

  removeVariation() {
    const from = this.fork ? this.fork.from : 0;
    this.fork = null;
    this.go(Math.min(this.cursor, from), false);
  }

  /** Makes the variation the game. */
  promoteVariation() {
    const { cursor } = this;
    this.go(0, true);
    this.main = this.line;
    this.fork = null;
    this.go(cursor, false);
  }

  /** The cursor after taking back: at the last turn of the person, or -1 if there is none. */
  get backTo() {
    return this.positions.findLastIndex((position, at) => at < this.cursor && this.isPerson(position.player));
  }

  /** The cursor after going forward: at the next turn of the person, or at the end; -1 if it is there. */
  get forwardTo() {
    if (this.cursor === this.line.length) return -1;
    const found = this.positions.findIndex((position, at) => at > this.cursor && this.isPerson(position.player));
    return found < 0 ? this.line.length : found;
  }
}

/**
 * Returns the position after a change by hand: the stone drops on the column, and 0 takes its top stone away.
 * @param {Position} position @param {number} column @param {0 | 1 | 2} stone
 */
export function edited(position, column, stone) {
  const { variant, first, second } = position;
  const inColumn = position.occupied & (variant.column << BigInt(column * variant.stride));
  const height = inColumn.toString(2).replaceAll("0", "").length;
  if (stone === 0) {
    const kept = ~bit(variant.cell(column, Math.max(0, height - 1)));
    return new Position(variant, first & kept, second & kept);
  }
  if (height === variant.height) return position;
  const added = bit(variant.cell(column, height));
  return new Position(variant, first | (stone === 1 ? added : 0n), second | (stone === 2 ? added : 0n));
}
