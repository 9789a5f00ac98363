// @ts-check
// Why a move is good or a mistake: c4_bot/reasons/explanation.py and explainer.py again, for games in which stones
// fall. The core finds reasons and scores.

import { bit, cellsOf } from "../../protocol/web/rules.js";
import { bestMove, LEADS, Sentences } from "./sentences.js";

/** @import { Core } from "./engine/core.js" */
/** @import { Position } from "../../protocol/web/rules.js" */
/** @import { Reason, Templates } from "./sentences.js" */
/** Exact scores of all moves by cell; empty if they are not known. @typedef {Map<number, number>} Scores */
/** An explanation of a move. `hint` says what kind of move it is. If the move is a mistake, `better` explains a better
    move, and `refusal` is a sentence that does not name any move that would be better.
    @typedef {Reason & { cell: number, text: string, hint: string, refusal: string,
      better: Explained | null }} Explained */
/** What explanations need: the core, a function that returns exact scores or null if they are not proven in time, and
    one that returns a good move that is not proven, with the depth of the search in plies.
    @typedef {{ core: Core, solve: (position: Position) => Promise<Scores | null>, templates: Templates,
      search: (position: Position) => { cell: number, depth: number } }} Parts */

/** Kinds that do not say by themselves what the move keeps. */
const KEEPING = new Set([
  "threat", "leave", "averts", "averts-force", "prepares", "prepares-force", "last-line", "dead-draw", "holds",
  "later-threat", "denies", "only-defence",
]);
/** Kinds of moves in best play after a mistake that explain the mistake. */
const LEADING = new Set(["threat", "leave", "later-threat", "two-threats", "stacked-threats", "no-answer", "parity"]);
/** Kinds of mistakes that explain something only if the better move is on the cell of the answer. */
const TAKING = new Set(["allows-averts", "allows-averts-force", "allows-denies"]);
/** Kinds whose sentences name all moves of the line. */
const NAMING = new RegExp(`force|prepares|${LEADS}`);
const MAX_LINE = 7; // moves of best play after a mistake
/** The reason of moves that the rules and the known outcomes do not explain. @type {Reason} */
const VALUES = { kind: "values", cells: [], line: [] };

/** @param {{ kind: string }} reason */
const isValues = (reason) => reason.kind === VALUES.kind;

/** @param {Scores} scores @param {number} cell */
function outcomeOf(scores, cell) {
  const score = scores.get(cell);
  return score === undefined ? null : Math.sign(score);
}

/** @param {Scores} scores */
const bestOutcome = (scores) => (scores.size ? Math.sign(Math.max(...scores.values())) : null);

/** Returns whether the sentence of a reason names the column of a move that keeps the result.
    @param {Position} position @param {Reason} reason @param {Scores} scores */
function namesBetter({ moves, variant }, { kind, cells, line }, scores) {
  const named = [...cells, ...(NAMING.test(kind) ? line : line.slice(0, 1))].map((cell) => variant.columnOf(cell));
  const kept = moves.filter((move) => outcomeOf(scores, move) === bestOutcome(scores));
  return kept.some((move) => named.includes(variant.columnOf(move)));
}

/** Explains moves of games that are not over. */
export class Explainer {
  /** @param {Parts} parts */
  constructor({ core, solve, search, templates }) {
    this.core = core;
    this.solve = solve;
    this.search = search;
    this.words = new Sentences(templates);
  }

  /** Returns the explanation of a legal move, or of the best move if the cell is null.
      @param {Position} position @param {number | null} cell @returns {Promise<Explained>} */
  async explain(position, cell) {
    const scores = (await this.solve(position)) ?? new Map();
    if (cell === null) return this.explainBest(position, scores);
    const [best, own] = [bestOutcome(scores), outcomeOf(scores, cell)];
    if (own === null || best === null || own === best) return this.explainKeeping(position, cell, scores);
    return this.explainMistake(position, cell, scores, best, own);
  }

  /** @param {Position} position @param {Scores} scores */
  explainBest(position, scores) {
    if (!scores.size) return this.explainSearch(position);
    const most = scores.get(bestMove(position, scores));
    const best = position.moves.filter((move) => scores.get(move) === most);
    const explained = best.map((move) => this.explainKeeping(position, move, scores));
    return explained.find((one) => !isValues(one)) ?? explained[0];
  }

  /** Returns the explanation of a move that is not proven. @param {Position} position @returns {Explained} */
  explainSearch(position) {
    const { cell, depth } = this.search(position);
    const found = this.reason(position, cell, null, null);
    const isSearched = isValues(found);
    const reason = isSearched ? this.words.searched(depth) : this.words.predicate(position, cell, found);
    const text = this.words.sentence("plain", position, cell, { reason });
    const kind = isSearched ? "searched" : found.kind;
    return { cell, ...found, kind, text, hint: this.words.hint(kind), refusal: "", better: null };
  }

