// @ts-check
// The room for learning: the exercise on the board, how the moves of the person are judged, and what comes next.
import { columnName } from "../notation.js";
import { range } from "../rules.js";
import { columnAndRow, moveText, say } from "../view/words.js";
import { Progress } from "./progress.js";
import { GRADES, numberOfDay, numbersOf, puzzleExercise, puzzleOfDay } from "./puzzles.js";
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
/** What the room needs. `said` shows the judgement of a move, and the cells that it speaks of.
    @typedef {{ engine: Engine, study: Study, task: Task, said(title: string, text: string, cells: number[]): void }} Parts */

const REPLY_MS = 500; // after a right move
const WRONG_MS = 900; // for which a wrong move stays on the board
const MOST_SHOWN = 8; // moves of best play
const TODAY = "puzzle=today";

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
    const turns = this.turns.map(({ about }) => about.lesson);
    return [
      ...(turns.length ? [{ key: /** @type {const} */ ("turns"), lessons: turns }] : []),
      { key: "introduction", lessons: range(STEPS.length).map((i) => `step=${i + 1}`) },
      { key: "today", lessons: [TODAY] },
      ...GRADES.map((grade) => ({ key: grade, lessons: numbersOf(grade).map((number) => `puzzle=${number}`) })),
    ];
  }

  /** @param {string} lesson */
  isSolved(lesson) {
    return this.progress.has(nameOf(lesson));
  }

  /** Puts an exercise on the board; returns it, or null if it does not exist. @param {string} lesson */
  open(lesson) {
    const [kind, value] = lesson.split("=");
    const number = Number(value);
    this.close();
    if (kind === "turn") this.exercise = this.turns[number - 1] ?? null;
    else if (kind === "step") this.exercise = stepExercise(number);
    else this.exercise = lesson === TODAY ? puzzleOfDay(new Date()) : puzzleExercise(number);
    if (this.exercise && kind !== "turn") this.last = lesson;
    return this.exercise;
  }

  /** Takes the exercise from the board, without a move that was wrong. */
  close() {
    if (this.isRefused) this.exercise?.game.takeBack();
    this.exercise = null;
    this.isBusy = false;
    this.isRefused = false;
  }

  /** The shelf of the exercise on the board. */
  get shelf() {
    return this.shelves.find(({ lessons }) => lessons.includes(this.exercise?.about.lesson ?? ""));
  }

  /** The exercise after this one, or null after the last turning point. @returns {string | null} */
  get next() {
    const { shelf, exercise } = this;
    const lessons = shelf?.lessons ?? [];
    const at = lessons.indexOf(exercise?.about.lesson ?? "");
    if (shelf?.key === "turns") return lessons[at + 1] ?? null;
    const others = [...lessons.slice(at + 1), ...lessons.slice(0, at)];
    const rest = this.lessons.filter((lesson) => nameOf(lesson) !== exercise?.about.name);
    return this.firstOf(others) ?? this.firstOf(rest) ?? others[0] ?? rest[0];
  }

  /** All exercises but turning points. */
  get lessons() {
    return this.shelves.filter(({ key }) => key !== "turns").flatMap(({ lessons }) => lessons);
  }

  /** The exercise with which a person goes on: the last one if it is not solved, or else the first of all. */
  get first() {
    const all = this.lessons;
    return this.firstOf([this.last, ...all]) ?? all[0];
  }

  /** Returns the first exercise that is not solved. @param {string[]} lessons */
  firstOf(lessons) {
    return lessons.find((lesson) => !this.isSolved(lesson));
  }

  // Moves

  /** Judges a move of the person. @param {Exercise} exercise @param {number} cell */
  answer(exercise, cell) {
    const { game } = exercise;
    if (!exercise.isRight(cell)) return this.#refuse(exercise, cell);
    const reply = exercise.advance(cell);
    return reply === undefined ? this.#solved(exercise, cell) : this.#goOn(game, cell, reply);
  }

  /** @param {Exercise} exercise @param {number} cell */
  #solved(exercise, cell) {
    exercise.isOver = exercise.isSolved = true;
    if (exercise.about.name) this.progress.add(exercise.about.name);
    this.#finish(exercise, cell, say("right"));
  }

  /** A wrong move is taken back. Where a line could be completed, other moves can win, too: they end the exercise.
      @param {Exercise} exercise @param {number} cell */
  #refuse(exercise, cell) {
    const { game, about } = exercise;
    const canEnd = game.position.winningCells !== 0n && about.lesson.startsWith("puzzle");
    game.play(cell);
    this.isRefused = true;
    this.#explain(game, cell, WRONG_MS, ({ refusal }) => {
      this.isRefused = false;
      if (!refusal && canEnd) return this.#solved(exercise, cell);
      game.takeBack();
      this.parts.said(say("try again"), refusal || say("not wanted", columnAndRow(game.variant, cell)), []);
    });
  }

  /** @param {Game} game @param {number} cell @param {number} reply */
  #goOn(game, cell, reply) {
    this.#explain(game, cell, REPLY_MS, ({ hint }) => {
      const replied = moveText(game, reply);
      game.play(reply);
      this.parts.said(say("right so far"), `${hint} ${replied}`, []);
    });
  }

  /** Shows the solution. @param {Exercise} exercise */
  solve(exercise) {
    const { game, plan, right } = exercise;
    const line = plan.flatMap(({ right: [move], reply }) => [move, reply ?? []].flat());
    exercise.isOver = true;
    game.play(right[0]);
    const moves = line.map((move) => columnName(game.variant, move)).join(" ");
    this.#finish(exercise, right[0], say("solution", { moves }));
  }

  /** Explains the last move. After a turning point, it also says how best play goes on.
      @param {Exercise} exercise @param {number} cell @param {string} title */
  #finish({ game, about }, cell, title) {
    const hasLine = about.lesson.startsWith("turn") && !game.position.isOver;
    const best = async (/** @type {AbortSignal} */ signal) => {
      const line = hasLine ? await this.parts.engine.bestLine(game.position, signal) : [];
      const moves = line.slice(0, MOST_SHOWN).map((move) => columnName(game.variant, move)).join(" ");
      return line.length ? ` ${say("best play on", { moves: line.length > MOST_SHOWN ? `${moves} …` : moves })}` : "";
    };
    this.#explain(game, cell, 0, ({ text, cells, rest }) => this.parts.said(title, text + rest, cells), best);
  }

  /** Explains the last move of a game, and asks for the rest. @param {Game} game @param {number} cell
      @param {number} least @param {(explained: Explained & { rest: string }) => void} use
      @param {(signal: AbortSignal) => Promise<string>} [more] */
  #explain(game, cell, least, use, more = async () => "") {
    const { engine, task } = this.parts;
    const before = game.positions[game.cursor - 1];
    const question = async (/** @type {AbortSignal} */ signal) => {
      const explained = await engine.explain(before, cell, signal);
      return { ...explained, rest: await more(signal) };
    };
    this.isBusy = true;
    task.ask(question, (explained) => {
      this.isBusy = false;
      use(explained);
    }, least);
  }
}

/** Returns the name under which the progress has an exercise: the puzzle of today has a number, too.
    @param {string} lesson */
const nameOf = (lesson) => (lesson === TODAY ? `puzzle=${numberOfDay(new Date())}` : lesson);
