// The engine of the built page, run by Node.

import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { Answerer } from "../../bot/web/engine/answers.js";
import { Core } from "../../bot/web/engine/core.js";

const inflated = (text) => new Uint8Array(inflateSync(Buffer.from(text, "base64")));
const page = new URL("../../bot/c4_bot/web/page/", import.meta.url);

/** Runs a script of the page that only sets a global variable. */
const run = (name) => new Function(readFileSync(new URL(name, page), "utf8"))();
run("engine.js");
const { wasm, book, evaluation, levels, templates, network, networks } = globalThis.C4_ENGINE;
for (const variant of networks) run(`network-${variant}.js`);

export const core = await Core.load({ wasm: inflated(wasm), book: inflated(book), evaluation });
for (const { variant, shapes, weights } of [network, ...Object.values(globalThis.C4_NETWORKS)]) {
  core.useNetwork({ variant, shapes, weights: inflated(weights) });
}
export const answerer = new Answerer(core, levels, templates.en, async () => {});
