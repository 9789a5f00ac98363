// @ts-check
// The introduction. The positions, and the sentences after a move, are those of docs/reasons.md; the texts before a
// move are in texts/.
import { TEXTS } from "../texts/language.js";
import { exerciseOf } from "./exercise.js";

/** The moves up to the position, and the line that the person finds. `also` are other columns that are accepted.
    @type {{ moves: string, line: string, also?: string, showsThreats?: boolean }[]} */
export const STEPS = [
  { moves: "443457", line: "6" },
  { moves: "44537", line: "6" },
  { moves: "343362674", line: "4", also: "7" },
  { moves: "4426", line: "3" },
  { moves: "463", line: "2" },
  { moves: "23244442152765", line: "1" },
  { moves: "41565541", line: "2", also: "34" },
  { moves: "4413433", line: "1" },
  { moves: "525535325364", line: "3", showsThreats: true },
  { moves: "66331272652", line: "1", also: "5", showsThreats: true },
];

/** @param {number} number from 1 */
export function stepExercise(number) {
  const { moves, line, also = "", showsThreats } = STEPS[number - 1];
  const { title, text, task } = TEXTS.steps[number - 1];
  const lesson = `step=${number}`;
  const about = { lesson, name: lesson, title: `${number}. ${title}`, text, task, showsThreats };
  const exercise = exerciseOf(about, moves, line);
  const others = [...also].map((column) => exercise.game.position.cellIn(Number(column) - 1) ?? -1);
  exercise.right.push(...others);
  return exercise;
}
