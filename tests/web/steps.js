// Writes the steps of the introduction: [moves, cells that are accepted, reason of the first of them, cells of all moves
// that have the same kind of reason].

import { STEPS, stepExercise } from "../../bot/web/learn/steps.js";
import { answerer } from "./answerer.js";

const found = [];
for (const [i, { moves }] of STEPS.entries()) {
  const exercise = stepExercise(i + 1);
  const { position } = exercise.game;
  const explain = (cell) => answerer.ask({ kind: "explain", position, cell, isAborted: () => false });
  const all = await Promise.all(position.moves.map(explain));
  const { kind, text } = all.find(({ cell }) => cell === exercise.right[0]);
  const alike = all.filter((one) => one.kind === kind && one.kind !== "values").map(({ cell }) => cell);
  found.push([moves, position.moves.filter((cell) => exercise.isRight(cell)), text, alike]);
}
process.stdout.write(JSON.stringify(found));
