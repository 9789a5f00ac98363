// @ts-check
// A position in which a person has to find a move: a step of the introduction, a puzzle, or a turning point of a game.

import { Game } from "../game.js";

/** @import { Link } from "../notation.js" */
/** `lesson` names the exercise as in a link, such as "puzzle=today", and `name` as in the progress: "puzzle=17". A
    turning point has no `name`: it has no link of its own, and is not remembered. `task` says what to find.
    @typedef {{ lesson: string, name: string, title: string, text: string, task: string,
      showsThreats?: boolean }} About */

export class Exercise {
  /** @param {About} about @param {Partial<Link>} position @param {number[]} right moves that are accepted
      @param {number[]} rest answers of the other side, and moves to find after them */
  constructor(about, position, right, rest = []) {
    this.about = about;
    this.game = new Game({ ...position, mode: "learn", lesson: about.name && about.lesson });
    this.right = right;
    this.rest = rest;
    this.isOver = false;
    this.isSolved = false; // by the person
  }

  /** A move that completes a line is always accepted. @param {number} cell */
  isRight(cell) {
    return this.right.includes(cell) || this.game.position.play(cell).winner !== 0;
  }

  /** Makes a right move. Returns the answer of the other side, or undefined at the end. @param {number} cell */
  advance(cell) {
    this.game.play(cell);
    const [reply, next, ...rest] = this.rest;
    this.isOver = reply === undefined || this.game.position.isOver;
    if (this.isOver) return undefined;
    this.right = [next];
    this.rest = rest;
    return reply;
  }
}
