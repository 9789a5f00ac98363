// @ts-check
// The state of the page without a view: a game, at most one variation of it, and who plays.
//
// A line is a list of cells from the start. The variation leaves the game after `from` moves. `cursor` is the number
// of moves of the current line that are on the board.
import { bit, Position, STANDARD } from "../../protocol/web/rules.js";

/** @import { Link } from "./notation.js" */

export const MOST_CELLS = 42; // of a board on which level 10 plays

export class Game {
  /** @type {Position[]} the positions of the line that was asked for last */
  #positions = [];
  #line = "";

  /** @param {Partial<Link>} settings as in a link; `start` is null for the empty board */
  constructor({ variant = STANDARD, start = null, moves = [], level = 3, side = 1, mode = "play", lesson = "" } = {}) {
    this.start = start ?? new Position(variant);
    this.main = moves;
    /** @type {{from: number, cells: number[]} | null} */
    this.fork = null;
    this.inFork = false;
    this.cursor = moves.length;
    this.wish = level;
    this.side = side;
    this.mode = mode;
    this.lesson = lesson;
  }

  get variant() {
    return this.start.variant;
  }

  /** The level that plays: the wish of the person if this board allows it. */
  get level() {
    return this.variant.cells > MOST_CELLS ? Math.min(this.wish, 9) : this.wish;
  }

  /** What a link says of it. */
  get link() {
    const { variant, start, played: moves, wish: level, side, mode, lesson } = this;
    return { variant, start: start.ply ? start : null, moves, level, side, mode, lesson };
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
    const { line } = this;
    if (!this.#positions.length || line.join() !== this.#line) {
      this.#line = line.join();
      this.#positions = [this.start];
      for (const [i, cell] of line.entries()) this.#positions.push(this.#positions[i].play(cell));
    }
    return this.#positions;
  }

  get position() {
    return this.positions[this.cursor];
  }

  get last() {
    return this.cursor ? this.line[this.cursor - 1] : null;
  }

  /** Whether there is neither a move nor a stone. */
  get isEmpty() {
    return !this.start.ply && !this.main.length;
  }

  /** Whether the person can begin a game or choose how. */
  get isFresh() {
    return this.mode === "play" && this.isEmpty && !this.isAwaited;
  }

  get isVaried() {
    return this.inFork && this.fork !== null && this.cursor > this.fork.from;
  }

  /** Whether the person moves the stones of a player. @param {1 | 2} player */
  isPerson(player) {
    return this.mode !== "play" || this.side === "both" || this.side === player;
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

  /** A game that is played goes on from its end, without its variation. @param {Link["mode"]} mode */
  setMode(mode) {
    this.mode = mode;
    if (mode === "play") this.go(this.main.length, false);
  }

  /** Makes a legal move. In an analysis, it goes on in a line that has it, or else begins a variation. Otherwise it
      replaces the moves that were taken back. @param {number} cell */
  play(cell) {
    const { cursor, main, fork } = this;
    if (this.mode !== "analyse") this.#replace(cell);
    else if (this.line[cursor] === cell) this.cursor += 1;
    else if (this.isVaried && fork) this.#vary(fork.from, cell);
    else if (main[cursor] === cell) this.go(cursor + 1, false);
    else if (fork?.from === cursor && fork.cells[0] === cell) this.go(cursor + 1, true);
    else if (cursor === main.length) this.#replace(cell);
    else this.#vary(cursor, cell);
  }

  /** @param {number} cell */
  #replace(cell) {
    this.main = [...this.played, cell];
    if (this.mode === "play") this.fork = null;
    this.go(this.main.length, false);
  }

  /** @param {number} from @param {number} cell */
  #vary(from, cell) {
    this.fork = { from, cells: [...this.played.slice(from), cell] };
    this.go(this.cursor + 1, true);
  }

  removeVariation() {
    const cursor = this.isVaried && this.fork ? this.fork.from : this.cursor;
    this.fork = null;
    this.go(cursor, false);
  }

  /** Makes the variation the game. */
  promoteVariation() {
    this.inFork = true;
    this.main = this.line;
    this.fork = null;
    this.go(this.cursor);
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

/** Returns the position after a change by hand: the stone drops on the column, and 0 takes its top stone away.
    @param {Position} position @param {number} column @param {0 | 1 | 2} stone */
export function edited(position, column, stone) {
  const { variant, first, second } = position;
  const free = position.cellIn(column);
  if (stone === 0) {
    const kept = ~bit((free ?? variant.cell(column, variant.height)) - 1); // below an empty column is no stone
    return new Position(variant, first & kept, second & kept);
  }
  if (free === null) return position;
  return new Position(variant, first | (stone === 1 ? bit(free) : 0n), second | (stone === 2 ? bit(free) : 0n));
}
