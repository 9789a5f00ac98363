// @ts-check
// What is known of the scores of moves. A score is for the player who makes the move.

/** Bounds of a score, which is exact if they are equal. @typedef {{ low: number, high: number }} Bounds */
/** Bounds for the moves, by cell. @typedef {Map<number, Bounds>} Values */

/** @type {Bounds} */
export const UNKNOWN = { low: -Infinity, high: Infinity };

/** @param {Values} values */
export const isExact = (values) => [...values.values()].every(({ low, high }) => low === high);

/** Returns bounds of the score of the best move. @param {Values} values @returns {Bounds} */
export function bestOf(values) {
  const bounds = [...values.values()];
  return { low: Math.max(...bounds.map(({ low }) => low)), high: Math.max(...bounds.map(({ high }) => high)) };
}
