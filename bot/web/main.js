// @ts-check
// Connects the game, the engine and the views. Every change goes through `changed`: it remembers the place in the
// address, draws everything, and asks the engine for what is missing.
import { Engine } from "./engine/client.js";
import { edited, Game } from "./game.js";
import { COLUMN_NAMES, NotationError, parse, readLink, writeLink, writeMoves, writePrecept } from "./notation.js";
import { svgText } from "./picture.js";
import { Position, Variant } from "./rules.js";
import { filled } from "./sentences.js";
import { Study } from "./study.js";
import { TEXTS } from "./texts.js";
import { AnalysisView } from "./view/analysis.js";
import { announce } from "./view/announce.js";
import { AnswerView } from "./view/answer.js";
import { BarView } from "./view/bar.js";
import { BoardView } from "./view/board.js";
import { addCopies, copy } from "./view/copies.js";
import { button, ignoreSwitchedOff, place } from "./view/dom.js";
import { EditView, problemOf } from "./view/edit.js";
import { helpOf, listenToKeys } from "./view/keys.js";
import { RecordView } from "./view/record.js";
import { SettingsView } from "./view/settings.js";
import { endOf, nameOf, prospect, say } from "./view/words.js";

const LEAST_MS = 400; // between a move and the answer to it
const LATE_MS = 300; // after which the page says that it waits

const engine = new Engine();
const study = new Study(engine, studied, fail);
let game = new Game();
let showsValues = false;
let isReady = false;
/** @type {Position | null} the position that is changed by hand */
let draft = null;
/** @type {import("./view/answer.js").Answer | null} */
let answer = null;
let isLate = false; // the engine has worked for so long that the page says so
let notice = ""; // what went wrong, in place of whose turn it is
let owesStatus = false; // the value of the position is announced as soon as it is known
let seeksTurn = false; // the first move that changed the result is shown as soon as it is known
let task = new AbortController();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let lateness;

// What the page shows

const isSolo = () => game.mode === "play" && game.side === "both";
const needsValues = () => !draft && !game.isAwaited && !isSolo() && (game.mode === "analyse" || showsValues);
const waiting = () => (isLate ? say(isReady ? "thinking" : "loading") : "");

function status() {
  if (draft) return say("edit about");
  const { position } = game;
  if (notice) return notice;
  if (position.isOver) return endOf(game, position);
  if (game.mode === "analyse") return prospect(position, study.boundsOf(position)) || waiting();
  const who = nameOf(game, position.player);
  if (game.isAwaited) return isLate ? (isReady ? say("thinking of", { who }) : say("loading")) : say("turn of", { who });
  if (game.side === "both") return say("turn of", { who });
  return say(game.cursor ? "your turn" : "your turn first");
}

