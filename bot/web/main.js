// @ts-check
// Connects the game, the engine and the views. Every change goes through `changed`: it remembers the place in the
// address, asks the engine for what is missing, draws everything, and says what is new to screen readers.
import { addressOf, read, remember, remembered } from "./address.js";
import { Engine } from "./engine/client.js";
import { edited, Game } from "./game.js";
import { Room } from "./learn/room.js";
import { COLUMN_NAMES, columnName, writeMoves, writePrecept } from "../../protocol/web/names.js";
import { problemOf } from "./notation.js";
import { svgText } from "../../protocol/web/picture.js";
import { cellsOf, Variant } from "../../protocol/web/rules.js";
import { Study } from "./study.js";
import { Task } from "./task.js";
import { language, otherLanguage, useOtherLanguage } from "./texts/language.js";
import { UNKNOWN } from "./values.js";
import { AnalysisView } from "./view/analysis.js";
import { announce } from "./view/announce.js";
import { AnswerView } from "./view/answer.js";
import { BarView } from "./view/bar.js";
import { BoardView } from "./view/board.js";
import { addCopies } from "./view/copies.js";
import { button, ignoreSwitchedOff, place } from "../../protocol/web/dom.js";
import { EditView } from "./view/edit.js";
import { helpOf, listenToKeys, withoutDoubles } from "./view/keys.js";
import { LessonView } from "./view/lesson.js";
import { RecordView } from "./view/record.js";
import { SendView } from "./view/send.js";
import { SettingsView } from "./view/settings.js";
import { cellText, endOf, moveText, nameOf, pictureText, prospect, say } from "./view/words.js";

/** @import { Position } from "../../protocol/web/rules.js" */
/** @import { Exercise } from "./learn/exercise.js" */
/** @import { Explained } from "./explain.js" */
/** @import { Answer } from "./view/answer.js" */
/** @import { Aids } from "./view/bar.js" */

const LEAST_MS = 400; // between a move and the answer to it

/** The board alone, in a frame of another page. It loads the engine when a pointer is over it, it gets the focus, or a
    key is pressed. It leaves the address as it is, because a change would scroll the other page and add to its history. */
const isFramed = new URLSearchParams(location.search).get("view") === "board";
const isWanted = () =>
  new Promise((resolve) => {
    for (const event of ["pointerover", "focusin", "keydown"]) addEventListener(event, resolve, { once: true });
  });

const engine = new Engine({ language, after: isFramed ? isWanted() : undefined });
const study = new Study(engine, studied, fail);
const task = new Task(engine.ready, draw, fail);
const room = new Room({ engine, study, task, said: (judged) => tellAnswer({ ...judged, back: -2 }) });
let game = new Game();
/** @type {Game | null} the game to which the person goes back from an exercise */
let resting = null;
/** @type {Game | null} the last game that was played */
let latest = null;
/** @type {boolean | null} whether an exercise shows threats, if the person has chosen it there */
let learnsThreats = null;
/** @type {Aids} */
const aids = { values: false, threats: false, isPinned: false };
/** @type {Position | null} the position that is changed by hand */
let draft = null;
/** @type {Answer | null} */
let answer = null;
let notice = ""; // what went wrong, until the person does something
let owesStatus = false; // the value of the position is announced as soon as it is known
let seeksTurn = false; // the first move that changed the result is shown as soon as it is known

// What the page shows

const isSolo = () => game.mode === "play" && game.side === "both";
const isJudged = () => room.isBusy || (room.exercise?.isOver ?? false);
const canPlay = () => !game.position.isOver && !game.isAwaited && !isJudged();
const canAsk = () => !draft && !isSolo() && !game.isAwaited && !isJudged();
const isPlayed = () => game.mode === "play" && game.position.isOver && game.main.length > 0;
const showsValues = () => canAsk() && (game.mode === "analyse" || (game.mode === "play" && aids.values));
const needsValues = () => !document.hidden && (showsValues() || isPlayed());
const showsThreats = () => learnsThreats ?? (aids.threats || (room.exercise?.about.showsThreats ?? false));
const isKnown = () => game.positions.every((position) => study.valueOf(position) !== null);
/** The game of which the address and a link speak: a turning point has none, so it is that of its game. */
const linked = () => (resting && game.mode === "learn" && !game.lesson ? resting : game);
const waiting = () => (task.late ? say(task.late) : "");

