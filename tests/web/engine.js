// Answers questions with the engine of the built page: reads JSON from standard input, writes the answers as a list.
//
// [{ board: [width, height, connect], stones: [first, second], kind, level, seed, cell, ms }, ...]
// Bitboards are decimal texts. With the argument "nodes", each answer is [milliseconds, nodes, answer].

import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { Answerer } from "../../bot/web/engine/answers.js";
import { Core } from "../../bot/web/engine/core.js";
import { Position, Variant } from "../../bot/web/rules.js";

const inflated = (text) => new Uint8Array(inflateSync(Buffer.from(text, "base64")));
const page = new URL("../../bot/c4_bot/web/page/", import.meta.url);

/** Runs a script of the page that only sets a global variable. */
const run = (name) => new Function(readFileSync(new URL(name, page), "utf8"))();
run("engine.js");
const { wasm, book, evaluation, levels, templates, network, networks } = globalThis.C4_ENGINE;
for (const variant of networks) run(`network-${variant}.js`);

const core = await Core.load({ wasm: inflated(wasm), book: inflated(book), evaluation });
for (const { variant, shapes, weights } of [network, ...Object.values(globalThis.C4_NETWORKS)]) {
  core.useNetwork({ variant, shapes, weights: inflated(weights) });
}
const answerer = new Answerer(core, levels, templates.en, async () => {});

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
