// @ts-check
// The data of a replay, and the lines that it shows. The page holds the data as JSON in the element #replay:
//
// n        number of the game, or null
// w, h, k  columns, rows, stones of a line;  g: 1 if stones fall;  d: directions of lines if not all
// t        1 if the second move may be the steal, which is called s in move strings
// p        names of both players
// m        moves as a move string;  o: number of them that belong to the opening
// ms       milliseconds of each move after the opening;  say: remark of the bot on each of them
// r, e     winner (0, 1, 2) and ending;  f: the fault behind it
// v        exact value of each position for the player to move, null if unknown
// s        exact scores of all columns in each position, [] if unknown; the steal has the negative of the best
// b        address of the folder of the board with its engine, if the site has one
// c        moves that changed the result: [ply, before, after, better moves, better line, refutation], and a sentence
//          that explains the change if it is known
//
// Ply 17 is the position after 17 moves, and the 17th move. People read "move 17". All text is set as text, never as HTML.
import { place } from "../../../protocol/web/dom.js";
import { moveNamed, namesIn, playAll } from "../../../protocol/web/names.js";
import { Position, Variant } from "../../../protocol/web/rules.js";

/** A move that changed the result, and what is known of it.
    @typedef {[number, number, number, string[], string[], string[], string?]} Change */
/** The game, or a variation that leaves it after `from` moves: a refutation (r), a better line (b), or moves of the person
    (p). `ply` is the one to which it belongs. There is one more position than moves. `by` has who made the moves after
    `from`: "You", or a level.
    @typedef {{ kind: "" | "r" | "b" | "p", ply: number, from: number, names: string[], moves: number[],
      positions: Position[], by?: (string | undefined)[] }} Track */

const MAX_NAME = 40; // longer names are cut, except at the top of the page

export const data = JSON.parse(place("replay").textContent ?? "");
/** @type {{ v?: (number | null)[], s?: (number | null)[][], c?: Change[], p: string[] }} */
export const { v: values, s: scores, c: changes = [], p: players } = data;
export const variant = new Variant(data.w, data.h, data.k, {
  gravity: data.g === 1, directions: data.d, steal: data.t === 1,
});
const shortNames = players.map((name) =>
  [...name].length > MAX_NAME ? `${[...name].slice(0, MAX_NAME - 1).join("")}…` : name);

/** The names of both players as the sentence at the top of the page has them, cut. @param {string} text */
export const shortened = (text) => players.reduce((cut, name, i) => cut.replace(name, () => shortNames[i]), text);

/** Returns the player of the move after a ply. @param {number} ply */
export const playerAt = (ply) => 1 + (ply % 2);
/** @param {number} ply */
export const nameAt = (ply) => shortNames[ply % 2];

/** Returns the line that leaves another one after `from` moves, up to the first name that is no legal move.
    @param {Track} before @param {number} from @param {string[]} names @param {Track["kind"]} kind @returns {Track} */
export function lineFrom(before, from, names, kind, ply = from) {
  const { positions, moves } = playAll(before.positions[from], names, moveNamed);
  return {
    kind, ply, from,
    names: [...before.names.slice(0, from), ...names.slice(0, moves.length)],
    moves: [...before.moves.slice(0, from), ...moves],
    positions: [...before.positions.slice(0, from), ...positions],
  };
}

/** @type {Track} */
const empty = { kind: "", ply: 0, from: 0, names: [], moves: [], positions: [new Position(variant)] };
export const game = lineFrom(empty, 0, namesIn(variant, data.m), "");
export const plies = game.moves.length;
export const changeAt = new Map(changes.map((change) => [change[0] + 1, change]));
/** Whether a person can play on, because the site has a board. */
export const playsOn = Boolean(data.b);
/** The ply of the decisive move, or 0. */
export const decisive = changes.length && !data.f ? changes[changes.length - 1][0] + 1 : 0;

/** @param {number} ply @param {string} kind */
export function variation(ply, kind) {
  const [, , , , better = [], refutation = []] = changeAt.get(ply) ?? [];
  if (kind === "r") return refutation.length ? lineFrom(game, ply, refutation, kind, ply) : null;
  return kind === "b" && better.length ? lineFrom(game, ply - 1, better, kind, ply) : null;
}
