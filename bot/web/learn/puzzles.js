// @ts-check
// The puzzles of the file puzzles.js beside the page, which c4_bot/puzzles/puzzles.json is made into.
import { language } from "../texts/language.js";
import { say } from "../view/words.js";
import { exerciseOf } from "./exercise.js";

/** @typedef {"easy" | "medium" | "hard"} Grade */
/** The moves up to the position, the line that the person finds, and its result.
    @typedef {[moves: string, line: string, result: "win" | "draw", grade: Grade]} Puzzle */

export const GRADES = /** @type {const} */ (["easy", "medium", "hard"]);
const PUZZLES = /** @type {{ C4_PUZZLES?: Puzzle[] }} */ (globalThis).C4_PUZZLES ?? [];
const DAY_MS = 86_400_000;
const STRIDE = 37; // has no divisor in common with the number of puzzles, so that each of them gets its day

/** Returns the numbers of the puzzles of a grade. @param {Grade} grade */
export const numbersOf = (grade) => PUZZLES.flatMap((puzzle, i) => (puzzle[3] === grade ? [i + 1] : []));

/** Returns the number of the puzzle of a day. One grade follows the other. @param {Date} date in local time */
export function numberOfDay(date) {
  const day = Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY_MS);
  const numbers = numbersOf(GRADES[day % GRADES.length]);
  return numbers[(Math.floor(day / GRADES.length) * STRIDE) % numbers.length];
}

/** Returns a puzzle, or null if there is none with this number. @param {number} number */
export function puzzleExercise(number) {
  return number <= PUZZLES.length ? exerciseFrom(number, `puzzle=${number}`, say("puzzle", { number })) : null;
}

/** Returns the puzzle of a day, or null without puzzles. @param {Date} date in local time */
export function puzzleOfDay(date) {
  if (!PUZZLES.length) return null;
  const day = date.toLocaleDateString(language, { day: "numeric", month: "long" });
  return exerciseFrom(numberOfDay(date), "puzzle=today", say("puzzle of", { day }));
}

/** @param {number} number @param {string} lesson @param {string} title */
function exerciseFrom(number, lesson, title) {
  const [moves, line, result, grade] = PUZZLES[number - 1];
  const who = say(moves.length % 2 ? "second" : "first");
  const about = { lesson, name: `puzzle=${number}`, title: `${title} · ${say(grade)}`, text: "", task: say(`find ${result}`, { who }) };
  return exerciseOf(about, moves, line);
}
