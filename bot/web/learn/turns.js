// @ts-check
// The turning points of a game: moves of a person that gave a result away, each as an exercise. Every move that keeps
// the best result is accepted.
import { Game } from "../game.js";
import { columnName } from "../notation.js";
import { colour, resultText, say } from "../view/words.js";
import { Exercise } from "./exercise.js";

/** @import { Study, Turn } from "../study.js" */
/** @import { Values } from "../values.js" */

const MOST = 3;

/** Returns the moves that keep a result (-1, 0, 1), or null if that is not known of every move.
    @param {Values} values @param {number} result */
function keeping(values, result) {
  const outcomes = [...values].map(([cell, { low, high }]) => ({ cell, low: Math.sign(low), high: Math.sign(high) }));
  if (outcomes.some(({ low, high }) => low !== high)) return null;
  return outcomes.flatMap(({ cell, low }) => (low === result ? [cell] : []));
}

/** Returns at most three turning points of the game, in their order: those that gave most away, and of equal ones the
    later ones, whose reasons are easier to see. @param {Game} game @param {Study} study @returns {Exercise[]} */
export function turningPoints(game, study) {
  const { positions } = game;
  const own = study.turns(positions).filter(({ at }) => game.isPerson(positions[at - 1].player));
  const known = own.flatMap((turn) => {
    const right = keeping(study.valuesOf(positions[turn.at - 1]) ?? new Map(), turn.before);
    return right?.length ? [{ turn, right }] : [];
  });
  const lost = (/** @type {Turn} */ { before, after }) => before - after;
  known.sort((a, b) => lost(b.turn) - lost(a.turn) || b.turn.at - a.turn.at);
  const chosen = known.slice(0, MOST).sort((a, b) => a.turn.at - b.turn.at);
  return chosen.map(({ turn, right }, i) => {
    const about = { lesson: `turn=${i + 1}`, name: "", ...aboutTurn(game, turn), title: titleOf(i + 1, chosen.length) };
    const moves = game.line.slice(0, turn.at - 1);
    return new Exercise(about, new Game({ start: game.start, variant: game.variant, moves, mode: "learn" }), [{ right }]);
  });
}

/** @param {number} number @param {number} count */
const titleOf = (number, count) => say("turning point", { number, count });

/** @param {Game} game @param {Turn} turn */
function aboutTurn({ positions, line, variant, start }, { at, before, after }) {
  const fields = { column: columnName(variant, line[at - 1]), move: start.ply + at };
  const text = say("turn about", { ...fields, before: resultText(before), after: resultText(after) });
  return { text, task: say("find better", { ...fields, who: colour(positions[at - 1].player) }) };
}
