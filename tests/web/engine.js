// Answers questions with the engine of the built page: reads JSON from standard input, writes the answers as a list.
//
// [{ board: [width, height, connect], stones: [first, second], kind, level, seed, cell, ms }, ...]
// Bitboards are decimal texts. With the argument "nodes", each answer is [milliseconds, nodes, answer].

import { readFileSync } from "node:fs";
import { Position, Variant } from "../../protocol/web/rules.js";
import { answerer, core } from "./answerer.js";

async function answer({ board, stones, ...question }) {
  const position = new Position(new Variant(...board), ...stones.map(BigInt));
  const answered = await answerer.ask({ ...question, position, isAborted: () => false });
  return answered instanceof Map ? [...answered].map(([cell, { low, high }]) => [cell, low, high]) : answered;
}

const answers = [];
for (const question of JSON.parse(readFileSync(0, "utf8"))) {
  const began = performance.now();
  const answered = await answer(question);
  answers.push(process.argv.includes("nodes") ? [performance.now() - began, core.nodes, answered] : answered);
}
process.stdout.write(JSON.stringify(answers));
