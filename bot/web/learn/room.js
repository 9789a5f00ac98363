// @ts-check
// The room for learning: the exercise on the board, how the moves of the person are judged, and what comes next.
import { range } from "../../../protocol/web/rules.js";
import { columnNames } from "../sentences.js";
import { columnAndRow, moveText, say } from "../view/words.js";
import { Progress } from "./progress.js";
import { GRADES, numberOfDay, numbersOf, puzzleExercise } from "./puzzles.js";
import { STEPS, stepExercise } from "./steps.js";
import { turningPoints } from "./turns.js";

/** @import { Engine } from "../engine/client.js" */
/** @import { Explained } from "../explain.js" */
/** @import { Game } from "../game.js" */
/** @import { Study } from "../study.js" */
/** @import { Task } from "../task.js" */
/** @import { Key } from "../view/words.js" */
/** @import { Exercise } from "./exercise.js" */
/** Exercises of one kind, by their names. @typedef {{ key: Key, lessons: string[] }} Shelf */
/** What the room needs. `said` shows the judgement of a move, and marks the cells that it speaks of.
    @typedef {{ engine: Engine, study: Study, task: Task,
      said(judged: { title: string, text: string, cells?: number[], isRight?: boolean }): void }} Parts */

const REPLY_MS = 500; // after a right move
const WRONG_MS = 900; // for which a wrong move stays on the board
const MOST_SHOWN = 8; // moves of best play
const TODAY = "puzzle=today";
/** @type {Shelf[]} */
const ALL = [
  { key: "introduction", lessons: range(STEPS.length).map((i) => `step=${i + 1}`) },
  { key: "today", lessons: [TODAY] },
  ...GRADES.map((grade) => ({ key: grade, lessons: numbersOf(grade).map((number) => `puzzle=${number}`) })),
];
/** All exercises but turning points. The file of the puzzles may be missing. */
const SHELVES = numbersOf("easy").length ? ALL : ALL.slice(0, 1);
const LESSONS = SHELVES.flatMap(({ lessons }) => lessons);

