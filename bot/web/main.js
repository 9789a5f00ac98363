// @ts-check
// Connects the game, the engine and the views. Every change goes through `changed`: it remembers the place in the
// address, asks the engine for what is missing, draws everything, and says what is new to screen readers.
import { addressOf, read, remember, remembered } from "./address.js";
import { Engine } from "./engine/client.js";
import { edited, Game } from "./game.js";
import { COLUMN_NAMES, problemOf, writeMoves, writePrecept } from "./notation.js";
import { svgText } from "./picture.js";
import { cellsOf, Variant } from "./rules.js";
import { Study } from "./study.js";
import { Task } from "./task.js";
import { language, otherLanguage, useOtherLanguage } from "./texts/language.js";
import { UNKNOWN } from "./values.js";
import { AnalysisView } from "./view/analysis.js";
import { announce } from "./view/announce.js";
import { AnswerView } from "./view/answer.js";
import { BarView } from "./view/bar.js";
import { BoardView } from "./view/board.js";
import { addCopies, copy } from "./view/copies.js";
import { button, ignoreSwitchedOff, place } from "./view/dom.js";
import { EditView } from "./view/edit.js";
import { helpOf, listenToKeys, withoutDoubles } from "./view/keys.js";
import { RecordView } from "./view/record.js";
import { SettingsView } from "./view/settings.js";
import { cellText, endOf, moveText, nameOf, prospect, say } from "./view/words.js";

/** @import { Position } from "./rules.js" */
/** @import { Answer } from "./view/answer.js" */

const LEAST_MS = 400; // between a move and the answer to it

const engine = new Engine({ language });
const study = new Study(engine, studied, fail);
const task = new Task(engine.ready, draw, fail);
let game = new Game();
let showsValues = false;
/** @type {Position | null} the position that is changed by hand */
let draft = null;
/** @type {Answer | null} */
let answer = null;
let notice = ""; // what went wrong, until the person does something
let owesStatus = false; // the value of the position is announced as soon as it is known
let seeksTurn = false; // the first move that changed the result is shown as soon as it is known

// What the page shows

const isSolo = () => game.mode === "play" && game.side === "both";
const canPlay = () => !game.position.isOver && !game.isAwaited;
const canAsk = () => !draft && !isSolo() && !game.isAwaited;
const needsValues = () => canAsk() && !document.hidden && (game.mode === "analyse" || showsValues);
const waiting = () => (task.late ? say(task.late) : "");

function status() {
  const { position } = game;
  if (draft) return say("edit about");
  if (position.isOver) return [endOf(game), notice].filter(Boolean).join(" ");
  if (notice) return notice;
  if (game.mode === "analyse") return prospect(position, study.boundsOf(position)) || waiting();
  const who = nameOf(game, position.player);
  if (game.isAwaited && task.late) return task.isReady ? say("thinking of", { who }) : waiting();
  if (game.isAwaited || game.side === "both") return say("turn of", { who });
  return say(position.ply ? "your turn" : "your turn first");
}

function draw() {
  const focused = document.activeElement;
  const { position } = game;
  const values = needsValues() && canPlay() ? (study.valuesOf(position) ?? unknownValues(position)) : null;
  board.draw({
    position: draft ?? position,
    last: draft ? null : game.last,
    stone: draft ? edit.stone : canPlay() ? position.player : null,
    isEdit: draft !== null,
    marks: answer?.cells ?? [],
    hint: answer?.hint ?? null,
    values,
  });
  bar.draw(game, { status: status(), isOver: position.isOver, showsValues, isEdit: draft !== null });
  settings.draw(game);
  answerView.draw(answer, {
    isOver: position.isOver && game.mode === "play",
    isFirst: game.cursor - 1 === answer?.back,
    waiting: waiting(),
  });
  analysis.draw(game, study, waiting());
  record.draw(game, game.mode === "analyse" ? study.turns(game.positions) : []);
  edit.draw(draft);
  for (const name of ["analysis", "record"]) place(name).hidden ||= draft !== null;
  place("tools").hidden = draft !== null;
  for (const [mode, node] of Object.entries(modes)) node.setAttribute("aria-pressed", String(mode === game.mode));
  if (focused?.getClientRects().length === 0) board.focus(); // it was removed or hidden
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
  if (!notice) remember(game, isNew);
  const { position, level } = game;
  if (!game.isAwaited) task.begin();
  else task.ask((signal) => engine.move(position, level, signal), (cell) => play(cell, false), LEAST_MS);
  look();
  tell(said);
}

/** Studies the position if its values are shown. */
function look() {
  if (needsValues()) study.look(game.position, game.mode === "analyse" ? game.positions : null);
  else study.stop();
  draw();
}

/** @param {Error} error */
function fail(error) {
  notice = say("failed", { problem: error.message });
  if (!answer?.isDone) answer = null;
  draw();
  announce(notice);
}