function status() {
  const { position } = game;
  if (draft) return say("edit about");
  if (position.isOver && !room.exercise) return [endOf(game), notice].filter(Boolean).join(" ");
  if (notice) return notice;
  if (room.exercise) return room.exercise.about.task;
  if (game.mode === "analyse") return prospect(position, study.boundsOf(position)) || waiting();
  const who = nameOf(game, position.player);
  if (game.isAwaited && task.late) return task.isReady ? say("thinking of", { who }) : waiting();
  if (game.isAwaited || game.side === "both") return say("turn of", { who });
  return say(position.ply ? "your turn" : "your turn first");
}

function draw() {
  const focused = document.activeElement;
  const { position } = game;
  const values = showsValues() && canPlay() ? (study.valuesOf(position) ?? unknownValues(position)) : null;
  board.draw({
    position: draft ?? position,
    last: draft ? null : game.last,
    stone: draft ? edit.stone : canPlay() ? position.player : null,
    isEdit: draft !== null,
    marks: answer?.cells ?? [],
    hint: answer?.hint ?? null,
    values,
    threats: showsThreats() && !position.isOver ? (draft ?? position).threats : [],
  });
  const shownAids = { ...aids, threats: showsThreats() };
  const isFound = room.exercise?.isOver ?? false;
  bar.draw(game, { status: status(), isOver: position.isOver, aids: shownAids, isEdit: draft !== null, isFound });
  place("side").classList.toggle("learns", room.exercise !== null);
  lesson.draw(answer !== null);
  settings.draw(game);
  answerView.draw(answer, {
    isOver: position.isOver && game.mode === "play",
    isFirst: game.cursor - 1 === answer?.back,
    waiting: waiting(),
    turns: isPlayed() && !study.isDone ? null : room.turns.length,
    isKnown: position.isOver && isKnown(),
  });
  analysis.draw(game, study, waiting());
  record.draw(game, game.mode === "analyse" ? study.turns(game.positions) : []);
  edit.draw(draft);
  for (const name of ["analysis", "record"]) place(name).hidden ||= draft !== null;
  place("tools").hidden = draft !== null || game.isFresh;
  for (const [i, node] of modes.entries()) node.setAttribute("aria-pressed", String(MODES[i] === game.mode));
  const isGone = focused !== document.activeElement || focused?.getClientRects().length === 0;
  if (isGone) board.focus(); // it was moved, removed or hidden
}

/** @param {Position} position */
const unknownValues = ({ moves }) => new Map(task.isLate ? moves.map((cell) => [cell, UNKNOWN]) : []);

/** Says what is new, and then what the position is. */
function tell(said = "") {
  const text = status();
  announce(`${said} ${text}`.trim());
  owesStatus = !text;
}

const placeText = () => (game.line.length ? say("move of", { move: game.cursor, moves: game.line.length }) : "");

// Changes

/** Shows another position, or the same one with other settings. What went wrong stays until the person does something,
    and so does a link with a mistake. */
function changed(said = placeText(), { isNew = false, isByPerson = true } = {}) {
  answer = null;
  seeksTurn = false;
  if (isByPerson) notice = "";
  if (game.mode === "play") latest = game;
  room.played = isPlayed() ? game : room.exercise ? room.played : null;
  if (!notice && !isFramed) remember(linked(), linked() === resting ? null : resting, isNew);
  const { position, level } = game;
  if (!game.isAwaited) task.begin();
  else task.ask((signal) => engine.move(position, level, signal), (cell) => play(cell, false), LEAST_MS);
  look();
  tell(said);
}

