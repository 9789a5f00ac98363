// Exercises, the puzzle of the day, and what is remembered as solved.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const page = new URL("../../bot/c4_bot/web/page/puzzles.js", import.meta.url);
new Function(readFileSync(page, "utf8"))();
const { GRADES, numberOfDay, numbersOf, puzzleExercise } = await import("../../bot/web/learn/puzzles.js");
const { Progress } = await import("../../bot/web/learn/progress.js");

/** A store as browsers have it; `isFull` lets it refuse everything. */
function useStore(isFull = false) {
  const kept = new Map();
  const refuse = () => {
    throw new Error("refused");
  };
  const set = (name, value) => void kept.set(name, value);
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true,
    value: isFull ? { getItem: refuse, setItem: refuse } : { getItem: (name) => kept.get(name) ?? null, setItem: set },
  });
}

test("each puzzle has its day, and grades take turns", () => {
  const days = Array.from({ length: 300 }, (_, i) => new Date(2026, 0, 1 + i, 23, 59));
  const numbers = days.map(numberOfDay);
  assert.equal(new Set(numbers).size, 300);
  const grades = numbers.slice(0, 3).map((number) => GRADES.find((grade) => numbersOf(grade).includes(number)));
  assert.deepEqual(new Set(grades), new Set(GRADES));
  assert.equal(numberOfDay(new Date(2026, 0, 1, 0, 0)), numbers[0]);
});

test("a puzzle goes on until its line ends", () => {
  const exercise = puzzleExercise("1"); // its line is 655
  const { game } = exercise;
  const cell = (column) => game.position.cellIn(column - 1);
  assert.ok(!exercise.isRight(cell(2)));
  assert.ok(exercise.isRight(cell(6)));
  game.play(exercise.advance(cell(6)));
  assert.ok(!exercise.isOver);
  assert.deepEqual(exercise.right, [cell(5)]);
  assert.equal(exercise.advance(cell(5)), undefined);
  assert.ok(exercise.isOver);
  assert.equal(puzzleExercise("301"), null);
});

test("what is solved is kept, saved and loaded", () => {
  useStore();
  const progress = new Progress();
  progress.add("puzzle=17");
  new Progress().add("step=1"); // as in another window
  localStorage.setItem("c4-progress", '["step=1","puzzle=17","new kind=1","game=1234"]'); // as a later version may
  progress.merge('["puzzle=18"]');
  assert.equal(new Progress().text, '["game=1234","puzzle=17","puzzle=18","step=1"]');
  const { text } = progress;
  useStore(true);
  const other = new Progress();
  assert.ok(!other.solved.has("puzzle=17"));
  other.merge(text);
  assert.ok(other.solved.has("puzzle=17"));
  for (const wrong of ["", "{}", "[1]", '["puzzle=x"]', "nonsense"]) assert.throws(() => other.merge(wrong));
});
