// @ts-check
// In a report that has the board, a person plays on from any position, and a level of the engine answers.
import { button, html, switchOff } from "../../../protocol/web/dom.js";
import { COLUMN_NAMES } from "../../../protocol/web/names.js";
import { range } from "../../../protocol/web/rules.js";
import { OPEN, UNKNOWN } from "../board_engine.js";
import { bestOf, pressOf } from "../board_parts.js";
import { board, shownRow } from "./board.js";
import { changeNote, drawCard, lineButton, live } from "./card.js";
import { data, game, lineFrom, nameAt, playsOn, plies, variant } from "./data.js";
import { ask, begin, changeHere, toggleReason, turn } from "./engine.js";
import { at, enter, forward, go, isGame, shown } from "./steps.js";
import { valueText } from "./words.js";

/** @import { Change, Track } from "./data.js" */

const LEAST_MS = 400; // between a move and its answer
const LEVELS = 10;

/** @type {Track | null} the variation of the person */
let played = null;
let isByPointer = false; // whether a pointer was used last on `select`
/** @type {HTMLElement[]} */
let columns = [];
const level = () => +select.value; // of the engine's answers; 0 if a person makes all moves

// Moves

/** @param {number} x */
const canPlay = (x) => !turn.isAwaited && !shown().isOver && shown().cellIn(x) !== null;

/** @param {number} x */
function choose(x) {
  const { track, ply } = at;
  if (document.activeElement === select) focusColumns();
  if (!canPlay(x)) return say(turn.isAwaited ? thinking() : ending() || `Column ${COLUMN_NAMES[x]} is full.`);
  if (!level() && ply < track.moves.length && variant.columnOf(track.moves[ply]) === x) return void forward();
  add(x, "You");
  return level() && !shown().isOver ? answer() : undefined;
}

/** @param {number} x @param {string} by */
function add(x, by) {
  const { track, ply } = at;
  const from = isGame() ? ply : track.from;
  const names = track.names.slice(from, ply);
  played = lineFrom(game, from, [...names, COLUMN_NAMES[x]], "p");
  played.by = [...names.map((_, i) => track.by?.[i]), by];
  go(played.moves.length, played, track.kind !== "p");
}

function answer() {
  const position = shown();
  const least = new Promise((resolve) => { setTimeout(resolve, LEAST_MS); });
  turn.isAwaited = true;
  ask(async (engine, signal) => (await Promise.all([engine.move(position, level(), signal), least]))[0],
    (cell) => add(variant.columnOf(cell), `Level ${level()}`));
  drawPlay();
}

/** Asks the level that was chosen, if another one is thinking. The focus leaves the select, so that keys step through
    the game again, unless a person goes through the levels with the arrows. */
function changeLevel() {
  if (turn.isAwaited) {
    begin();
    if (level()) answer();
  }
  drawPlay();
  if (isByPointer) focusColumns();
}

const focusColumns = () => columns[variant.width >> 1].focus({ preventScroll: true });

/** Returns the ply and the track of a link such as #17p441, or #17p441-2 for the position after two of these moves.
    @param {string} hash @returns {[number, Track] | null} */
export function read(hash) {
  const [, ply, names, steps] = /^#(\d+)p(\w+)(?:-(\d+))?$/.exec(hash) || [];
  if (!playsOn || !names) return null;
  const from = Math.min(+ply, plies);
  const line = lineFrom(game, from, [...names], "p");
  if (line.moves.length === from) return [from, game];
  played = line;
  return [steps ? from + +steps : line.moves.length, line];
}

/** Returns what a key does that names a column. @param {string} key */
export function columnOf(key) {
  const x = COLUMN_NAMES.indexOf(key);
  return playsOn && x >= 0 && x < variant.width ? () => choose(x) : null;
}

// Texts

const say = (/** @type {string} */ text) => { live.textContent = text; };
const thinking = () => `Level ${level()} is thinking …`;
const side = () => (turn.isAwaited || shown().isOver ? "" : `You play for ${nameAt(at.ply)}: choose a column.`);

