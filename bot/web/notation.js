// @ts-check
// Games and positions as texts: moves, boards, precepts, PGN and links. c4_protocol/rules/notation.py,
// docs/PROTOCOL.md and c4_referee/records/formats/pgn.py define what the first four look like.

import { COLUMN_NAMES, columnName, writeMoves } from "../../protocol/web/names.js";
import { bit, cellsOf, count, Position, range, STANDARD, Variant } from "../../protocol/web/rules.js";

/** A game: `start` is its first position, or null for the empty board. `moves` are cells.
    @typedef {{ variant: Variant, start: Position | null, moves: number[] }} Game */
/** What a link says besides the game. `side` is the seat of the person, or "both" for two people.
    `lesson` names an exercise, such as "puzzle=17"; it is empty while nobody learns.
    @typedef {{ level: number, side: 1 | 2 | "both", mode: "play" | "analyse" | "learn", lesson: string }} Settings */
/** @typedef {Game & Settings & { problem: NotationError | null }} Link */
/** Rows of a board from the top. The values of cells are 0, 1 and 2. @typedef {number[][]} Rows */

const MAX_WIDTH = 11;
const MAX_HEIGHT = 10; // the largest board then has 121 bits, and the core has room for 128
const MAX_CONNECT = 6;
const MAX_SHOWN = 20; // characters of a text that a message repeats
const MAX_RULES = 90; // characters of rules that a message repeats

/** A text that cannot be read. `key` names the reason among the texts of the page (notation), `values` fill it in. */
export class NotationError extends Error {
  /** @param {string} key @param {Record<string, string | number>} [values] */
  constructor(key, values = {}) {
    super(`${key} ${JSON.stringify(values)}`);
    this.key = key;
    this.values = values;
  }
}

/** @param {string} text */
const shortened = (text) => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);

/** Returns the position after the moves of a game. @param {Game} game */
export const lastPosition = ({ variant, start, moves }) =>
  moves.reduce((position, cell) => position.play(cell), start ?? new Position(variant));

/** Reads a game or a position; throws a NotationError. The variant is used if the text names none.
    @param {string} text @param {Variant} variant @returns {Game} */
