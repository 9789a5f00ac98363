// @ts-check
// The engine as the page uses it: questions to a worker, which runs from a blob so that pages in files can start it.

import { packed } from "./answers.js";

/** @import { Position } from "../../../protocol/web/rules.js" */
/** @import { Level, Question } from "./answers.js" */
/** @import { Parameters } from "./core.js" */
/** @import { Explained } from "../explain.js" */
/** @import { Language } from "../texts/language.js" */
/** @import { Templates } from "../sentences.js" */
/** @import { Values } from "../values.js" */

/** A shape of patterns of a network. @typedef {{ columns: number, rows: number, slope: number }} Shape */
/** A network with its weights compressed by zlib, in base64.
    @typedef {{ variant: string, shapes: Shape[], weights: string }} PackedNetwork */
/** What engine.js holds: the script of the worker, the core and the book as in a `PackedNetwork`, the network of 7x6,
    and the variants whose networks have files of their own.
    @typedef {{ worker: string, wasm: string, book: string, network: PackedNetwork, networks: string[],
      evaluation: Parameters, levels: Level[], templates: Record<Language, Templates> }} EngineData */

const page = /** @type {{ C4_ENGINE?: EngineData, C4_NETWORKS?: Record<string, PackedNetwork> }} */ (globalThis);

/** Loads a script. @param {string} name */
function loadScript(name) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = name;
    script.onload = resolve;
    script.onerror = () => reject(new Error(`cannot load ${name}`));
    document.head.append(script);
  });
}

/** Answers questions about positions. It loads its data by itself. */
export class Engine {
  /** @param {{ language?: Language, folder?: string, after?: Promise<void> }} options language of explanations, the
        address of the folder of engine.js, which is empty or ends with a slash, and what the loading waits for */
  constructor({ language = "en", folder = "", after = Promise.resolve() } = {}) {
    this.language = language;
    this.folder = folder;
    this.nextId = 1;
    /** @type {Map<number, { resolve: Function, reject: Function, onBounds?: (values: Values) => void }>} */
    this.open = new Map();
    /** @type {Map<string, Promise<void>>} */
    this.networks = new Map();
    this.worker = after.then(() => this.#start());
    this.ready = this.worker.then(() => undefined);
  }

  /** Returns the values of all moves, or what is known after `ms`. `onBounds` gets what is known before.
      @param {Position} position @param {{ signal: AbortSignal, ms: number, onBounds?: (values: Values) => void }} how
      @returns {Promise<Values>} */
  values(position, { signal, ms, onBounds }) {
    return this.#ask({ kind: "values", ms }, position, signal, onBounds);
  }

  /** Returns the move of a level, 1 to 10.
      @param {Position} position @param {number} level @param {AbortSignal} signal @returns {Promise<number>} */
  move(position, level, signal) {
    return this.#ask({ kind: "move", level }, position, signal);
  }

  /** Returns why a move is good or a mistake; without a cell, why the best move is good. @returns {Promise<Explained>}
      @param {Position} position @param {number | null} cell @param {AbortSignal} signal */
  explain(position, cell, signal) {
    return this.#ask({ kind: "explain", cell }, position, signal);
  }

  /** Returns best play. @param {Position} position @param {AbortSignal} signal @returns {Promise<number[]>} */
  bestLine(position, signal) {
    return this.#ask({ kind: "bestLine" }, position, signal);
  }

  async #start() {
    if (!page.C4_ENGINE) await loadScript(`${this.folder}engine.js`);
    const data = /** @type {EngineData} */ (page.C4_ENGINE);
    const address = URL.createObjectURL(new Blob([data.worker], { type: "text/javascript" }));
    const worker = new Worker(address);
    URL.revokeObjectURL(address);
    worker.postMessage({ load: { ...data, worker: "", language: this.language } });
    worker.postMessage({ network: data.network });
    await new Promise((resolve, reject) => {
      worker.onmessage = ({ data: { problem } }) => (problem ? reject(new Error(problem)) : resolve(undefined));
      worker.onerror = ({ message }) => reject(new Error(message));
    });
    worker.onmessage = ({ data: message }) => this.#receive(message);
    return worker;
  }

  /** @param {Partial<Question>} question @param {Position} position @param {AbortSignal} signal
      @param {(values: Values) => void} [onBounds] @returns {Promise<any>} */
  async #ask(question, position, signal, onBounds) {
    const worker = await this.worker;
    await this.#provideNetwork(position.variant.name, worker);
    signal.throwIfAborted();
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.open.set(id, { resolve, reject, onBounds });
      signal.addEventListener("abort", () => {
        if (!this.open.has(id)) return;
        worker.postMessage({ abort: id });
        this.#receive({ id, error: "AbortError" });
      });
      worker.postMessage({ id, question: { ...question, position: packed(position) } });
    });
  }

  /** @param {string} variant @param {Worker} worker */
  #provideNetwork(variant, worker) {
    if (!page.C4_ENGINE?.networks.includes(variant)) return undefined;
    const load = async () => {
      await loadScript(`${this.folder}network-${variant}.js`);
      worker.postMessage({ network: page.C4_NETWORKS?.[variant] });
    };
    if (!this.networks.has(variant)) this.networks.set(variant, load());
    return this.networks.get(variant)?.catch((error) => {
      this.networks.delete(variant); // so that the next question tries again
      throw error;
    });
  }

  /** @param {{ id: number, bounds?: Values, answer?: unknown, error?: string }} message */
  #receive({ id, bounds, answer, error }) {
    const asked = this.open.get(id);
    if (bounds) return asked?.onBounds?.(bounds);
    this.open.delete(id);
    if (error) return asked?.reject(error === "AbortError" ? new DOMException("", error) : new Error(error));
    return asked?.resolve(answer);
  }
}