  /** Returns the explanation of a move that is not known to be a mistake.
      @param {Position} position @param {number} cell @param {Scores} scores @returns {Explained} */
  explainKeeping(position, cell, scores) {
    const own = outcomeOf(scores, cell);
    const found = this.reason(position, cell, bestOutcome(scores), own);
    const reason = this.predicate(position, cell, found, scores);
    const keeps = KEEPING.has(found.kind) && own !== null && own >= 0;
    const values = { outcome: this.words.outcomeName(own ?? 0), reason };
    const text = this.words.sentence(keeps ? "keeps" : "plain", position, cell, values);
    return { cell, ...found, text, hint: this.words.hint(found.kind), refusal: "", better: null };
  }

  /** Returns the explanation of a move that gives away a better outcome.
      @param {Position} position @param {number} cell @param {Scores} scores @param {number} best
      @param {number} own outcomes of the position and of the move @returns {Promise<Explained>} */
  async explainMistake(position, cell, scores, best, own) {
    const after = position.play(cell);
    let found = this.reason(position, cell, best, own, await this.goodAnswers(after, -own));
    const better = this.betterMove(position, scores, found);
    if (TAKING.has(found.kind) && found.line[0] !== better.cell) found = VALUES;
    if (isValues(found) && isValues(better)) found = await this.reasonInBestPlay(after);
    const reason = isValues(found) ? "" : this.words.predicate(position, cell, found);
    const values = {
      reason,
      before: this.words.outcomeName(best),
      after: this.words.outcomeName(own),
      better: this.words.moveName(position.variant, better.cell),
      better_reason: isValues(better)
        ? this.words.keeps(scores.get(better.cell) ?? 0)
        : this.predicate(position, better.cell, better, scores),
    };
    const sentence = (/** @type {string} */ frame) => this.words.sentence(frame, position, cell, values);
    const refusal = sentence(reason && !namesBetter(position, found, scores) ? "refusal" : "bare refusal");
    const told = (/** @type {Reason} */ { kind, cells, line }, /** @type {string} */ frame) => {
      return { cell, kind, cells, line, text: sentence(frame), hint: this.words.hint(kind), refusal, better };
    };
    if (reason) return told(found, "mistake");
    return isValues(better) ? told(VALUES, "far mistake") : told({ ...better, kind: "misses" }, "bare mistake");
  }

  /** Returns the reason of the first of the opponent's moves that has one, if both play their best. The line of the
      reason ends with this move. @param {Position} after the position after the mistake @returns {Promise<Reason>} */
  async reasonInBestPlay(after) {
    /** @type {number[]} */
    const line = [];
    for (let position = after; line.length < MAX_LINE && !position.isOver; ) {
      const scores = await this.solve(position);
      if (!scores) return VALUES;
      const best = bestMove(position, scores);
      const outcome = outcomeOf(scores, best) ?? 0;
      line.push(best);
      if (line.length % 2 === 1 && outcome >= 0) {
        const { kind, cells } = this.reason(position, best, outcome, outcome);
        if (LEADING.has(kind)) return { kind: `${LEADS}${kind}`, cells, line };
      }
      position = position.play(best);
    }
    return VALUES;
  }

  /** Returns the moves that are known to keep the outcome of a position, as a bitboard.
      @param {Position} position @param {number} outcome */
  async goodAnswers(position, outcome) {
    const scores = position.isOver ? null : await this.solve(position);
    const kept = [...(scores ?? [])].filter(([, score]) => Math.sign(score) === outcome);
    return kept.reduce((answers, [cell]) => answers | bit(cell), 0n);
  }

  /** Returns the best move that has a reason, or else the best move. If the mistake leaves the cell of a better move
      to the opponent, returns this move. @param {Position} position @param {Scores} scores @param {Reason} mistake */
  betterMove(position, scores, mistake) {
    const best = bestOutcome(scores);
    const kept = position.moves.filter((cell) => outcomeOf(scores, cell) === best);
    kept.sort((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0));
    const explained = kept.map((cell) => this.explainKeeping(position, cell, scores));
    const isTaken = (/** @type {Explained} */ one) => TAKING.has(mistake.kind) && one.cell === mistake.line[0];
    return explained.find(isTaken) ?? explained.find((one) => !isValues(one)) ?? explained[0];
  }

  /** Returns the reason of a move. The outcomes of the position and of the move are 1, 0, -1, or null if they are not
      known. `answers` are moves of the opponent that are known to keep the outcome, as a bitboard.
      @param {Position} position @param {number} cell @param {number | null} best @param {number | null} own
      @returns {Reason} */
  reason(position, cell, best, own, answers = 0n) {
    const { kind, cells, line } = this.core.reason(position, cell, best, own, answers);
    return { kind, cells: cellsOf(cells), line };
  }

  /** @param {Position} position @param {number} cell @param {Reason} reason @param {Scores} scores */
  predicate(position, cell, reason, scores) {
    if (reason.kind === "lost") return this.words.lost(position, cell, scores);
    if (isValues(reason)) return this.words.effect(position, cell, scores);
    return this.words.predicate(position, cell, reason);
  }
}