function draw() {
  const focused = document.activeElement;
  const { position } = game;
  const canPlay = !position.isOver && !game.isAwaited;
  const values = needsValues() && canPlay ? (study.valuesOf(position) ?? unknownValues(position)) : null;
  board.draw({
    position: draft ?? position,
    last: draft ? null : game.last,
    stone: draft ? edit.stone : canPlay ? position.player : null,
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
const unknownValues = ({ moves }) =>
  new Map(isLate ? moves.map((cell) => [cell, { low: -Infinity, high: Infinity }]) : []);

// Changes

/** Shows another position, or the same one with other settings. A new game is a new place in the history. */
function changed({ isNew = false } = {}) {
  answer = null;
  notice = "";
  seeksTurn = false;
  history[isNew ? "pushState" : "replaceState"](null, "", link());
  work();
}

/** Begins what the engine has to do for the position, and ends what it did for another one. */
function work() {
  task.abort();
  task = new AbortController();
  clearTimeout(lateness);
  isLate = false;
  if (!answer?.isDone) answer = null;
  lateness = setTimeout(() => {
    isLate = true;
    draw();
  }, LATE_MS);
  if (game.isAwaited) letLevelMove(task.signal);
  if (needsValues()) study.look(game.position, game.mode === "analyse" ? game.positions : null);
  else study.stop();
  draw();
}

/** Uses an answer of the engine if it is still wanted; shows a failure.
    @template T @param {Promise<T>} promise @param {(answer: T) => void} use */
async function when(promise, use) {
  const { signal } = task;
  try {
    const found = await promise;
    if (!signal.aborted) use(found);
  } catch (error) {
    if (!signal.aborted) fail(/** @type {Error} */ (error));
  }
}

/** @param {Error} error */
function fail(error) {
  notice = say("failed", { problem: error.message });
  draw();
}

function studied() {
  const [first] = seeksTurn && study.isDone ? study.turns(game.positions) : [];
  if (first) go(first.at);
  else draw();
  if (owesStatus && study.valueOf(game.position) !== null) announce(status());
  owesStatus &&= study.valueOf(game.position) === null;
}

/** @param {AbortSignal} signal */
function letLevelMove(signal) {
  const pause = new Promise((resolve) => setTimeout(resolve, LEAST_MS));
  const move = engine.move(game.position, game.level, { signal }).finally(() => !signal.aborted && clearTimeout(lateness));
  when(Promise.all([move, pause]), ([cell]) => makeMove(cell));
}

/** @param {number} cell */
function makeMove(cell) {
  const { player } = game.position;
  const where = { column: COLUMN_NAMES[game.variant.columnOf(cell)], row: game.variant.rowOf(cell) + 1 };
  const said = say(game.side === player ? "you play" : "other plays", { who: nameOf(game, player), ...where });
  game.play(cell);
  changed();
  announce(`${said} ${status()}`);
}

/** A person chooses a column. @param {number} x */
function choose(x) {
  if (draft) {
    draft = edited(draft, x, edit.stone);
    draw();
    return;
  }
  const cell = game.position.cellIn(x);
  if (cell === null || game.position.isOver || game.isAwaited) return;
  makeMove(cell);
}

/** @param {number} cursor @param {boolean} inFork */
function go(cursor, inFork = game.inFork) {
  if (cursor < 0 || draft) return;
  game.go(cursor, inFork);
  changed();
  announce(`${say("move of", { move: game.cursor, moves: game.line.length })} ${status()}`);
  owesStatus = !status();
}

/** Opens another game in its place. @param {Partial<ConstructorParameters<typeof Game>[0]>} settings */
function open(settings) {
  const { level, side, mode } = game;
  game = new Game({ level, side, mode, ...settings });
  draft = null;
  changed({ isNew: true });
  announce(status());
}

const newGame = () => open({ start: new Position(game.variant), mode: "play" });

/** @param {"play" | "analyse"} mode */
function setMode(mode) {
  if (mode === game.mode) return;
  game.mode = mode;
  draft = null;
  if (mode === "play") game.go(game.main.length, false);
  changed();
  announce(`${say(mode)}. ${status()}`);
}

function toggleValues() {
  if (isSolo() || game.mode === "analyse") return;
  showsValues = !showsValues;
  work();
  announce(say(showsValues ? "values on" : "values off"));
}

// Explanations

function hint() {
  if (isSolo() || game.position.isOver || game.isAwaited || draft) return;
  explain(game.position, null, -1);
}

/** Explains the last move, or a move before it. */
function why(back = 0) {
  const at = game.cursor - 1 - back;
  if (isSolo() || at < 0 || draft) return;
  explain(game.positions[at], game.line[at], back);
}

/** @param {Position} position @param {number | null} cell @param {number} back */
function explain(position, cell, back) {
  work();
  const move = position.ply + 1;
  const title = back < 0 ? say("hint") : say("about move", { move, who: nameOf(game, position.player) });
  answer = { title, text: "", cells: [], hint: null, isDone: false, back };
  when(engine.explain(position, cell, { signal: task.signal }), (found) => {
    const isHint = cell === null;
    const cells = isHint ? [] : back ? [found.cell, ...found.cells] : found.cells;
    answer = { title, text: found.text, cells, hint: isHint ? found.cell : null, isDone: true, back };
    draw();
    announce(`${title}. ${found.text}`);
  });
}

// Links and texts

function linkData() {
  const { variant, start, played: moves, level, side, mode } = game;
  return { variant, start: start.ply ? start : null, moves, level, side, mode };
}
const link = () => writeLink(linkData());

function openLink() {
  const found = readLink(location.hash);
  const start = found.start ?? new Position(found.variant);
  draft = null;
  game = new Game({ ...found, start, mode: found.mode === "analyse" ? "analyse" : "play" });
  changed();
  if (found.problem) notice = textOf(found.problem);
  draw();
}

/** @param {NotationError} error */
const textOf = ({ key, values }) => filled(/** @type {Record<string, string>} */ (TEXTS.notation)[key], values);

/** Reads a link or another text of a game. Throws `NotationError`. @param {string} text */
function read(text) {
  if (!/^\S*#\S*$/.test(text.trim())) return parse(text, game.variant);
  const found = readLink(text.trim().replace(/^[^#]*/, ""));
  if (found.problem) throw found.problem;
  return found;
}

/** @param {string} text @returns {string} what is wrong with it, or "" */
function paste(text) {
  try {
    const { variant, start, moves } = read(text);
    open({ start: start ?? new Position(variant), moves, mode: "analyse" });
    return "";
  } catch (error) {
    if (error instanceof NotationError) return textOf(error);
    throw error;
  }
}

// Put together

/** @param {() => void} make */
const change = (make) => {
  make();
  changed();
};
const board = new BoardView(place("board"), choose);
const back = () => go(game.backTo);
const forward = () => go(game.forwardTo);
const toggleEdit = () => {
  draft = draft ? null : game.position;
  work();
};
const bar = new BarView(place("bar"), {
  hint, back, forward, fresh: newGame, why: () => why(), values: toggleValues, edit: toggleEdit,
  playFromHere: () => open({ start: game.start, moves: game.played, mode: "play" }),
  toStart: () => go(0), toEnd: () => go(game.line.length),
});
const settings = new SettingsView(place("settings"), {
  level: (level) => change(() => Object.assign(game, { level })),
  side: (side) => change(() => Object.assign(game, { side })),
  size: (width, height, connect) => open({ start: new Position(new Variant(width, height, connect)) }),
});
const answerView = new AnswerView(place("answer"), {
  again: newGame,
  look: () => {
    game.mode = "analyse";
    changed();
    seeksTurn = true;
    studied();
  },
  link: (source) => copy(location.href, source),
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
const edit = new EditView(place("edit"), {
  done: () => draft && !problemOf(draft) && open({ start: draft, mode: "analyse" }),
  cancel: toggleEdit,
  paste,
});
edit.chosen = draw;
const modes = {
  play: button(say("play"), () => setMode("play")),
  analyse: button(say("analyse"), () => setMode("analyse")),
};
const help = helpOf();
place("modes").append(modes.play, modes.analyse, help.open);
place("modes").setAttribute("aria-label", say("modes"));
document.body.append(help.dialog);
addCopies(place("tools"), {
  link: () => location.href,
  moves: () => writeMoves(game.variant, game.played),
  precept: () => writePrecept(linkData()),
  svg: () => svgText(game.position, game.last),
});

/** @type {Record<string, () => void>} */
const steps = { ArrowLeft: back, ArrowRight: forward, Home: () => go(0), End: () => go(game.line.length) };
ignoreSwitchedOff();
listenToKeys({
  column: choose,
  width: () => game.variant.width,
  letters: {
    u: back, r: forward, h: hint, v: toggleValues, w: () => why(), n: newGame, "?": () => help.dialog.showModal(),
    m: () => setMode(game.mode === "play" ? "analyse" : "play"),
  },
  arrow: (name) => {
    if (game.mode === "play") board.focus();
    else steps[name]?.();
  },
});
engine.ready.then(() => {
  isReady = true;
  draw();
}, fail);
addEventListener("popstate", openLink);
openLink();
