// @ts-check
// The introduction. The positions, and the sentences after a move, are those of docs/reasons.md; the texts before a
// move are in texts/.
import { parse } from "../notation.js";
import { STANDARD } from "../../../protocol/web/rules.js";
import { TEXTS } from "../texts/language.js";
import { Exercise } from "./exercise.js";

/** The moves up to the position, and the columns that are accepted. The first of them is the solution.
    @type {{ moves: string, right: string, showsThreats?: boolean }[]} */
export const STEPS = [
  { moves: "443457", right: "6" },
  { moves: "44537", right: "6" },
  { moves: "343362674", right: "47" },
  { moves: "4426", right: "3" },
  { moves: "463", right: "2" },
  { moves: "23244442152765", right: "1" },
  { moves: "41565541", right: "234" },
  { moves: "4413433", right: "1" },
  { moves: "525535325364", right: "3", showsThreats: true },
  { moves: "66331272652", right: "15", showsThreats: true },
];

/** @param {number} number from 1 */
export function stepExercise(number) {
  const { moves, right, showsThreats } = STEPS[number - 1];
  const { title, text, task } = TEXTS.steps[number - 1];
  const lesson = `step=${number}`;
  const about = { lesson, name: lesson, title: `${number}. ${title}`, text, task, showsThreats };
  const cells = [...right].flatMap((column) => parse(moves + column, STANDARD).moves.slice(-1));
  return new Exercise(about, parse(moves, STANDARD), cells);
}