/** Studies the position if its values are shown. */
function look() {
  if (needsValues()) study.look(game.position, game.mode === "analyse" || isPlayed() ? game.positions : null);
  else study.stop();
  draw();
}

/** @param {Error} error */
function fail(error) {
  notice = say("failed", { problem: error.message });
  if (!answer?.text) answer = null;
  draw();
  announce(notice);
}

function studied() {
  const [first] = seeksTurn && study.isDone ? study.turns(game.positions) : [];
  if (first) return go(first.at);
  draw();
  if (study.isDone && send.dialog.open) void send.show(game, study);
  if (owesStatus && study.valueOf(game.position) !== null) tell();
}

/** @param {number} cell @param {boolean} isByPerson */
function play(cell, isByPerson) {
  const said = moveText(game, cell);
  game.play(cell);
  changed(said, { isByPerson });
}

/** A person chooses a column. @param {number} x */
function choose(x) {
  const cell = game.position.cellIn(x);
  if (draft) put(draft, x);
  else if (!canPlay()) announce(answer?.back === -2 ? answer.title : status());
  else if (cell === null) announce(say("full column", { column: COLUMN_NAMES[x] }));
  else if (room.exercise) answerWith(room.exercise, cell);
  else play(cell, true);
}

/** Puts a stone on a position that is changed by hand, or takes one. @param {Position} before @param {number} x */
function put(before, x) {
  draft = edited(before, x, edit.stone);
  draw();
  const [cell] = cellsOf(before.occupied ^ draft.occupied);
  const refusal = edit.stone ? "full column" : "empty column";
  announce(cell === undefined ? say(refusal, { column: COLUMN_NAMES[x] }) : cellText(draft, cell));
}

/** @param {number} cursor @param {boolean} inFork */
function go(cursor, inFork = game.inFork) {
  if (cursor < 0 || draft || room.exercise) return;
  change(() => game.go(cursor, inFork));
}

/** Opens another game. It is a new place in the history, unless it comes in place of an empty board.
    @param {ConstructorParameters<typeof Game>[0]} settings */
function open(settings) {
  const { wish: level, side, mode } = resting ?? game;
  const isNew = !game.isEmpty || resting?.isEmpty === false;
  game = new Game({ level, side, mode, ...settings });
  draft = null;
  leave();
  if (game.mode === "play" && game.isEmpty && !aids.isPinned) Object.assign(aids, { values: false, threats: false });
  changed(placeText(), { isNew });
}

const newGame = () => open({ variant: (resting ?? game).variant, mode: "play" });

/** @param {Game["mode"]} mode */
function setMode(mode) {
  if (mode === game.mode) return;
  if (mode === "learn") return void learn(room.first);
  const isExercise = room.exercise !== null;
  room.close(); // takes a wrong move back
  const { variant, start, played: moves } = game;
  if (isExercise && mode === "analyse") return open({ variant, start, moves, mode });
  game = resting ?? game;
  leave();
  game.setMode(mode);
  draft = null;
  changed(`${say(mode)}.`);
  if (mode === "analyse") place("board").scrollIntoView({ block: "nearest" }); // it has the values
}

function toggleValues() {
  if (isSolo() || game.mode !== "play") return;
  aids.values = !aids.values;
  if (!game.isAwaited) task.wait();
  look();
  announce(say(aids.values ? "values on" : "values off"));
}

function toggleThreats() {
  const isOn = !showsThreats();
  if (room.exercise) learnsThreats = isOn;
  else aids.threats = isOn;
  draw();
  announce(say(isOn ? "threats on" : "threats off"));
}

/** Begins or ends to change the position by hand. */
function toggleEdit() {
  draft = draft ? null : game.position;
  changed();
}

