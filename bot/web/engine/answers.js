// @ts-check
// The answers to all that the page asks, one question after the other. Nothing here knows of workers.

import { Explainer } from "../explain.js";
import { Position, Variant } from "../../../protocol/web/rules.js";
import { bestOf, isExact } from "../values.js";
import { perfectMove } from "./perfect.js";

/** @import { Core, Parameters } from "./core.js" */
/** @import { Explained } from "../explain.js" */
/** @import { Templates } from "../sentences.js" */
/** @import { Values } from "../values.js" */

/** Depth and parameters of the search `human`, without a seed.
    @typedef {{ depth: number, parameters: Parameters }} Level */
/** A question about a position whose game is not over. After `ms`, values need not be exact.
    @typedef {{ kind: keyof typeof URGENCY, position: Position, level?: number, seed?: number, cell?: number | null,
      ms?: number, onBounds?: (values: Values) => void, isAborted: () => boolean }} Question */

const STEP_MS = 60; // between two looks at other questions
const MOVE_MS = 3000;
const EXPLANATION_MS = 4000;
const UNPROVEN_NODES = 200_000; // of the search for a move if time is too short for a proof
const URGENCY = { move: 0, explain: 1, bestLine: 2, values: 2 };
const PERFECT = 10;
const SEEDS = 2 ** 20;

/** Thrown in the work on a question that nobody asks any more. */
export class Aborted extends Error {}

export class Answerer {
  /** @param {Core} core @param {Level[]} levels 1 to 9 @param {Templates} templates
      @param {() => Promise<void>} pause lets messages arrive */
  constructor(core, levels, templates, pause) {
    this.core = core;
    this.levels = levels;
    this.templates = templates;
    this.pause = pause;
    /** @type {{ question: Question, run: () => Promise<void> }[]} */
    this.waiting = [];
    this.urgency = Infinity; // of the question that is worked on
  }

  /** Returns the answer, when its turn has come. @param {Question} question @returns {Promise<any>} */
  ask(question) {
    return new Promise((resolve, reject) => {
      const run = () => this.#answer(question).then(resolve, reject);
      this.waiting.push({ question, run });
      if (this.urgency === Infinity) this.#runWaiting(Infinity);
    });
  }

  /** Works on all questions that are more urgent than this; returns whether there was any. @param {number} urgency */
  async #runWaiting(urgency) {
    const before = this.urgency;
    for (let ran = false; ; ran = true) {
      const next = this.waiting
        .filter(({ question }) => URGENCY[question.kind] < urgency)
        .sort((a, b) => URGENCY[a.question.kind] - URGENCY[b.question.kind])[0];
      if (!next) return ran;
      this.waiting.splice(this.waiting.indexOf(next), 1);
      this.urgency = URGENCY[next.question.kind];
      await next.run();
      this.urgency = before;
    }
  }

  /** @param {Question} question */
  async #answer(question) {
    if (question.isAborted()) throw new Aborted();
    if (question.kind === "move") return this.#move(question);
    if (question.kind === "explain") return this.#explain(question);
    if (question.kind === "bestLine") return this.#bestLine(question);
    return this.#solve(question, question.position, {});
  }

  /** @param {Question} question */
  async #move(question) {
    const { position, level = PERFECT } = question;
    const seed = (question.seed ?? Math.floor(Math.random() * SEEDS)) % SEEDS;
    if (level < PERFECT) {
      const { depth, parameters } = this.levels[level - 1];
      return this.core.human(position, depth, { ...parameters, seed: [seed] });
    }
    const until = performance.now() + (question.ms ?? MOVE_MS);
    return perfectMove(position, {
      core: this.core,
      seed,
      solve: (asked, low, high) => this.#solve(question, asked, { low, high, until }),
      unproven: (asked, values) => this.#unrefuted(asked, values).cell,
    });
  }

  /** @param {Question} question @returns {Promise<Explained>} */
  async #explain(question) {
    const until = performance.now() + (question.ms ?? EXPLANATION_MS);
    /** @type {Values} */
    let values = new Map();
    const explainer = new Explainer({
      core: this.core,
      solve: async (asked) => {
        values = await this.#solve(question, asked, { until });
        return exactScores(values);
      },
      search: (asked) => this.#unrefuted(asked, values),
      templates: this.templates,
    });
    return explainer.explain(question.position, question.cell ?? null);
  }

  /** Returns the move of a search and its depth, or a move that is known to be better.
      @param {Position} position @param {Values} values */
  #unrefuted(position, values) {
    const found = this.core.deepening(position, UNPROVEN_NODES);
    const least = bestOf(values).low;
    const isOpen = (/** @type {number} */ cell) => (values.get(cell)?.high ?? least) >= least;
    if (isOpen(found.cell)) return found;
    return { ...found, cell: position.urgentFirst.find(isOpen) ?? found.cell };
  }

  /** Returns best play: of equal moves, the most central. @param {Question} question @returns {Promise<number[]>} */
  async #bestLine(question) {
    let { position } = question;
    const scores = exactScores(await this.#solve(question, position, {}));
    if (!scores) return [];
    let score = Math.max(...scores.values());
    const line = [];
    for (; !position.isOver; score = -score) {
      const values = await this.#solve(question, position, { low: score - 1, high: score });
      const best = position.urgentFirst.find((cell) => (values.get(cell)?.low ?? -Infinity) >= score);
      if (best === undefined) break;
      line.push(best);
      position = position.play(best);
    }
    return line;
  }

  /** Returns the values of all moves as far as they are between two bounds, or what is known of them at a time.
      @param {Question} question @param {Position} position
      @param {{ low?: number, high?: number, until?: number }} wanted @returns {Promise<Values>} */
  async #solve(question, position, { low, high, until = performance.now() + (question.ms ?? Infinity) }) {
    const { core } = this;
    core.begin(position, low, high);
    for (;;) {
      const isDone = core.step(STEP_MS);
      const values = core.results();
      if (isDone || performance.now() >= until) return values;
      question.onBounds?.(values);
      await this.pause();
      if (question.isAborted()) throw new Aborted();
      if (await this.#runWaiting(URGENCY[question.kind])) core.begin(position, low, high);
    }
  }
}

/** Returns the scores of all moves, or null if one is not known. @param {Values} values */
function exactScores(values) {
  return isExact(values) ? new Map([...values].map(([cell, { low }]) => [cell, low])) : null;
}

/** Returns a position as a worker can get it. @param {Position} position */
export const packed = ({ variant: { width, height, connect }, first, second }) =>
  ({ width, height, connect, first, second });

/** @param {ReturnType<typeof packed>} message */
export const unpacked = ({ width, height, connect, first, second }) =>
  new Position(new Variant(width, height, connect), first, second);
