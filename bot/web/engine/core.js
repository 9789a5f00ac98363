// @ts-check
// The native core, compiled to WebAssembly: the only module that knows bot/native/wasm/page.cpp.

import { range } from "../../../protocol/web/rules.js";

/** @import { Position, Variant } from "../../../protocol/web/rules.js" */
/** @import { Shape } from "./client.js" */
/** @import { Values } from "../values.js" */
/** @typedef {Record<string, Function> & { memory: WebAssembly.Memory }} Exports */
/** Parameters of a search or an evaluation, by the names of its fields in Python.
    @typedef {Record<string, number[]>} Parameters */

const WORD = (1n << 64n) - 1n;
const UNKNOWN = 2; // an outcome that is not known
const MEGABYTES = 32; // of the table
const BOOK_HEADER = 256;

/** @param {bigint} bits */
const halves = (bits) => [bits & WORD, bits >> 64n];

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
  /** @param {{ wasm: BufferSource, book: Uint8Array, evaluation: Parameters }} data */
  static async load({ wasm, book, evaluation }) {
    /** @type {Exports} */
    let exports;
    const { instance } = await WebAssembly.instantiate(wasm, systemOf(() => exports));
    exports = /** @type {any} */ (instance.exports);
    exports._initialize();
    return new Core(exports, book, evaluation);
  }

  /** @param {Exports} exports @param {Uint8Array} book @param {Parameters} evaluation */
  constructor(exports, book, evaluation) {
    this.exports = exports;
    this.evaluation = evaluation;
    this.book = book;
    this.bookHeader = JSON.parse(new TextDecoder().decode(book.subarray(0, BOOK_HEADER)));
    this.open = "";
  }

  /** @param {{ variant: string, shapes: Shape[], weights: Uint8Array }} network */
  useNetwork({ variant, shapes, weights }) {
    const [width, height, connect] = variant.split("x").map(Number);
    this.#fillRoom(weights);
    for (const { columns, rows, slope } of shapes) this.exports.page_add_shape(columns, rows, slope);
    this.exports.page_use_network(width, height, connect);
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
    const { page_results, page_cell, page_low, page_high } = this.exports;
    return new Map(range(page_results()).map((i) => [page_cell(i), { low: page_low(i), high: page_high(i) }]));
  }

  /** Number of nodes that were visited since `begin`. @returns {number} */
  get nodes() {
    return this.exports.page_nodes();
  }

  /** @param {Position} position @param {number} depth @param {Parameters} parameters */
  human(position, depth, parameters) {
    return this.#choose(position, true, depth, -1, parameters);
  }

  /** Also returns the depth of the search. @param {Position} position @param {number} nodes */
  deepening(position, nodes) {
    const cell = this.#choose(position, false, -1, nodes, { reduces: [1] });
    return { cell, depth: this.exports.page_depth() };
  }

  /** Returns why a move is good or bad: `Explainer.reason` describes the parameters.
      @param {Position} position @param {number} cell @param {number | null} best @param {number | null} own
      @param {bigint} answers */
  reason(position, cell, best, own, answers) {
    this.#show(position);
    const { page_reason, page_reason_low, page_reason_high, page_line_length, page_line_cell } = this.exports;
    const kind = this.#text(page_reason(cell, best ?? UNKNOWN, own ?? UNKNOWN, ...halves(answers)));
    const [low, high] = [page_reason_low(), page_reason_high()].map((half) => BigInt.asUintN(64, half));
    return { kind, cells: (high << 64n) | low, line: range(page_line_length()).map((i) => page_line_cell(i)) };
  }

  /** Opens the board of a position, and passes the stones. @param {Position} position */
  #show(position) {
    const { variant, own, other } = position;
    if (this.open !== variant.name) this.#openBoard(variant);
    this.exports.page_show(...halves(own), ...halves(other));
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

  /** @param {Uint8Array} bytes */
  #fillRoom(bytes) {
    const address = this.exports.page_room(bytes.length);
    new Uint8Array(this.exports.memory.buffer, address, bytes.length).set(bytes);
  }

  /** @param {Position} position @param {boolean} asHuman @param {number} depth @param {number} nodes
      @param {Parameters} parameters */
  #choose(position, asHuman, depth, nodes, parameters) {
    this.#show(position);
    for (const [name, numbers] of Object.entries({ ...parameters, ...this.evaluation })) {
      this.#fillRoom(new TextEncoder().encode(name));
      for (const number of numbers) this.exports.page_append(number);
    }
    return this.exports.page_choose(asHuman, depth, nodes);
  }

  /** @param {number} address */
  #text(address) {
    const bytes = new Uint8Array(this.exports.memory.buffer, address);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  }
}
