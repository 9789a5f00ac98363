// @ts-check
// The turning points of a game: moves of a person that gave a result away, each as an exercise. Every move that keeps
// the best result is accepted.
import { columnName } from "../../../protocol/web/names.js";
import { colour, resultText, say } from "../view/words.js";
import { Exercise } from "./exercise.js";

/** @import { Game } from "../game.js" */
/** @import { Study } from "../study.js" */
/** @import { Values } from "../values.js" */

const MOST = 3;

/** Returns the moves that keep a result (-1, 0, 1). There are none while the result of a move is not known.
    @param {Values} values @param {number} result */
export function keeping(values, result) {
  const moves = [...values];
  const isKnown = moves.every(([, { low, high }]) => Math.sign(low) === Math.sign(high));
  return isKnown ? moves.filter(([, { low }]) => Math.sign(low) === result).map(([cell]) => cell) : [];
}

/** Returns at most three turning points of the game, in their order: those that gave most away, and of equal ones the
    later ones, whose reasons are easier to see. @param {Game} game @param {Study} study @returns {Exercise[]} */
export function turningPoints(game, study) {
  const { positions, line, variant, start } = game;
  const known = study.turns(positions).flatMap(({ at, before, after }) => {
    const position = positions[at - 1];
    const right = keeping(study.valuesOf(position) ?? new Map(), before);
    return right.length && game.isPerson(position.player) ? [{ at, before, after, right, position }] : [];
  });
  known.sort((a, b) => b.before - b.after - (a.before - a.after) || b.at - a.at);
  const chosen = known.slice(0, MOST).sort((a, b) => a.at - b.at);
  return chosen.map(({ at, before, after, right, position }, i) => {
    const results = { before: resultText(before), after: resultText(after) };
    const about = {
      lesson: `turn=${i + 1}`,
      name: "",
      title: say("turning point", { number: i + 1, count: chosen.length }),
      text: say("turn about", { move: start.ply + at, column: columnName(variant, line[at - 1]), ...results }),
      task: say("find better", { who: colour(position.player) }),
    };
    return new Exercise(about, { start, variant, moves: line.slice(0, at - 1) }, right);
  });
}
