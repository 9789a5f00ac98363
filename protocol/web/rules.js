// @ts-check
// The rules: c4_protocol/rules/variant.py and position.py again.
//
// A board is a BigInt with a spare bit above each column. A move is a cell: the index of a bit, or STEAL. Columns and
// rows count from 0, rows from the bottom.

/** The move with which the second player takes over the first stone. */
export const STEAL = -2;
const DIRECTIONS = ["horizontal", "vertical", "diagonal"];

/** Returns the indices of the bits, the lowest first. @param {bigint} bits */
export function cellsOf(bits) {
  const cells = [];
  for (let cell = 0; bits; cell += 1, bits >>= 1n) if (bits & 1n) cells.push(cell);
  return cells;
}

/** @param {bigint} bits */
export const count = (bits) => bits.toString(2).replaceAll("0", "").length;

/** Returns the whole numbers from 0 to one less than the length. @param {number} length */
export const range = (length) => [...Array(length).keys()];

/** @param {number} cell */
export const bit = (cell) => 1n << BigInt(cell);

/** The sizes of a board, the number of stones of a line, whether stones fall, in which directions lines count, and
    whether the first stone can be stolen. */
export class Variant {
  /** @param {number} width @param {number} height @param {number} connect
      @param {{ gravity?: boolean, directions?: string[], steal?: boolean }} rules */
  constructor(width, height, connect, { gravity = true, directions = DIRECTIONS, steal = false } = {}) {
    this.width = width;
    this.height = height;
    this.connect = connect;
    this.gravity = gravity;
    this.directions = directions;
    this.steal = steal;
    this.stride = height + 1;
    this.cells = width * height;
    this.column = (1n << BigInt(height)) - 1n;
    this.bottom = range(width).reduce((cells, x) => cells | bit(x * this.stride), 0n);
    this.all = this.bottom * this.column;
    const steps = [[this.stride], [1], [this.stride + 1, this.stride - 1]];
    this.steps = steps.flatMap((each, i) => (directions.includes(DIRECTIONS[i]) ? each.map(BigInt) : []));
  }

  /** Its name in links and files, such as 7x6x4. */
  get name() {
    return `${this.width}x${this.height}x${this.connect}`;
  }

  /** @param {number} column @param {number} row */
  cell(column, row) {
    return column * this.stride + row;
  }

  /** @param {number} cell */
  columnOf(cell) {
    return Math.floor(cell / this.stride);
  }

  /** @param {number} cell */
  rowOf(cell) {
    return cell % this.stride;
  }

  /** Returns the squared distance of a move from the centre, in units of half a cell. @param {number} cell */
  fromCentre(cell) {
    const up = this.gravity ? 0 : 2 * this.rowOf(cell) - this.height + 1;
    return (2 * this.columnOf(cell) - this.width + 1) ** 2 + up ** 2;
  }

  /** Returns the cells, taken or not, on which one more stone completes a line. @param {bigint} stones */
  completing(stones) {
    let found = 0n;
    for (const step of this.steps) {
      const before = [this.all];
      for (let i = 1; i < this.connect; i += 1) before.push((before[i - 1] & stones) << step);
      let after = this.all;
      for (let i = this.connect - 1; i >= 0; i -= 1) {
        found |= before[i] & after;
        after = (after & stones) >> step;
      }
    }
    return found & this.all;
  }

  /** Returns the first cells of complete lines for each direction. @param {bigint} stones */
  starts(stones) {
    return this.steps.map((step) => {
      let starts = stones;
      for (let i = 1n; i < this.connect; i += 1n) starts &= stones >> (step * i);
      return { step, starts };
    });
  }

  /** Returns the cells of all complete lines. @param {bigint} stones */
  lines(stones) {
    let found = 0n;
    for (const { step, starts } of this.starts(stones))
      for (let i = 0n; i < this.connect; i += 1n) found |= starts << (step * i);
    return found;
  }
}

