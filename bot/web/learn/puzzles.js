// @ts-check
// The puzzles of the file puzzles.js beside the page, which is made from c4_bot/puzzles/puzzles.json.
import { parse } from "../notation.js";
import { STANDARD } from "../../../protocol/web/rules.js";
import { language } from "../texts/language.js";
import { say } from "../view/words.js";
import { Exercise } from "./exercise.js";

/** @typedef {"easy" | "medium" | "hard"} Grade */
/** The moves up to the position, the line that the person finds, and its result.
    @typedef {[moves: string, line: string, result: "win" | "draw", grade: Grade]} Puzzle */

export const GRADES = /** @type {const} */ (["easy", "medium", "hard"]);
const PUZZLES = /** @type {{ C4_PUZZLES?: Puzzle[] }} */ (globalThis).C4_PUZZLES ?? [];
const DAY_MS = 86_400_000;
const STRIDE = 37; // has no divisor in common with the number of puzzles, so that each of them gets its day

/** Returns the numbers of the puzzles of a grade. @param {Grade} grade */
export const numbersOf = (grade) => PUZZLES.flatMap((puzzle, i) => (puzzle[3] === grade ? [i + 1] : []));

/** Returns the number of the puzzle of a day. Grades take turns. @param {Date} date in local time */
export function numberOfDay(date) {
  const day = Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY_MS);
  const numbers = numbersOf(GRADES[day % GRADES.length]);
  return numbers[(Math.floor(day / GRADES.length) * STRIDE) % numbers.length];
}

/** Returns a puzzle, or null if it does not exist. @param {string} value its number, or "today" */
export function puzzleExercise(value, date = new Date()) {
  const isToday = value === "today";
  const number = isToday ? numberOfDay(date) : Number(value);
  if (!PUZZLES[number - 1]) return null;
  const [moves, line, result, grade] = PUZZLES[number - 1];
  const day = date.toLocaleDateString(language, { day: "numeric", month: "long" });
  const title = isToday ? say("puzzle of", { day }) : say("puzzle", { number });
  const task = say(`find ${result}`, { who: say(moves.length % 2 ? "second" : "first") });
  const names = { lesson: `puzzle=${value}`, name: `puzzle=${number}`, title: `${title} · ${say(grade)}` };
  const [right, ...rest] = parse(moves + line, STANDARD).moves.slice(moves.length);
  return new Exercise({ ...names, text: "", task }, parse(moves, STANDARD), [right], rest);
}
