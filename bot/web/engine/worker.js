// @ts-check
// What runs in the worker: it loads the core, and passes questions and answers between the page and `Answerer`.

import { Aborted, Answerer, unpacked } from "./answers.js";
import { Core } from "./core.js";

/** @import { EngineData, PackedNetwork } from "./client.js" */
/** @import { Language } from "../texts/language.js" */

/** The worker itself: its messages go to the page. */
const worker = /** @type {Worker} */ (/** @type {unknown} */ (self));
/** @type {Set<number>} */
const aborted = new Set();
/** @type {Promise<Answerer>} */
let answerer;
let networks = Promise.resolve(); // those that came before a question are in use before it is answered

/** @param {string} text in base64 */
const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** Returns what zlib has compressed. @param {string} text in base64 */
async function inflated(text) {
  const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** @param {EngineData & { language: Language }} data */
async function load({ wasm, book, evaluation, levels, templates, language }) {
  const core = await Core.load({ wasm: await inflated(wasm), book: await inflated(book), evaluation });
  return new Answerer(core, levels, templates[language], pause());
}

/** Returns a function that lets messages arrive, without the delay of timers. */
function pause() {
  const { port1, port2 } = new MessageChannel();
  return () =>
    new Promise((resolve) => {
      port1.onmessage = () => resolve(undefined);
      port2.postMessage(0);
    });
}

/** @param {PackedNetwork} network */
async function useNetwork({ variant, shapes, weights }) {
  const { core } = await answerer;
  core.useNetwork({ variant, shapes, weights: await inflated(weights) });
}

/** @param {{ id: number, question: any }} message */
async function answer({ id, question }) {
  try {
    await networks;
    const answered = await (await answerer).ask({
      ...question,
      position: unpacked(question.position),
      onBounds: (/** @type {unknown} */ bounds) => worker.postMessage({ id, bounds }),
      isAborted: () => aborted.has(id),
    });
    worker.postMessage({ id, answer: answered });
  } catch (error) {
    worker.postMessage({ id, error: error instanceof Aborted ? "AbortError" : String(error) });
  }
  aborted.delete(id);
}

worker.onmessage = ({ data }) => {
  if (data.load) {
    answerer = load(data.load);
    answerer.then(
      () => worker.postMessage({ isReady: true }),
      (error) => worker.postMessage({ problem: String(error) }),
    );
  } else if (data.network) {
    networks = networks.then(() => useNetwork(data.network));
  } else if (data.abort) {
    aborted.add(data.abort);
  } else {
    answer(data);
  }
};
