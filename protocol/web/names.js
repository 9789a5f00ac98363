// @ts-check
// Moves and positions as texts: c4_protocol/rules/notation.py again, and precepts as in docs/PROTOCOL.md.

import { bit, range, STEAL } from "./rules.js";

/** @import { Position, Variant } from "./rules.js" */

const ROW_NAMES = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** Names of the columns in move strings, from the left. */
export const COLUMN_NAMES = `123456789${ROW_NAMES}`;
/** Name of the steal. With it, a board has at most 27 columns, so no column has this name. */
const STEAL_NAME = "s";

/** @param {Variant} variant @param {number} cell */
export const columnName = (variant, cell) => COLUMN_NAMES[variant.columnOf(cell)];

/** Returns the name of a row at the edge of a board. @param {number} row counts from the top, from 0 */
export const rowName = (row) => ROW_NAMES[row];

/** Returns the name of a move: its column; its row and the number of its column where stones do not fall.
    @param {Variant} variant @param {number} move */
export function moveName(variant, move) {
  if (move === STEAL) return STEAL_NAME;
  if (variant.gravity) return columnName(variant, move);
  return ROW_NAMES[variant.height - 1 - variant.rowOf(move)] + (variant.columnOf(move) + 1);
}

/** @param {Variant} variant @param {number[]} moves */
export const writeMoves = (variant, moves) =>
  moves.map((move) => moveName(variant, move)).join(variant.gravity ? "" : " ");

/** Returns the names in a move string. @param {Variant} variant @param {string} text */
export const namesIn = (variant, text) => (variant.gravity ? [...text] : text.split(" ").filter(Boolean));

/** Returns the move with a name, or null if it is not legal. @param {Position} position @param {string} name */
export function moveNamed(position, name) {
  const { gravity } = position.variant;
  if (gravity && name === STEAL_NAME && position.canSteal) return STEAL;
  return moveAt(position, gravity ? COLUMN_NAMES.indexOf(name) : [Number(name.slice(1)) - 1, ROW_NAMES.indexOf(name[0])]);
}

/** Returns the move that messages write as a column, as a column and a row from the top, or as STEAL; null if it is not
    legal. @param {Position} position @param {number | number[]} written */
export function moveAt(position, written) {
  const [column, row = null] = [written].flat();
  const { width, height } = position.variant;
  if (column === STEAL) return position.canSteal ? STEAL : null;
  if (!(column >= 0 && column < width)) return null;
  if (row === null) return position.cellIn(column);
  const cell = position.variant.cell(column, height - 1 - row);
  return row >= 0 && row < height && position.playable & bit(cell) ? cell : null;
}

/** Plays moves until the game is over or one of them is not legal; returns the moves, and all positions from the start.
    @template T @param {Position} start @param {T[]} written
    @param {(position: Position, move: T) => number | null} read such as `moveNamed` */
export function playAll(start, written, read) {
  const [positions, moves] = [[start], /** @type {number[]} */ ([])];
  for (const each of written) {
    const position = positions[moves.length];
    const move = position.isOver ? null : read(position, each);
    if (move === null) break;
    moves.push(move);
    positions.push(position.play(move));
  }
  return { positions, moves };
}

/** Returns a position as the line that a bot reads: docs/PROTOCOL.md. @param {Position} position */
export function writePrecept(position) {
  const { player, variant } = position;
  const { width, height, connect, gravity, directions, steal } = variant;
  const rows = range(height).reverse();
  const grid = range(width).map((column) => rows.map((row) => position.ownerOf(variant.cell(column, row))));
  return JSON.stringify({
    grid, height, player, width,
    ...(connect === 4 ? {} : { connect }), ...(gravity ? {} : { gravity }),
    ...(directions.length === 3 ? {} : { directions }), ...(steal ? { steal } : {}),
  });
}

/** Returns a text with its fields filled in. @param {string} template @param {Record<string, string | number>} values */
export const filled = (template, values) => template.replace(/\{(\w+)\}/g, (_, name) => `${values[name]}`);

/** @param {number} value */
export const signed = (value) => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0");
