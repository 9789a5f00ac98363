// @ts-check
// Sentences and figures of the page, from texts/.
import { columnName, filled, signed } from "../../../protocol/web/names.js";
import { cellsOf } from "../../../protocol/web/rules.js";
import { lastPly } from "../sentences.js";
import { TEXTS } from "../texts/language.js";

/** @import { Game } from "../game.js" */
/** @import { NotationError } from "../notation.js" */
/** @import { Position, Threat, Variant } from "../../../protocol/web/rules.js" */
/** @import { Bounds } from "../values.js" */
/** @typedef {keyof typeof TEXTS.page} Key */

/** @param {Key} key @param {Record<string, string | number>} fields */
export const say = (key, fields = {}) => filled(TEXTS.page[key], fields);

/** @param {NotationError} error */
export const problemText = ({ key, values }) =>
  filled(/** @type {Record<string, string>} */ (TEXTS.notation)[key], values);

/** Returns bounds as text. Bounds that leave the result open say nothing. @param {Bounds} bounds */
export function boundsText({ low, high }) {
  if (low === high) return signed(low);
  if (low >= 0) return `≥${low}`;
  return high <= 0 ? `≤${signed(high)}` : "…";
}

/** @param {Bounds} bounds @returns {"win" | "drawn" | "loss" | "unknown"} */
export function outcome({ low, high }) {
  if (low > 0) return "win";
  if (high < 0) return "loss";
  return low === 0 && high === 0 ? "drawn" : "unknown";
}

/** @param {number} sign */
export const resultText = (sign) => say(outcome({ low: sign, high: sign }));

/** @param {1 | 2} player */
export const colour = (player) => say(player === 1 ? "first" : "second");

/** @param {Game} game @param {1 | 2} player */
const isYou = (game, player) => game.mode === "play" && game.side === player;

/** The name of a player: "You", "Level 3", or the colour where it does not matter who plays.
    @param {Game} game @param {1 | 2} player */
export function nameOf(game, player) {
  if (game.side === "both" || game.mode !== "play") return colour(player);
  return isYou(game, player) ? say("you") : say("level", { level: game.level });
}

/** @param {Variant} variant @param {number} cell */
export const columnAndRow = (variant, cell) => ({ column: columnName(variant, cell), row: variant.rowOf(cell) + 1 });

/** Who plays which cell. @param {Game} game @param {number} cell */
export function moveText(game, cell) {
  const { player } = game.position;
  const fields = { who: nameOf(game, player), ...columnAndRow(game.variant, cell) };
  return say(isYou(game, player) ? "you play" : "other plays", fields);
}

/** What is in a cell. @param {Position} position @param {number} cell @param {Threat[]} threats that are shown */
export function cellText(position, cell, threats = []) {
  const owner = position.ownerOf(cell);
  const stone = owner ? colour(owner).toLowerCase() : say("free");
  const named = threats.filter((threat) => threat.cell === cell).map(({ player }) => {
    const parity = say(position.variant.rowOf(cell) % 2 ? "even row" : "odd row");
    return say("threat of", { who: colour(player), parity });
  });
  return [say("cell", { ...columnAndRow(position.variant, cell), stone }), ...named].join(", ");
}

/** What best play leads to, or "" if it is not known.
    @param {Position} position @param {Bounds} bounds of the value for the first player */
export function prospect(position, { low, high }) {
  if (low <= 0 && high >= 0) return low === high ? say("best draws") : "";
  const who = colour(low > 0 ? 1 : 2);
  if (low < high) return say("will win", { who });
  return say("best wins", { who, move: lastPly(position, position.player === 1 ? low : -low) });
}

/** Who won and how, in one sentence. @param {Game} game */
export function endOf(game) {
  const { position } = game;
  if (!position.winner) return say("draw");
  const { connect } = position.variant;
  const key = isYou(game, position.winner) ? "you win" : "other wins";
  const count = say(/** @type {Key} */ (connect));
  return say(key, { who: nameOf(game, position.winner), count, where: whereIs(position) });
}

/** @param {Position} position */
function whereIs(position) {
  const { variant } = position;
  const cells = cellsOf(position.lines);
  const { column, row } = columnAndRow(variant, cells[0]);
  const isSame = (/** @type {(x: number, y: number) => number} */ of) =>
    new Set(cells.map((cell) => of(variant.columnOf(cell), variant.rowOf(cell)))).size === 1;
  if (isSame((_, y) => y)) return say("in row", { row });
  if (isSame((x) => x)) return say("in column", { column });
  return say(isSame((x, y) => x - y) || isSame((x, y) => x + y) ? "on diagonal" : "in lines");
}

/** Describes a picture of a position. @param {Position} position */
export function pictureText(position) {
  const { variant, winner, ply } = position;
  const text = TEXTS.picture[winner ? "won" : position.isFull ? "full" : "next"];
  const size = `${variant.width}x${variant.height}`;
  return filled(text, { size, stones: ply, player: winner || position.player });
}
