// @ts-check
// The native core, compiled to WebAssembly: the only module that knows bot/native/wasm/page.cpp.

/** @import { Position, Variant } from "../rules.js" */
/** @import { Values } from "../values.js" */
/** @typedef {Record<string, Function> & { memory: WebAssembly.Memory }} Exports */

const WORD = (1n << 64n) - 1n;
const UNKNOWN = 2; // an outcome that is not known
const MEGABYTES = 32; // of the table
const BOOK_HEADER = 256;

/** What the module imports from its system. It only reads the clock; the rest belongs to unused parts. */
function systemOf(/** @type {() => Exports} */ exports) {
  /** @param {number} _id @param {bigint} _precision @param {number} result */
  const clock_time_get = (_id, _precision, result) => {
    const nanoseconds = BigInt(Math.round(performance.now() * 1e6));
    new DataView(exports().memory.buffer).setBigUint64(result, nanoseconds, true);
    return 0;
  };
  const refuse = () => 52; // ENOSYS
  return { wasi_snapshot_preview1: { clock_time_get, fd_close: refuse, fd_seek: refuse, fd_write: refuse } };
}

export class Core {
  /** @param {{ wasm: BufferSource, book: Uint8Array, evaluation: number[] }} data */
  static async load({ wasm, book, evaluation }) {
    /** @type {Exports} */
    let exports;
    const { instance } = await WebAssembly.instantiate(wasm, systemOf(() => exports));
    exports = /** @type {any} */ (instance.exports);
    exports._initialize();
    return new Core(exports, book, evaluation);
  }

  /** @param {Exports} exports @param {Uint8Array} book @param {number[]} evaluation */
  constructor(exports, book, evaluation) {
    this.exports = exports;
    this.evaluation = evaluation;
    this.book = book;
    this.bookHeader = JSON.parse(new TextDecoder().decode(book.subarray(0, BOOK_HEADER)));
    this.open = "";
  }

  get stones() {
    return new BigUint64Array(this.exports.memory.buffer, this.exports.page_stones(), 6);
  }

  get numbers() {
    return new Int32Array(this.exports.memory.buffer, this.exports.page_numbers(), 256);
  }

  /** @param {{ variant: string, shapes: number[][], weights: Uint8Array }} network */
  useNetwork({ variant, shapes, weights }) {
    const [width, height, connect] = variant.split("x").map(Number);
    this.#fillRoom(weights);
    this.numbers.set(shapes.flat());
    this.exports.page_use_network(width, height, connect, shapes.length);
  }

  /** Begins to find the values of all moves as far as they are between two bounds. @param {Position} position */
  begin(position, low = -128, high = 128) {
    this.#show(position);
    this.exports.page_begin(low, high);
  }

  /** Continues for some milliseconds; returns whether all values are known. @param {number} ms */
  step(ms) {
    return Boolean(this.exports.page_step(ms));
  }

  /** Returns what is known now. @returns {Values} */
  results() {
    const count = this.exports.page_results(); // first, because it may move the memory
    const numbers = this.numbers.slice(0, count);
    const values = new Map();
    for (let i = 0; i < count; i += 3) values.set(numbers[i], { low: numbers[i + 1], high: numbers[i + 2] });
    return values;
  }

  /** Number of nodes that were visited since `begin`. @returns {number} */
  get nodes() {
    return this.exports.page_nodes();
  }

  /** @param {Position} position @param {number} depth @param {number[]} parameters */
  human(position, depth, parameters) {
    return this.#choose(position, true, depth, -1, parameters);
  }

  /** Also returns the depth of the search. @param {Position} position @param {number} nodes */
  deepening(position, nodes) {
    const cell = this.#choose(position, false, -1, nodes, [1]);
    return { cell, depth: this.numbers[0] };
  }

  /** Returns why a move is good or bad: `Explainer.reason` describes the parameters.
      @param {Position} position @param {number} cell @param {number | null} best @param {number | null} own
      @param {bigint} answers */
  reason(position, cell, best, own, answers) {
    this.#show(position);
    this.#setStones(4, answers);
    const count = this.exports.page_reason(cell, best ?? UNKNOWN, own ?? UNKNOWN);
    const [kind, isAllowed, ...line] = this.numbers.slice(0, count);
    const [low, high] = this.stones.slice(4);
    return { kind: (isAllowed ? "allows-" : "") + this.#kindName(kind), cells: (high << 64n) | low, line };
  }

  /** Opens the board of a position, and passes the stones. @param {Position} position */
  #show(position) {
    const { variant, own, other } = position;
    if (this.open !== variant.name) this.#openBoard(variant);
    this.#setStones(0, own);
    this.#setStones(2, other);
  }

  /** @param {Variant} variant */
  #openBoard({ width, height, connect, name }) {
    this.exports.page_open(width, height, connect, MEGABYTES);
    this.open = name;
    const { variant, plies, blocks } = this.bookHeader;
    if (name !== `${variant}x4`) return;
    this.#fillRoom(this.book);
    this.exports.page_use_book(width, height, plies, blocks);
  }

  /** @param {number} index @param {bigint} bits */
  #setStones(index, bits) {
    this.stones.set([bits & WORD, bits >> 64n], index);
  }

  /** @param {Uint8Array} bytes */
  #fillRoom(bytes) {
    const address = this.exports.page_room(bytes.length);
    new Uint8Array(this.exports.memory.buffer, address, bytes.length).set(bytes);
  }

  /** @param {Position} position @param {boolean} asHuman @param {number} depth @param {number} nodes
      @param {number[]} parameters */
  #choose(position, asHuman, depth, nodes, parameters) {
    this.#show(position);
    this.numbers.set([...parameters, ...this.evaluation]);
    return this.exports.page_choose(asHuman, depth, nodes, parameters.length, this.evaluation.length);
  }

  /** @param {number} kind */
  #kindName(kind) {
    const bytes = new Uint8Array(this.exports.memory.buffer, this.exports.page_kind(kind));
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  }
}