export const STANDARD = new Variant(7, 6, 4);

/** A free cell that completes a line of a player. @typedef {{ cell: number, player: 1 | 2 }} Threat */

/** The stones on a board. Unless it is said who is to move, it is the first player if the number of stones is even. */
export class Position {
  /** @param {Variant} variant @param {bigint} first @param {bigint} second @param {1 | 2} [player] */
  constructor(variant, first = 0n, second = 0n, player) {
    this.variant = variant;
    this.first = first;
    this.second = second;
    this.ply = count(first | second);
    /** @type {1 | 2} */
    this.player = player ?? (this.ply % 2 ? 2 : 1);
    this.own = this.player === 1 ? first : second;
    this.other = this.player === 1 ? second : first;
    this.occupied = first | second;
    this.playable = (variant.gravity ? this.occupied + variant.bottom : ~this.occupied) & variant.all;
  }

  /** Whether the player to move may take over the only stone. */
  get canSteal() {
    return this.variant.steal && this.player === 2 && this.ply === 1 && !this.second && !this.isFull;
  }

  /** The legal moves, the most central first, and of two equal ones the left one. The steal is the last. */
  get moves() {
    const { variant } = this;
    const moves = cellsOf(this.playable).sort((a, b) => variant.fromCentre(a) - variant.fromCentre(b));
    return this.canSteal ? [...moves, STEAL] : moves;
  }

  /** The legal moves: wins, then moves that stop a line, then the others. */
  get urgentFirst() {
    const [wins, stops] = [this.winningCells, this.opponentWinningCells];
    const urgency = (/** @type {number} */ cell) => (wins & bit(cell) ? 0 : stops & bit(cell) ? 1 : 2);
    return this.moves.sort((a, b) => urgency(a) - urgency(b));
  }

  /** The cells on which the player to move completes a line now. */
  get winningCells() {
    return this.variant.completing(this.own) & this.playable;
  }

  /** The cells on which the other player would complete a line now. */
  get opponentWinningCells() {
    return this.variant.completing(this.other) & this.playable;
  }

  /** The free cells that complete lines, whether or not stones can fall on them now. @returns {Threat[]} */
  get threats() {
    return /** @type {const} */ ([1, 2]).flatMap((player) => {
      const stones = player === 1 ? this.first : this.second;
      return cellsOf(this.variant.completing(stones) & ~this.occupied).map((cell) => ({ cell, player }));
    });
  }

  /** The cells of all complete lines. */
  get lines() {
    return this.variant.lines(this.first) | this.variant.lines(this.second);
  }

  /** The player with a complete line, or 0. @returns {0 | 1 | 2} */
  get winner() {
    return this.variant.lines(this.first) ? 1 : this.variant.lines(this.second) ? 2 : 0;
  }

  get isFull() {
    return this.occupied === this.variant.all;
  }

  get isOver() {
    return this.isFull || this.winner !== 0;
  }

  /** Returns the cell on which a stone in this column comes to rest, or null. @param {number} column */
  cellIn(column) {
    const { column: cells, stride } = this.variant;
    return cellsOf(this.playable & (cells << BigInt(column * stride)))[0] ?? null;
  }

  /** Returns the position after a legal move. @param {number} move */
  play(move) {
    const { variant, first, second } = this;
    if (move === STEAL) return new Position(variant, 0n, first, 1);
    return this.player === 1
      ? new Position(variant, first | bit(move), second, 2)
      : new Position(variant, first, second | bit(move), 1);
  }

  /** Returns the cell that shows a move: its own, or that of the stolen stone. @param {number} move */
  cellOf(move) {
    return move === STEAL ? cellsOf(this.occupied)[0] : move;
  }

  /** The owner of a cell: 0, 1 or 2. @param {number} cell @returns {0 | 1 | 2} */
  ownerOf(cell) {
    return this.first & bit(cell) ? 1 : this.second & bit(cell) ? 2 : 0;
  }
}
