// @ts-check
// Questions to the engine of the board, in a report that has it: values that are not stored, and reasons. The engine is
// loaded when it is asked for the first time.
import { moveNamed } from "../../../protocol/web/names.js";
import { askValues, loadEngine, OPEN, rowOf } from "../board_engine.js";
import { drawBoard, shownRow, showsValues } from "./board.js";
import { drawCard, live } from "./card.js";
import { changeAt, data, game, playsOn } from "./data.js";
import { drawPlay } from "./play_on.js";
import { at, isGame, shown } from "./steps.js";

/** @import { Value } from "../board_parts.js" */
/** Why a move is good or a mistake: its text, null if the stored one is better, and the cells that it speaks of.
    @typedef {{ isBetter: boolean, text: string | null, cells: number[] }} Reason */
/** What is asked and known about the position that is shown.
    @typedef {{ row?: Value[], reason?: Reason | null, isAwaited?: boolean, isLate?: boolean, problem?: string }} Turn */

const LATE_MS = 300; // after this time the card says that the engine is at work

/** @type {Turn} another position has another object */
export let turn = {};
/** @type {any} */
let engine = null;
/** @type {Promise<void> | null} */
let loading = null;
let asking = new AbortController(); // ends the questions about the position before

function load() {
  loading ??= loadEngine(data.b).then((loaded) => { engine = loaded; });
  loading.catch(() => { loading = null; }); // so that the next question tries again
  return loading;
}

/** Uses the answer to a question if the same position is still shown.
    @param {(engine: any, signal: AbortSignal) => Promise<any>} question @param {(answer: any) => void} use */
export async function ask(question, use) {
  const asked = turn;
  Object.assign(asked, { isLate: false, problem: "" });
  setTimeout(() => { asked.isLate = true; drawPlay(); }, LATE_MS);
  try {
    await load();
    const answer = asked === turn && await question(engine, asking.signal);
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
  asking.abort();
  asking = new AbortController();
  look();
  if (engine && changeHere()) explain(false, true);
}

/** Asks for the values of the position if they are wanted and not stored. */
export function look() {
  const position = shown();
  if (!playsOn || !showsValues() || shownRow().length || position.isOver) return;
  const use = (/** @type {Value[]} */ row) => {
    if (asked !== turn || String(turn.row) === String(row)) return;
    turn.row = row;
    drawBoard();
    drawPlay();
  };
  const asked = turn;
  turn.row = rowOf(position, new Map(), OPEN);
  ask((asker, signal) => askValues(asker, position, signal, use), () => {});
}

/** The change that the move before this position made. */
export const changeHere = () => (isGame() ? changeAt.get(at.ply) : undefined);

/** Asks why a move that changed the result is a mistake, or why the other one is better.
    @param {boolean} isBetter @param {boolean} isQuiet */
function explain(isBetter, isQuiet = false) {
  const [ply, , , [better]] = /** @type {import("./data.js").Change} */ (changeHere());
  /** @type {Reason} */
  const reason = { isBetter, text: isQuiet ? null : "", cells: [] };
  const position = game.positions[ply];
  const move = isBetter ? moveNamed(position, better) : game.moves[ply];
  turn.reason = reason;
  ask((asker, signal) => asker.explain(position, move, signal), ({ text, cells, better: other }) => {
    Object.assign(reason, isBetter || other !== null ? { text, cells } : { text: null }); // the stored text may know more
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
