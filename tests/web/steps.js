// Writes the steps of the introduction: [moves, cells that are accepted, reason of the first of them].

import { STEPS, stepExercise } from "../../bot/web/learn/steps.js";
import { answerer } from "./answerer.js";

const found = [];
for (const [i, { moves }] of STEPS.entries()) {
  const { game, right } = stepExercise(i + 1);
  const question = { kind: "explain", position: game.position, cell: right[0], isAborted: () => false };
  found.push([moves, right, (await answerer.ask(question)).text]);
}
process.stdout.write(JSON.stringify(found));
