// @ts-check
// Level 10: a player of exact values. It chooses as c4_bot/search/perfect.py does with enough time and nothing
// remembered.

import { bestOf, isExact } from "../values.js";

/** @import { Core } from "./core.js" */
/** @import { Position } from "../../../protocol/web/rules.js" */
/** @import { Bounds, Values } from "../values.js" */

/** The core, the seed for lost positions, a function that returns the values of all moves as far as they are between
    two bounds, and one that returns the move to play if time was short.
    @typedef {{ core: Core, seed: number, solve: (position: Position, low?: number, high?: number) => Promise<Values>,
      unproven: (position: Position, values: Values) => number }} Oracle */

const ORDERING_NODES = 2000;
/** The search in a lost position: its nodes, and noise of a quarter of a point. */
const PLAYING_TO_WIN = { nodes: [200_000], overlooks_now: [0], overlooks_later: [0], noise: [5] };
const BOOK_PLIES = 11; // of the book of c4-bot, which has all values of positions with fewer stones

/** Returns the move of the player `perfect`. @param {Position} position @param {Oracle} oracle */
export async function perfectMove(position, oracle) {
  if (position.winningCells || needsNoThought(position)) return position.urgentFirst[0];
  const order = orderOf(position, oracle.core);
  const values = await oracle.solve(position);
  const { low, high } = bestOf(values);
  if (low > 0) return order.find((cell) => at(values, cell).low === low) ?? order[0];
  if (high < 0) return oracle.core.human(position, -1, { ...PLAYING_TO_WIN, seed: [oracle.seed] });
  if (low < high) return oracle.unproven(position, values);
  const drawn = order.filter((cell) => at(values, cell).low === 0);
  if (drawn.length === 1) return drawn[0];
  return firstWithMost(drawn, (cell) => shareOfErrors(position, cell, 1, oracle));
}

/** @param {Position} position */
const needsNoThought = ({ opponentWinningCells, moves }) => opponentWinningCells || moves.length === 1;

/** Returns the moves in the order of preference among equal ones. @param {Position} position @param {Core} core */
function orderOf(position, core) {
  const order = position.urgentFirst;
  const isInBook = position.variant.name === "7x6x4" && position.ply < BOOK_PLIES;
  core.begin(position);
  if (isInBook || isExact(core.results())) return order;
  const first = core.deepening(position, ORDERING_NODES).cell;
  return [first, ...order.filter((cell) => cell !== first)];
}

/** Returns the fraction of natural replies after which a move is worth at least `wanted`.
    @param {Position} position @param {number} cell @param {number} wanted @param {Oracle} oracle */
async function shareOfErrors(position, cell, wanted, oracle) {
  const child = position.play(cell);
  if (child.isFull || child.winningCells) return 0;
  const replies = naturalReplies(child);
  const values = await oracle.solve(child, -wanted, 1 - wanted);
  return replies.filter((reply) => at(values, reply).high <= -wanted).length / replies.length;
}

/** Returns the moves after which the other player has no winning cell, or else all moves. @param {Position} position */
function naturalReplies(position) {
  const safe = position.moves.filter((cell) => !position.play(cell).winningCells);
  return safe.length ? safe : position.moves;
}

/** @param {Values} values @param {number} cell */
const at = (values, cell) => /** @type {Bounds} */ (values.get(cell));

/** Asks about one cell after the other. @param {number[]} cells @param {(cell: number) => Promise<number>} measure */
async function firstWithMost(cells, measure) {
  let [best, most] = [cells[0], -Infinity];
  for (const cell of cells) {
    const measured = await measure(cell);
    if (measured > most) [best, most] = [cell, measured];
  }
  return best;
}