function finishEdit() {
  if (!draft || problemOf(draft)) return;
  const { first, second } = game.position;
  if (draft.first === first && draft.second === second) toggleEdit();
  else open({ start: draft, mode: "analyse" });
}

/** @param {string} text @returns {string} what is wrong with it, or "" */
function paste(text) {
  const { found, problem } = read(text, game.variant);
  if (found?.lesson) return learn(found.lesson) ? "" : say("no puzzle");
  if (found) open({ variant: found.variant, start: found.start, moves: found.moves, mode: "analyse" });
  return problem;
}

function openPlace() {
  draft = null;
  const found = remembered();
  ({ game, problem: notice } = found);
  resting = found.resting?.mode === "play" ? (latest ?? found.resting) : found.resting; // not an older state of it
  if (found.lesson && learn(found.lesson, false)) return;
  if (found.lesson) notice = say("no puzzle");
  leave();
  changed(placeText(), { isByPerson: false });
}

// Explanations

/** Says what kind of move is good, and when asked again, which one. */
function hint() {
  if (answer?.reveal) answer.reveal();
  else if (canAsk() && canPlay()) explain(game.position, room.exercise?.right[0] ?? null, -1);
}

/** Explains the last move, or a move before it. */
function why(back = 0) {
  const at = game.cursor - 1 - back;
  if (canAsk() && !room.exercise && at >= 0) explain(game.positions[at], game.line[at], back);
}

/** Explains the last move, and when asked again, the move before it. */
const whyBefore = () => why(answer && answer.back >= 0 ? answer.back + 1 : 0);

/** @param {Position} position @param {number | null} cell @param {number} back */
function explain(position, cell, back) {
  const move = position.ply + 1;
  const title = back < 0 ? say("hint") : say("about move", { move, who: nameOf(game, position.player) });
  answer = { title, text: "", back };
  task.ask((signal) => engine.explain(position, cell, signal), (explained) => {
    const { cell: found, cells, text, hint } = explained;
    if (back < 0) tellAnswer({ title, text: hint, back, reveal: () => reveal(explained) });
    else tellAnswer({ title, text, back, cells: back ? [found, ...cells] : cells });
  });
  draw();
}

/** The second step of a hint. In an exercise, it does not name the moves after the first.
    @param {Explained} explained */
function reveal({ cell, text }) {
  const column = columnName(game.variant, cell);
  const shown = room.exercise ? say("move is", { column }) : text;
  tellAnswer({ title: say("hint"), text: shown, back: -1, hint: cell });
}

/** @param {Answer} given */
function tellAnswer(given) {
  answer = given;
  draw();
  announce(`${given.title}${/[.?]$/.test(given.title) ? "" : "."} ${given.text}`);
}

// Exercises

/** Opens an exercise; returns whether it exists. A turning point is no place of its own: it belongs to its game.
    @param {string} name */
function learn(name, isNew = true) {
  const exercise = room.open(name);
  if (!exercise) return false;
  resting ??= game;
  game = exercise.game;
  draft = null;
  changed(`${exercise.about.title}. ${exercise.about.text}`, { isNew: isNew && game.lesson !== "" });
  return true;
}

/** Opens the next exercise, or the game after its last turning point. */
function next() {
  const name = room.next;
  if (name) learn(name);
  else setMode("play");
}

function leave() {
  room.close();
  resting = null;
  learnsThreats = null;
}

/** @param {Exercise} exercise @param {number} cell */
function answerWith(exercise, cell) {
  const move = moveText(game, cell);
  room.answer(exercise, cell);
  answer = { title: say("judged"), text: "", back: -2 };
  draw();
  announce(move);
}

function solve() {
  if (!room.exercise || isJudged()) return;
  room.solve(room.exercise);
  draw();
}

// Put together