export function parse(text, variant) {
  const plain = text.replace("\ufeff", "").trim();
  if (!plain) throw new NotationError("empty");
  if (plain.startsWith("{")) return gameOfJson(plain, variant);
  if (/^\[\s*\w+\s*"|^%/.test(plain)) return gameOfPgn(plain, variant);
  const rows = rowsOfText(plain);
  if (rows) return gameFrom(positionOf(rows, connectOn(rows, variant)));
  return gameFrom(new Position(variant), movesIn(plain));
}

// Moves

/** Returns a game, or throws the reason why a move is wrong. @param {Position} start @param {string[]} [names] */
function gameFrom(start, names = []) {
  const { moves, problem } = replay(start, names);
  if (problem) throw problem;
  return { variant: start.variant, start: start.ply ? start : null, moves };
}

/** Returns the cells of moves up to the first wrong one, and what is wrong with it.
    @param {Position} start @param {string[]} names of columns */
function replay(start, names) {
  /** @type {number[]} */
  const moves = [];
  let position = start;
  for (const name of names) {
    const found = moveNamed(position, name, moves.length + 1);
    if (found instanceof NotationError) return { moves, problem: found };
    moves.push(found);
    position = position.play(found);
  }
  return { moves, problem: null };
}

/** Returns the cell of a move, or why there is none.
    @param {Position} position @param {string} move @param {number} number */
function moveNamed(position, move, number) {
  if (position.isOver) return new NotationError("over", { number });
  const { width } = position.variant;
  const column = COLUMN_NAMES.indexOf(move);
  const last = COLUMN_NAMES[width - 1];
  if (column < 0 || column >= width) return new NotationError("noColumn", { number, move, last });
  return position.cellIn(column) ?? new NotationError("full", { number, move });
}

/** Annotation glyphs, move numbers and results. */
const NOT_A_MOVE = /\$\d+|\b\d+\.+|1-0|0-1|1\/2-1\/2|\*/g;

/** Returns the characters of a text that can be moves. @param {string} text */
const movesIn = (text) => [...text.replace(NOT_A_MOVE, " ").replace(/[\s,-]+/g, "")];

// Variants and positions

/** @param {number} width @param {number} height @param {number} connect */
function checkedVariant(width, height, connect) {
  const isUpTo = (/** @type {number} */ most, /** @type {number} */ value) =>
    Number.isInteger(value) && value >= 3 && value <= most;
  if (!isUpTo(MAX_WIDTH, width) || !isUpTo(MAX_HEIGHT, height)) throw new NotationError("size", { width, height });
  const most = Math.min(MAX_CONNECT, Math.max(width, height));
  if (!isUpTo(most, connect)) throw new NotationError("connect", { width, height, most, connect });
  return new Variant(width, height, connect);
}

/** Returns the variant that a link or a file names. @param {string} name */
function variantNamed(name) {
  if (name === "standard" || name === "cfour") return STANDARD;
  const sizes = /^(\d{1,2})x(\d{1,2})(?:x(\d{1,2}))?$/.exec(name);
  if (!sizes) throw new NotationError("rules", { rules: shortened(name) });
  return checkedVariant(Number(sizes[1]), Number(sizes[2]), Number(sizes[3] ?? 4));
}

/** Returns the length of a line on a board that does not name it: that of the variant if it has this size.
    @param {Rows} rows @param {Variant} variant */
function connectOn({ length: height, 0: { length: width } }, variant) {
  if (width === variant.width && height === variant.height) return variant.connect;
  return Math.min(STANDARD.connect, Math.max(width, height));
}

/** Returns the position that rows show. If the player to move is known, it must be that of the position.
    @param {Rows} rows @param {number} connect @param {unknown} [player] */
function positionOf(rows, connect, player) {
  const [height, width] = [rows.length, rows[0].length];
  const uneven = rows.findIndex((row) => row.length !== width);
  if (uneven >= 0) throw new NotationError("uneven", { row: uneven + 1, cells: rows[uneven].length, width });
  const variant = checkedVariant(width, height, connect);
  const stones = [0n, 0n, 0n];
  for (const [y, row] of rows.entries())
    for (const [x, owner] of row.entries()) stones[owner] |= bit(variant.cell(x, height - 1 - y));
  const [, first, second] = stones;
  const position = new Position(variant, first, second);
  const problem = floatingStone(position) ?? problemOf(position);
  if (problem) throw problem;
  if ((player ?? position.player) === position.player) return position;
  throw new NotationError("turn", { first: count(first), second: count(second), player: String(player) });
}

/** Returns what is wrong with a position if a stone is above a free cell. @param {Position} position */
function floatingStone({ variant, occupied }) {
  const [cell] = cellsOf(occupied & ~variant.bottom & ~(occupied << 1n));
  return cell === undefined ? null : new NotationError("floating", { column: columnName(variant, cell) });
}

/** Returns what is wrong with the numbers of stones or with the lines, or null. @param {Position} position */
export function problemOf({ variant, first, second }) {
  const stones = { first: count(first), second: count(second) };
  if (![0, 1].includes(stones.first - stones.second)) return new NotationError("stones", stones);
  return variant.lines(first) && variant.lines(second) ? new NotationError("twoLines") : null;
}

/** Returns the rows of a position from the top. @param {Position} position @returns {Rows} */
function rowsOf(position) {
  const { variant } = position;
  const rows = range(variant.height).reverse();
  return rows.map((row) => range(variant.width).map((column) => position.ownerOf(variant.cell(column, row))));
}

/** Exchanges rows and columns. @param {Rows} rows @returns {Rows} */
const transposed = (rows) => rows[0].map((_, column) => rows.map((row) => row[column]));

// Boards as people see them

/** Characters of a row, of an empty cell, and of the players. Stars mark moves in the documents. */
const MARKS = [
  { row: /^[.xo_*-]+$/, sign: /[.xo_*]/, first: "x", second: "o" },
  { row: /^[.012_-]+$/, sign: /[.0_]/, first: "1", second: "2" },
];

/** Returns the rows of a board in a text, or null if it has none. @param {string} text @returns {Rows | null} */
function rowsOfText(text) {
  const lines = text.split(/[\r\n]+/).map((line) => line.replace(/[\s,|()[\]]/g, "").toLowerCase());
  for (const marks of MARKS) {
    const isRow = lines.map((line) => marks.row.test(line));
    const rows = lines.filter((_, i) => isRow[i]);
    if (rows.length < 2 || !rows.some((row) => marks.sign.test(row))) continue;
    checkOtherLines(lines, isRow, marks.sign);
    return rows.map((row) => [...row].map((mark) => [marks.first, marks.second].indexOf(mark) + 1));
  }
  return null;
}

/** Throws an error if a line that is no row of the board seems to be a wrong one: it is between rows, or it looks like
    one. @param {string[]} lines @param {boolean[]} isRow @param {RegExp} sign */
function checkOtherLines(lines, isRow, sign) {
  const [top, bottom] = [isRow.indexOf(true), isRow.lastIndexOf(true)];
  const wrong = lines.findIndex((line, i) => {
    const isLikeRow = line.length === lines[top].length && sign.test(line);
    return line && !isRow[i] && ((top < i && i < bottom) || isLikeRow);
  });
  if (wrong < 0) return;
  const row = wrong < top ? 1 : isRow.slice(0, wrong).filter(Boolean).length + 1;
  throw new NotationError("row", { row, text: shortened(lines[wrong]) });
}

// Precepts and other lines of JSON

/** @param {string} text @param {Variant} current @returns {Game} */
function gameOfJson(text, current) {
  const { grid, moves, width, height, connect, player, ...rest } = objectIn(text);
  const isNumber = (/** @type {unknown} */ value) => typeof (value ?? 0) === "number";
  if (![width, height, connect, player].every(isNumber)) throw new NotationError("numbers");
  checkRules(rest);
  if (typeof moves === "string") {
    const variant = checkedVariant(width ?? current.width, height ?? current.height, connect ?? current.connect);
    return gameFrom(new Position(variant), movesIn(moves));
  }
  if (!grid) throw new NotationError("json");
  if (!isGrid(grid) || (width ?? grid.length) !== grid.length || (height ?? grid[0].length) !== grid[0].length)
    throw new NotationError("grid");
  return gameFrom(positionOf(transposed(grid), connect ?? 4, player));
}

/** @param {string} text @returns {Record<string, any>} */
function objectIn(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new NotationError("json");
  }
}

/** Throws an error if the rules are those of another game. @param {Record<string, any>} given */
function checkRules({ gravity = true, steal = false, directions = ["horizontal", "vertical", "diagonal"] }) {
  if (gravity === true && steal === false && directions?.length === 3) return;
  throw new NotationError("rules", { rules: JSON.stringify({ gravity, steal, directions }).slice(0, MAX_RULES) });
}

/** @param {any} grid @returns {grid is Rows} */
function isGrid(grid) {
  const isColumn = (/** @type {unknown} */ column) =>
    Array.isArray(column) && column.length === grid[0].length && column.every((cell) => [0, 1, 2].includes(cell));
  return Array.isArray(grid) && grid.length > 0 && grid.every(isColumn) && grid[0].length > 0;
}

// PGN

const TAG = /\[\s*(\w+)\s*"((?:[^"\\]|\\.)*)"\s*\]\s*/gy;
const COMMENT = /\{[^}]*\}?|;.*/g;
const NEXT_GAME = /^[ \t]*\[/m;

/** Returns the first game of a file. @param {string} text @param {Variant} current @returns {Game} */
function gameOfPgn(text, current) {
  const plain = text.replace(/^%.*$/gm, "").trim();
  const tags = [...plain.matchAll(TAG)];
  const name = tags.find((tag) => tag[1] === "Variant")?.[2].trim();
  const body = plain.slice(tags.map((tag) => tag[0]).join("").length);
  const moves = movesIn(body.replace(COMMENT, " ").split(NEXT_GAME)[0]);
  return gameFrom(new Position(name ? variantNamed(name) : current), moves);
}

// Links

const FIELDS = ["board", "from", "level", "side", "mode", "step", "puzzle"];
const LESSONS = { step: /^([1-9]|10)$/, puzzle: /^([1-9]\d{0,2}|today)$/ };
/** @type {Link} */
const DEFAULT_LINK = {
  variant: STANDARD, start: null, moves: [], level: 3, side: 1, mode: "play", lesson: "", problem: null,
};

/** Returns rows written as in a link: free cells as numbers, x and o. @param {string} text @returns {Rows} */
function rowsOfShort(text) {
  if (!/^[0-9xo/]{1,150}$/.test(text)) throw wrongField("from", text);
  return text.split("/").map((row) =>
    [...row.matchAll(/\d{1,2}|[xo]/g)].flatMap(([mark]) => {
      const owner = ["x", "o"].indexOf(mark) + 1;
      return owner ? [owner] : Array(Number(mark)).fill(0);
    }),
  );
}

/** @param {string} name @param {string} value */
const wrongField = (name, value) => new NotationError("field", { name, value: shortened(value) });

/** @param {Position} position */
function shortOf(position) {
  const rows = rowsOf(position).map((row) => row.map((owner) => ".xo"[owner]).join(""));
  return rows.join("/").replace(/\.+/g, (free) => `${free.length}`);
}

/** Reads the part of an address after #. It never throws: `problem` is the first thing that could not be read.
    @param {string} hash @returns {Link} */
export function readLink(hash) {
  const link = { ...DEFAULT_LINK };
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const read = (/** @type {string} */ name, /** @type {(value: string) => void} */ take) => {
    const value = fields.get(name);
    try {
      if (value !== null) take(value);
    } catch (error) {
      if (!(error instanceof NotationError)) throw error;
      link.problem ??= error;
    }
  };
  const choose = (/** @type {string} */ name, /** @type {(string | number)[]} */ values) =>
    read(name, (value) => {
      const found = values.find((one) => `${one}` === value);
      if (found === undefined) throw wrongField(name, value);
      Object.assign(link, { [name]: found });
    });
  read("board", (value) => {
    link.variant = variantNamed(value);
  });
  read("from", (value) => {
    const start = positionOf(rowsOfShort(value), link.variant.connect);
    if (start.variant.name !== link.variant.name) throw wrongField("from", value);
    link.start = start.ply ? start : null;
  });
  choose("level", range(11).slice(1));
  choose("side", [1, 2, "both"]);
  choose("mode", ["play", "analyse"]);
  for (const [name, pattern] of Object.entries(LESSONS)) {
    read(name, (value) => {
      if (!pattern.test(value)) throw wrongField(name, value);
      link.lesson = `${name}=${value}`;
    });
  }
  const [[names, value] = ["", ""]] = fields;
  if (value && !FIELDS.includes(names)) link.problem ??= wrongField(names, value);
  const { moves, problem } = replay(link.start ?? new Position(link.variant), value ? [] : [...names]);
  return { ...link, moves, problem: link.problem ?? problem };
}

/** Returns the part of an address that begins with #. Only what differs from the default is written.
    @param {Partial<Link>} link */
export function writeLink(link) {
  const { variant, start, moves, level, side, mode, lesson } = { ...DEFAULT_LINK, ...link };
  if (lesson) return `#${lesson}`;
  const fields = { board: variant.name, level, side, mode };
  const usual = { ...DEFAULT_LINK, board: STANDARD.name };
  const keys = /** @type {(keyof typeof fields)[]} */ (Object.keys(fields)).filter((key) => fields[key] !== usual[key]);
  const written = keys.map((key) => `${key}=${fields[key]}`);
  if (start) written.push(`from=${shortOf(start)}`);
  return `#${[writeMoves(variant, moves), ...written].join("&")}`;
}
