// @ts-check
// Reasons in words: c4_bot/reasons/sentences.py again, for games in which stones fall and all scores are known.

import { columnName, filled } from "../../protocol/web/names.js";
import { bit } from "../../protocol/web/rules.js";

/** @import { Position, Variant } from "../../protocol/web/rules.js" */
/** A kind of reason, the cells that it speaks of, and moves that show it.
    @typedef {{ kind: string, cells: number[], line: number[] }} Reason */
/** @typedef {typeof import("../c4_bot/reasons/sentences.json")} Templates */

const ALLOWS = "allows-"; // a mistake that allows an answer with the reason that follows
export const LEADS = "leads-to-"; // a mistake after which best play leads to a move with this reason
const MAX_LISTED = 3; // other moves whose outcomes are listed one by one

/** Returns the number of stones when a game with this score for the player to move ends: last_ply in score.py.
    @param {Position} position @param {number} score */
export function lastPly(position, score) {
  const { cells } = position.variant;
  if (!score) return cells;
  const last = cells + 2 - 2 * Math.abs(score);
  return (last - position.ply) % 2 === (score > 0 ? 1 : 0) ? last : last - 1; // the winner moves last
}

/** Fills in templates in one language. */
export class Sentences {
  /** @param {Templates} templates */
  constructor(templates) {
    /** @type {Record<string, Record<string, string>>} */
    this.texts = /** @type {any} */ (templates);
    this.numbers = templates.words.numbers;
  }

  /** @param {string} frame @param {Position} position @param {number} cell @param {Record<string, string>} values */
  sentence(frame, { variant }, cell, values) {
    const text = filled(this.texts.frames[frame], { move: this.moveName(variant, cell), ...values });
    const joined = text.replaceAll(" in dem ", " im "); // German contracts these words
    return joined[0].toUpperCase() + joined.slice(1);
  }

  /** Returns what a move does, as the part of a sentence that follows its name. The kind does not speak of scores.
      @param {Position} position @param {number} cell @param {Reason} reason @returns {string} */
  predicate(position, cell, reason) {
    const { kind, cells, line } = reason;
    if (kind.startsWith(ALLOWS) && !(kind in this.texts.kinds)) {
      const inner = kind.slice(ALLOWS.length);
      const rest = inner.startsWith("prepares") ? line.slice(1) : line; // as if the opponent passed
      return this.kindText("allows", {
        reply: this.moveName(position.variant, line[0]),
        reason: this.predicate(position.play(cell), line[0], { kind: inner, cells, line: rest }),
      });
    }
    if (kind.startsWith(LEADS)) {
      const before = [cell, ...line.slice(0, -1)].reduce((reached, step) => reached.play(step), position);
      const last = { kind: kind.slice(LEADS.length), cells, line: [] };
      const reason = this.predicate(before, line[line.length - 1], last);
      return this.kindText("leads-to", { line: columnNames(position.variant, line), reason });
    }
    const name = kind === "parity" && cells.length > 1 ? "parities" : kind;
    return this.kindText(name, this.values(position, cell, reason));
  }

  /** Returns what kind of move it is, without cells and columns; an empty text for a mistake. @param {string} kind */
  hint(kind) {
    return this.texts.hints[kind] ?? "";
  }

  /** @param {string} kind @param {Record<string, string>} values */
  kindText(kind, values) {
    return filled(this.texts.kinds[kind], values);
  }

  /** Returns the values of all names that the template of a kind can contain.
      @param {Position} position @param {number} cell @param {Reason} reason @returns {Record<string, string>} */
  values(position, cell, reason) {
    const { kind, cells } = reason;
    const { variant } = position;
    const { words } = this.texts;
    const { playable } = kind === "cannot-stop" ? position : position.play(cell);
    const line = reason.line.length ? reason.line : [cell];
    const reply = this.moveName(variant, line[0]);
    const isAbove = cells.length === 1 && cells[0] === cell + 1 && kind !== "allows-denies";
    return {
      connect: `${variant.connect}`,
      cells: isAbove ? words.above : this.places(variant, cells, playable),
      any_cell: this.joined(cells.map((place) => this.place(variant, place, playable)), "or"),
      column: cells.length ? this.moveName(variant, cells[0]) : "",
      number: this.numbers[cells.length] ?? `${cells.length}`,
      moves: this.countedMoves(Math.floor((line.length + 1) / 2)),
      line: columnNames(variant, line),
      reply,
      there: line[0] === cell ? words.there : filled(words.with, { reply }),
      parity: words[cells.length && variant.rowOf(cells[0]) % 2 ? "even" : "odd"],
    };
  }