function studied() {
  const [first] = seeksTurn && study.isDone ? study.turns(game.positions) : [];
  if (first) return go(first.at);
  draw();
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
  else if (!canPlay()) announce(status());
  else if (cell === null) announce(say("full column", { column: COLUMN_NAMES[x] }));
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
  if (cursor < 0 || draft) return;
  change(() => game.go(cursor, inFork));
}

/** Opens another game. It is a new place in the history, unless it comes in place of an empty board.
    @param {ConstructorParameters<typeof Game>[0]} settings */
function open(settings) {
  const { wish: level, side, mode, isEmpty } = game;
  game = new Game({ level, side, mode, ...settings });
  draft = null;
  changed(placeText(), { isNew: !isEmpty });
}

const newGame = () => open({ variant: game.variant, mode: "play" });

/** @param {"play" | "analyse"} mode */
function setMode(mode) {
  if (mode === game.mode) return;
  game.setMode(mode);
  draft = null;
  changed(`${say(mode)}.`);
}

function toggleValues() {
  if (isSolo() || game.mode === "analyse") return;
  showsValues = !showsValues;
  if (!game.isAwaited) task.wait();
  look();
  announce(say(showsValues ? "values on" : "values off"));
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
  if (found) open({ variant: found.variant, start: found.start, moves: found.moves, mode: "analyse" });
  return problem;
}

function openPlace() {
  draft = null;
  ({ game, problem: notice } = remembered());
  changed(placeText(), { isByPerson: false });
}

// Explanations

function hint() {
  if (canAsk() && canPlay()) explain(game.position, null, -1);
}

/** Explains the last move, or a move before it. */
function why(back = 0) {
  const at = game.cursor - 1 - back;
  if (canAsk() && at >= 0) explain(game.positions[at], game.line[at], back);
}

/** @param {Position} position @param {number | null} cell @param {number} back */
function explain(position, cell, back) {
  const move = position.ply + 1;
  const title = back < 0 ? say("hint") : say("about move", { move, who: nameOf(game, position.player) });
  answer = { title, text: "", cells: [], hint: null, isDone: false, back };
  task.ask((signal) => engine.explain(position, cell, signal), ({ cell: found, cells, text }) => {
    const marks = back < 0 ? [] : back ? [found, ...cells] : cells;
    answer = { title, text, cells: marks, hint: back < 0 ? found : null, isDone: true, back };
    draw();
    announce(`${title}. ${text}`);
  });
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
  toStart, toEnd,
});
const settings = new SettingsView(place("settings"), {
  level: (level) => change(() => Object.assign(game, { wish: level }), ""),
  side: (side) => change(() => Object.assign(game, { side }), ""),
  size: (width, height, connect) => open({ variant: new Variant(width, height, connect) }),
});
const answerView = new AnswerView(place("answer"), {
  again: newGame,
  look: () => {
    setMode("analyse");
    seeksTurn = true;
    studied();
  },
  link: (source) => copy(addressOf(game), source),
  before: () => why((answer?.back ?? 0) + 1),
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
const modes = {
  play: button(say("play"), () => setMode("play")),
  analyse: button(say("analyse"), () => setMode("analyse")),
};
const help = helpOf();
const otherName = say("other language");
const languages = button(otherLanguage.toUpperCase(), useOtherLanguage, {
  lang: otherLanguage, "aria-label": otherName, title: otherName, class: "language",
});
place("modes").append(modes.play, modes.analyse, languages, help.open);
place("modes").setAttribute("aria-label", say("modes"));
document.body.append(help.dialog);
addCopies(place("tools"), {
  link: () => addressOf(game),
  moves: () => writeMoves(game.variant, game.played),
  precept: () => writePrecept(game.link),
  svg: () => svgText(game.position, game.last),
});

/** @type {Record<string, () => void>} */
const actions = {
  u: back, r: forward, h: hint, v: toggleValues, w: () => why(), n: newGame, "?": () => help.dialog.showModal(),
  m: () => setMode(game.mode === "play" ? "analyse" : "play"),
  ArrowLeft: back, ArrowRight: forward, Home: toStart, End: toEnd,
};

/** Returns what a key does now. @param {string} key @returns {(() => void) | undefined} */
function actionOf(key) {
  const x = COLUMN_NAMES.indexOf(key);
  if (x >= 0 && x < game.variant.width) return () => choose(x);
  if (draft) return key === "Escape" ? toggleEdit : undefined;
  if (game.mode === "play" && /^(Arrow|Home|End)/.test(key)) return () => board.focus();
  return actions[key];
}

document.documentElement.lang = language;
document.title = say("title");
ignoreSwitchedOff();
listenToKeys(actionOf);
addEventListener("popstate", openPlace);
document.addEventListener("visibilitychange", look);
openPlace();
