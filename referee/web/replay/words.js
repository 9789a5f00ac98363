// @ts-check
// What a replay says of moves and values.
import { signed } from "../../../protocol/web/names.js";
import { STEAL } from "../../../protocol/web/rules.js";
import { outcomeOf } from "../board_parts.js";
import { time } from "../texts.js";
import { data, game, nameAt, variant } from "./data.js";

/** @import { Change } from "./data.js" */

const isSteal = (/** @type {string} */ name) => variant.steal && name === "s";
const joined = (/** @type {string[]} */ list) =>
  list.length > 1 ? `${list.slice(0, -1).join(", ")} and ${list[list.length - 1]}` : list.join();

/** @param {string} name */
export const placeText = (name) => (isSteal(name) ? "the steal" : variant.gravity ? `column ${name}` : name);

/** @param {string[]} list */
export function places(list) {
  const cells = list.filter((name) => !isSteal(name)).sort();
  const noun = cells.length > 1 ? "columns " : "column ";
  const texts = (variant.gravity && cells.length ? noun : "") + joined(cells);
  return joined([texts, cells.length < list.length ? "the steal" : ""].filter(Boolean));
}

/** A win of n is 1 plus the stones that the winner has left: it fixes the ply at which the game ends, unless the steal
    is still ahead, which is a ply without a stone. @param {number} value @param {number} ply */
export function meaning(value, ply) {
  if (value === 0) return "a draw with best play";
  const winner = value > 0 ? ply : ply + 1;
  if (variant.steal && ply < 2) return `${nameAt(winner)} wins with best play`;
  let end = variant.cells + 2 - 2 * Math.abs(value) + Number(game.moves[1] === STEAL);
  if (end % 2 !== (winner + 1) % 2) end -= 1;
  return `${nameAt(winner)} wins on move ${end} with best play`;
}

/** @param {number} value @param {number} ply */
export const valueText = (value, ply) => `${nameAt(ply)} to move: ${signed(value)}, ${meaning(value, ply)}.`;

/** @param {Change} change */
export function changeText([, before, after, better, , , reason], subject = "It") {
  if (reason) return reason;
  const cure = better.length ? `; ${places(better)} ${outcomeOf(before)}${better.length === 1 ? "s" : ""}` : "";
  return `${subject} turns a ${outcomeOf(before)} into a ${outcomeOf(after)}${cure}.`;
}

/** @param {string[]} line */
export const shortLine = (line) => line.slice(0, 3).join(" ") + (line.length > 3 ? " …" : "");

/** @param {number} ply */
export const timeAt = (ply) => (data.ms[ply - 1 - data.o] == null ? "" : time(data.ms[ply - 1 - data.o]));
/** @param {number} ply */
export const withStart = (ply) => (ply > data.o && ply <= data.o + 2 && timeAt(ply) ? " with any start-up" : "");
/** @param {number} ply */
export const remarkAt = (ply) => data.say?.[ply - 1 - data.o] || "";