/** @param {() => void} make @param {string} [said] */
const change = (make, said) => {
  make();
  changed(said);
};
const back = () => go(game.backTo);
const forward = () => go(game.forwardTo);
const toStart = () => go(0);
const toEnd = () => go(game.line.length);
const board = new BoardView(place("board"), withoutDoubles(choose));
const bar = new BarView(place("bar"), {
  hint, back, forward, fresh: newGame, why: () => why(), values: toggleValues, edit: toggleEdit,
  playFromHere: () => open({ start: game.start, moves: game.played, mode: "play" }),
  toStart, toEnd, threats: toggleThreats, solve,
  pin: () => {
    aids.isPinned = !aids.isPinned;
    draw();
  },
  next,
});
const lesson = new LessonView(place("lesson"), place("shelves"), room, { open: learn, changed: draw });
const settings = new SettingsView(place("settings"), {
  level: (level) => change(() => Object.assign(game, { wish: level }), ""),
  side: (side) => change(() => Object.assign(game, { side }), ""),
  size: (width, height, connect) => open({ variant: new Variant(width, height, connect) }),
  puzzle: () => learn("puzzle=today"),
});
const answerView = new AnswerView(place("answer"), {
  again: newGame,
  look: () => {
    setMode("analyse");
    seeksTurn = true;
    studied();
  },
  send: () => send.show(game, study),
  before: whyBefore,
  turns: () => learn("turn=1"),
});
const analysis = new AnalysisView(place("analysis"), {
  go: (at) => go(at),
  follow: (cells) => change(() => cells.map((cell) => game.play(cell))),
});
const record = new RecordView(place("record"), {
  go,
  remove: () => change(() => game.removeVariation()),
  promote: () => change(() => game.promoteVariation()),
});
const edit = new EditView(place("edit"), { chosen: draw, done: finishEdit, cancel: toggleEdit, paste });
const MODES = /** @type {const} */ (["play", "analyse", "learn"]);
const modes = MODES.map((mode) => button(say(mode), () => setMode(mode)));
const help = helpOf();
const otherName = say("other language");
const languages = button(otherLanguage.toUpperCase(), useOtherLanguage, {
  lang: otherLanguage, "aria-label": otherName, title: otherName, class: "language",
});
place("modes").append(...modes, languages, help.open);
place("modes").setAttribute("aria-label", say("modes"));
const send = new SendView();
if (!isFramed) document.body.append(help.dialog, send.dialog);
addCopies(place("tools"), {
  link: () => addressOf(linked()),
  moves: () => writeMoves(game.variant, game.played),
  precept: () => writePrecept(game.position),
  svg: () => svgText(game.position, game.last, pictureText(game.position)),
});

/** @type {Record<string, () => void>} */
const actions = {
  u: back, r: forward, h: hint, v: toggleValues, t: toggleThreats, s: solve, w: whyBefore,
  n: () => (room.exercise ? next() : newGame()), l: () => setMode("learn"), "?": () => help.dialog.showModal(),
  m: () => setMode(game.mode === "play" ? "analyse" : "play"),
  ArrowLeft: back, ArrowRight: forward, Home: toStart, End: toEnd,
};

/** Returns what a key does now. @param {string} key @returns {(() => void) | undefined} */
function actionOf(key) {
  const x = COLUMN_NAMES.indexOf(key);
  if (x >= 0 && x < game.variant.width) return () => choose(x);
  if (draft) return key === "Escape" ? toggleEdit : undefined;
  if (isFramed && !"urn".includes(key)) return undefined; // the others lead to what is not shown
  if (game.mode !== "analyse" && /^(Arrow|Home|End)/.test(key)) return () => board.focus();
  return actions[key];
}

document.documentElement.lang = language;
document.documentElement.classList.toggle("framed", isFramed);
document.title = say("title");
ignoreSwitchedOff();
listenToKeys(actionOf);
addEventListener("popstate", openPlace);
addEventListener("storage", () => {
  room.progress.load();
  draw();
});
document.addEventListener("visibilitychange", look);
openPlace();
