// @ts-check
// Questions to the engine of the board, in a report that has it: values that are not stored, and reasons. The engine is
// loaded when it is asked for the first time.
import { html } from "../../../protocol/web/dom.js";
import { COLUMN_NAMES } from "../../../protocol/web/names.js";
import { range } from "../../../protocol/web/rules.js";
import { drawBoard, shownRow, showsValues } from "./board.js";
import { drawCard, live } from "./card.js";
import { changeAt, data, game, playsOn, variant } from "./data.js";
import { drawPlay } from "./play_on.js";
import { at, isGame, shown } from "./steps.js";

/** @import { Value } from "../board_parts.js" */
/** @import { Track } from "./data.js" */
/** Why a move is good or a mistake: its text, null if the stored one is better, and the cells that it speaks of.
    @typedef {{ isBetter: boolean, text: string | null, cells: [number, number][] }} Reason */
/** What is asked and known about the position that is shown.
    @typedef {{ row?: Value[], reason?: Reason | null, isAwaited?: boolean, isLate?: boolean, problem?: string }} Turn */

const LATE_MS = 300; // after this time the card says that the engine is at work
export const OPEN = "…"; // a value that is not known yet
export const UNKNOWN = "?"; // a value that the engine has not found in its time

/** @type {Turn} another position has another object */
export let turn = {};
/** @type {any} */
let engine = null;
/** @type {Promise<void> | null} */
let loading = null;

function load() {
  const src = `${data.b}replays.js`;
  loading ??= new Promise((resolve, reject) => {
    document.head.append(html("script", { src, onload: resolve, onerror: () => reject(new Error(`cannot load ${src}`)) }));
  }).then(async () => {
    const { C4ReplayEngine } = /** @type {any} */ (globalThis); // bot/web/replays.js
    engine = await new C4ReplayEngine({ width: data.w, height: data.h, connect: data.k }, data.b).ready;
  });
  loading.catch(() => { loading = null; }); // so that the next question tries again
  return loading;
}

/** Uses the answer to a question if the same position is still shown.
    @param {(engine: any) => Promise<any>} question @param {(answer: any) => void} use */
export async function ask(question, use) {
  const asked = turn;
  Object.assign(asked, { isLate: false, problem: "" });
  setTimeout(() => { asked.isLate = true; drawPlay(); }, LATE_MS);
  try {
    await load();
    const answer = asked === turn && await question(engine);
    if (asked === turn) use(answer);
  } catch (error) {
    const { name, message } = /** @type {Error} */ (error);
    if (asked !== turn || name === "AbortError") return;
    const what = engine ? "The engine failed" : "The engine did not start, perhaps because the folder of the board is not complete";
    turn = { problem: `${what}: ${message}.` };
    redraw();
    if (asked.isAwaited || asked.reason) live.textContent = turn.problem ?? "";
  }
}

function redraw() {
  drawBoard();
  drawCard();
}

/** Forgets the position before, and begins with the one that is shown. */
export function begin() {
  turn = {};
  engine?.stop();
  look();
  if (engine && changeHere()) explain(false, true);
}

/** The columns of the moves up to a ply. @param {Track} track @param {number} ply */
export const columnsOf = (track, ply) => track.moves.slice(0, ply).map((move) => variant.columnOf(move));

/** Asks for the values of the position if they are wanted and not stored. */
export function look() {
  const position = shown();
  if (!playsOn || !showsValues() || shownRow().length || position.isOver) return;
  turn.row = range(variant.width).map((x) => (position.cellIn(x) === null ? null : OPEN));
  const use = (/** @type {({ low: number, high: number } | null)[]} */ row, open = OPEN) => {
    const before = String(turn.row);
    turn.row = row.map((bounds) => bounds && (bounds.low === bounds.high ? bounds.low : open));
    if (String(turn.row) === before) return;
    drawBoard();
    drawPlay();
  };
  const moves = columnsOf(at.track, at.ply);
  ask((asked) => asked.values(moves, (/** @type {any} */ row) => use(row)), (row) => use(row, UNKNOWN));
}

/** The change that the move before this position made. */
export const changeHere = () => (isGame() ? changeAt.get(at.ply) : undefined);

/** Asks why a move that changed the result is a mistake, or why the other one is better.
    @param {boolean} isBetter @param {boolean} isQuiet */
function explain(isBetter, isQuiet = false) {
  const [ply, , , [better]] = /** @type {import("./data.js").Change} */ (changeHere());
  /** @type {Reason} */
  const reason = { isBetter, text: isQuiet ? null : "", cells: [] };
  const column = isBetter ? COLUMN_NAMES.indexOf(better) : variant.columnOf(game.moves[ply]);
  turn.reason = reason;
  ask((asked) => asked.explain(columnsOf(game, ply), column), ({ text, cells, isMistake }) => {
    Object.assign(reason, isBetter || isMistake ? { text, cells } : { text: null }); // the stored text may know more
    if (turn.reason !== reason) return;
    redraw();
    if (!isQuiet) live.textContent = text;
  });
}

/** Shows a reason, or hides it. @param {boolean} isBetter */
export function toggleReason(isBetter) {
  if (turn.reason?.isBetter === isBetter) turn.reason = null;
  else explain(isBetter);
  redraw();
}