  /** Returns what the scores say of a move: what it keeps, and what other moves do. If scores are known, they are
      known for all moves. @param {Position} position @param {number} cell @param {Map<number, number>} scores */
  effect(position, cell, scores) {
    const { effects, one, words } = this.texts;
    const score = scores.get(cell);
    if (score === undefined) return effects.unknown;
    const outcome = Math.sign(score);
    const moves = this.movesLeft(position, cell, score);
    const effect = filled(effects[outcome > 0 ? "win" : outcome ? "loss" : "draw"], { moves });
    if (outcome < 0) return effect;
    const others = [...scores.keys()].filter((move) => move !== cell);
    /** @param {number} result */
    const movesTo = (result) => others.filter((move) => Math.sign(scores.get(move) ?? 0) === result);
    const equal = movesTo(outcome).length;
    if (equal === others.length) return equal ? `${effect}; ${filled(one[outcome], { moves: words.every })}` : effect;
    if (!equal && others.length > MAX_LISTED) return filled(effects.alone, { effect });
    const listed = [1, 0, -1].map((result) => this.movesWith(position, movesTo(result), result));
    return filled(effects.others, { effect, others: this.joined(listed.filter(Boolean), "and") });
  }

  /** Returns that moves win, draw or lose; an empty text if there are none.
      @param {Position} position @param {number[]} moves @param {number} outcome */
  movesWith(position, moves, outcome) {
    if (!moves.length) return "";
    const sorted = [...moves].sort((a, b) => a - b);
    const names = this.places(position.variant, sorted, position.playable);
    return filled(this.texts[moves.length === 1 ? "one" : "many"][outcome], { moves: names });
  }

  /** Returns the number of moves that the winner still makes after a move with this score, with the word for moves.
      @param {Position} position @param {number} cell @param {number} score */
  movesLeft(position, cell, score) {
    const child = position.play(cell);
    const stones = child.isOver ? 0 : lastPly(child, -score) - child.ply;
    return this.countedMoves(score > 0 ? 1 + Math.floor(stones / 2) : Math.floor((stones + 1) / 2));
  }

  /** Returns that a move is the best one after a search of this depth. @param {number} depth */
  searched(depth) {
    const plies = filled(this.texts.words[depth === 1 ? "ply" : "plies"], { number: depth });
    return this.kindText("searched", { plies });
  }

  /** Returns what a move with this score keeps. @param {number} score */
  keeps(score) {
    return filled(this.texts.effects.keeps, { outcome: this.outcomeName(Math.sign(score)) });
  }

  /** Returns how long a lost position lasts after a move, and after the move that lasts longest.
      @param {Position} position @param {number} cell @param {Map<number, number>} scores */
  lost(position, cell, scores) {
    const scoreOf = (/** @type {number} */ move) => scores.get(move) ?? 0;
    const moves = this.movesLeft(position, cell, scoreOf(cell));
    const best = bestMove(position, scores);
    if (scoreOf(cell) === scoreOf(best)) return this.kindText("lost in", { moves });
    const later = this.moveName(position.variant, best);
    return this.kindText("lost sooner", { moves, later, most: this.movesLeft(position, best, scoreOf(best)) });
  }

  /** @param {number} outcome 1, 0 or -1 */
  outcomeName(outcome) {
    return this.texts.outcomes[outcome];
  }

  /** @param {Variant} variant @param {number} cell */
  moveName(variant, cell) {
    return filled(this.texts.words.column, { column: columnName(variant, cell) });
  }

  /** Returns the name of a cell: its column alone if the next stone there falls on it.
      @param {Variant} variant @param {number} cell @param {bigint} playable */
  place(variant, cell, playable) {
    if (playable & bit(cell)) return this.moveName(variant, cell);
    return filled(this.texts.words.row, { row: variant.rowOf(cell) + 1, column: columnName(variant, cell) });
  }

  /** Returns the names of cells; several columns share one word.
      @param {Variant} variant @param {number[]} cells @param {bigint} playable */
  places(variant, cells, playable) {
    if (cells.length > 1 && cells.every((cell) => playable & bit(cell))) {
      const list = this.joined(cells.map((cell) => columnName(variant, cell)), "and");
      return filled(this.texts.words.columns, { list });
    }
    return this.joined(cells.map((cell) => this.place(variant, cell, playable)), "and");
  }

  /** Returns names with commas between them, and with a word before the last.
      @param {string[]} names @param {"and" | "or"} word */
  joined(names, word) {
    const last = names[names.length - 1] ?? "";
    return names.length > 1 ? `${names.slice(0, -1).join(", ")}${this.texts.words[word]}${last}` : last;
  }

  /** Returns a number of moves in words, such as "1 move". @param {number} number */
  countedMoves(number) {
    return filled(this.texts.words[number === 1 ? "move" : "moves"], { number });
  }
}

/** @param {Variant} variant @param {number[]} cells */
export const columnNames = (variant, cells) => cells.map((cell) => columnName(variant, cell)).join(" ");

/** Returns the best move; of several the most central one.
    @param {Position} position @param {Map<number, number>} scores of all moves */
export function bestMove(position, scores) {
  const scoreOf = (/** @type {number} */ move) => scores.get(move) ?? 0;
  return position.moves.reduce((best, move) => (scoreOf(move) > scoreOf(best) ? move : best));
}