export class Room {
  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    this.progress = new Progress();
    /** @type {Exercise | null} */
    this.exercise = null;
    this.isBusy = false; // a move is judged
    this.isRefused = false; // and it is wrong
    /** @type {Game | null} the game whose turning points are exercises */
    this.played = null;
    this.last = "step=1";
  }

  get turns() {
    return this.played ? turningPoints(this.played, this.parts.study) : [];
  }

  /** @returns {Shelf[]} */
  get shelves() {
    const lessons = this.turns.map(({ about }) => about.lesson);
    return lessons.length ? [{ key: "turns", lessons }, ...SHELVES] : SHELVES;
  }

  /** @param {string} lesson */
  isSolved(lesson) {
    return this.progress.solved.has(nameOf(lesson));
  }

  /** Puts an exercise on the board; returns it, or null if it does not exist. @param {string} lesson */
  open(lesson) {
    const [kind, value] = lesson.split("=");
    this.close();
    if (kind === "turn") this.exercise = this.turns[Number(value) - 1] ?? null;
    else this.exercise = kind === "step" ? stepExercise(Number(value)) : puzzleExercise(value);
    if (this.exercise && kind !== "turn") this.last = lesson;
    return this.exercise;
  }

  /** Takes the exercise from the board, without a move that was wrong. */
  close() {
    if (this.isRefused) this.exercise?.game.go(this.exercise.game.cursor - 1);
    this.exercise = null;
    this.isBusy = false;
    this.isRefused = false;
  }

  /** The shelf of the exercise on the board. */
  get shelf() {
    return this.shelves.find(({ lessons }) => lessons.includes(this.exercise?.about.lesson ?? ""));
  }

  /** The exercise after this one, or null after the last turning point. Exercises of the same shelf come first.
      @returns {string | null} */
  get next() {
    const { lessons = [], key } = this.shelf ?? {};
    const at = lessons.indexOf(this.exercise?.about.lesson ?? "");
    if (key === "turns") return lessons[at + 1] ?? null;
    const others = [...lessons.slice(at + 1), ...lessons.slice(0, at), ...LESSONS];
    return this.firstOf(others.filter((lesson) => nameOf(lesson) !== this.exercise?.about.name));
  }

  /** The exercise with which a person goes on: the last one if it is not solved, or else the first of all. */
  get first() {
    return this.isSolved(this.last) ? this.firstOf(LESSONS) : this.last;
  }

  /** Returns the first exercise that is not solved, or the first one if all are solved. @param {string[]} lessons */
  firstOf(lessons) {
    return lessons.find((lesson) => !this.isSolved(lesson)) ?? lessons[0];
  }

  // Moves

  /** Judges a move of the person. @param {Exercise} exercise @param {number} cell */
  answer(exercise, cell) {
    if (!exercise.isRight(cell)) return this.#refuse(exercise, cell);
    const reply = exercise.advance(cell);
    return reply === undefined ? this.#solved(exercise, cell) : this.#goOn(exercise, cell, reply);
  }

  /** @param {Exercise} exercise @param {number} cell */
  #solved(exercise, cell) {
    exercise.isSolved = true;
    if (exercise.about.name) this.progress.add(exercise.about.name);
    this.#end(exercise, cell, say("right"));
  }

  /** A wrong move is taken back. Where a line could be completed, other moves can win, too: they end the exercise.
      @param {Exercise} exercise @param {number} cell */
  #refuse(exercise, cell) {
    const { game, about } = exercise;
    const canEnd = game.position.winningCells !== 0n && about.lesson.startsWith("puzzle");
    game.play(cell);
    this.isRefused = true;
    this.#explain(exercise, cell, WRONG_MS, ({ refusal }) => {
      this.isRefused = false;
      if (!refusal && canEnd) return this.#solved(exercise, cell);
      game.go(game.cursor - 1);
      const other = about.lesson.startsWith("turn") ? "not kept" : "not wanted"; // it was not proven in time, or is good
      const text = refusal || say(other, columnAndRow(game.variant, cell));
      this.parts.said({ title: say("try again"), text });
    });
  }

  /** @param {Exercise} exercise @param {number} cell @param {number} reply */
  #goOn(exercise, cell, reply) {
    this.#explain(exercise, cell, REPLY_MS, ({ hint }) => {
      const replied = moveText(exercise.game, reply);
      exercise.game.play(reply);
      this.parts.said({ title: say("right so far"), text: `${hint} ${replied}` });
    });
  }

  /** Shows the solution. @param {Exercise} exercise */
  solve(exercise) {
    const { game, right: [move], rest } = exercise;
    game.play(move);
    this.#end(exercise, move, say("solution", { moves: columnNames(game.variant, [move, ...rest]) }));
  }

  /** @param {Exercise} exercise @param {number} cell @param {string} title */
  #end(exercise, cell, title) {
    exercise.isOver = true;
    this.#explain(exercise, cell, 0, ({ text, cells, best }) => {
      this.parts.said({ title, text: text + best, cells, isRight: exercise.isSolved });
    });
  }

  /** Explains the last move. After a turning point, `best` says how best play goes on.
      @param {Exercise} exercise @param {number} cell @param {number} least time in ms
      @param {(explained: Explained & { best: string }) => void} use */
  #explain(exercise, cell, least, use) {
    const { game } = exercise;
    const before = game.positions[game.cursor - 1];
    const question = async (/** @type {AbortSignal} */ signal) => {
      const explained = await this.parts.engine.explain(before, cell, signal);
      return { ...explained, best: await this.#bestPlay(exercise, signal) };
    };
    this.isBusy = true;
    this.parts.task.ask(question, (explained) => {
      this.isBusy = false;
      use(explained);
    }, least);
  }

  /** @param {Exercise} exercise @param {AbortSignal} signal */
  async #bestPlay({ about, game, isOver }, signal) {
    if (!about.lesson.startsWith("turn") || !isOver || game.position.isOver) return "";
    const line = await this.parts.engine.bestLine(game.position, signal);
    const moves = columnNames(game.variant, line.slice(0, MOST_SHOWN));
    return ` ${say("best play on", { moves: line.length > MOST_SHOWN ? `${moves} …` : moves })}`;
  }
}

/** Returns the name under which the progress has an exercise: the puzzle of today has a number, too.
    @param {string} lesson */
const nameOf = (lesson) => (lesson === TODAY ? `puzzle=${numberOfDay(new Date())}` : lesson);