/** How a variation ended, or "". */
export function ending() {
  if (!shown().isOver) return "";
  if (!shown().winner) return "A draw: the board is full.";
  const by = at.track.by?.[at.ply - at.track.from - 1]; // unknown if a link has opened the variation
  const won = `${variant.connect} in a row after ${at.ply} moves, with the stones of ${nameAt(at.ply - 1)}.`;
  return by ? `${by === "You" ? "You have" : `${by} has`} ${won}` : won;
}

function state() {
  const { ply } = at;
  if (turn.problem) return turn.problem;
  if (turn.isLate && turn.isAwaited) return thinking();
  if (turn.isLate && turn.reason?.text === "") return "The engine looks for the reason …";
  const isStored = isGame() && (!turn.row || (ply < plies && data.v?.[ply] != null));
  if (shown().isOver || isStored) return ""; // the card of the game has the stored value
  const row = shownRow().filter((value) => value !== null);
  if (row.includes(UNKNOWN)) return `${nameAt(ply)} to move: not solved within a minute.`;
  if (!row.length || row.includes(OPEN)) return `${nameAt(ply)} to move${row.length ? `: ${OPEN}` : "."}`;
  return valueText(bestOf(row), ply);
}

// Elements

const options = range(LEVELS + 1).map((value) => html("option", { value }, value ? `level ${value}` : "nobody"));
const select = html("select", {
  onchange: changeLevel, onpointerdown: () => { isByPointer = true; }, onkeydown: () => { isByPointer = false; },
}, ...options);
const sideText = html("span");
const answers = html("p", { class: "answers muted" }, html("label", {}, "Answered by ", select), sideText);
const stateText = html("p", { class: "muted" });
const reasons = [false, true].map((isBetter) => button("", () => toggleReason(isBetter)));
const start = button("Play on from here", () => {
  if (!level()) select.value = String(LEVELS);
  drawCard();
  columns[0].parentElement?.scrollIntoView({ block: "nearest" });
  focusColumns();
  say(`${side()} Level ${level()} answers.`);
});

/** Returns the buttons that lie over the board. */
export function columnButtons() {
  const press = pressOf(board, choose);
  columns = press.buttons;
  for (const [x, node] of columns.entries()) node.setAttribute("aria-label", `Play column ${COLUMN_NAMES[x]}`);
  return press.node;
}

/** Draws what changes while a position is shown. */
export function drawPlay() {
  stateText.textContent = state();
  stateText.hidden = !state();
  sideText.textContent = level() ? side() : "";
  for (const [x, node] of columns.entries()) switchOff(node, !canPlay(x));
}

/** Returns the reason in place of the stored text, if the person has asked for it. @param {Change} change */
export function note(change) {
  const { isBetter, text } = turn.reason ?? {};
  if (isBetter && text) return html("p", { class: "note" }, html("b", {}, "Better: "), text);
  return changeNote(change, isBetter ? null : text);
}

/** @param {Change} change */
function reasonButtons([, , after, better]) {
  for (const [i, node] of reasons.entries()) node.setAttribute("aria-pressed", String(turn.reason?.isBetter === (i === 1)));
  reasons[0].textContent = after < 0 ? "Why it loses" : "Why it only draws";
  reasons[1].textContent = `Why column ${better[0]} is better`;
  return html("p", { class: "lines" }, reasons[0], better.length > 0 && reasons[1]);
}

/** Returns the parts of the card of the position that is shown. */
export function card() {
  if (!playsOn) return [];
  const change = changeHere();
  const own = isGame() && played?.from === at.ply ? played : null;
  const again = own && lineButton("Your variation", own.names.slice(own.from), () => enter(own));
  drawPlay();
  return [
    !isGame() && ending() !== "" && html("p", { class: "note" }, html("b", {}, ending())), stateText,
    (level() > 0 || !isGame()) && answers, change !== undefined && reasonButtons(change),
    !shown().isOver && at.track !== played && html("p", { class: "lines" }, start, again),
  ];
}
