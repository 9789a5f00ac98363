// @ts-check
// A position in which a person has to find a move: a step of the introduction, a puzzle, or a turning point of a game.

import { Game } from "../game.js";
import { parse } from "../notation.js";
import { range, STANDARD } from "../rules.js";

/** One move to find: the moves that are accepted, and the answer of the other side if the exercise goes on.
    @typedef {{ right: number[], reply?: number }} Find */
/** `lesson` names the exercise as in a link, such as "puzzle=today", and `name` as in the progress, such as "puzzle=17".
    `task` says what to find. @typedef {{ lesson: string, name: string, title: string, text: string, task: string, showsThreats?: boolean }} About */

export class Exercise {
  /** @param {About} about @param {Game} game that ends with the position @param {Find[]} plan */
  constructor(about, game, plan) {
    this.about = about;
    this.game = game;
    this.plan = plan;
    this.isOver = false;
    this.isSolved = false; // by the person
  }

  /** The moves that are accepted now. */
  get right() {
    return this.plan[0].right;
  }

  /** A move that completes a line is always accepted. @param {number} cell */
  isRight(cell) {
    return this.right.includes(cell) || this.game.position.play(cell).winner !== 0;
  }

  /** Makes a right move. Returns the answer of the other side, or undefined at the end. @param {number} cell */
  advance(cell) {
    const { reply } = this.plan[0];
    this.game.play(cell);
    this.isOver = reply === undefined || this.game.position.isOver;
    if (!this.isOver) this.plan = this.plan.slice(1);
    return this.isOver ? undefined : reply;
  }
}

/** Returns an exercise on 7x6. In the line after the moves, the person finds each second move, the first included.
    @param {About} about @param {string} moves @param {string} line */
export function exerciseOf(about, moves, line) {
  const cells = parse(moves + line, STANDARD).moves;
  const game = new Game({ moves: cells.slice(0, moves.length), mode: "learn" });
  const found = cells.slice(moves.length);
  const plan = range(Math.ceil(found.length / 2)).map((i) => ({ right: [found[2 * i]], reply: found[2 * i + 1] }));
  return new Exercise(about, game, plan);
}
