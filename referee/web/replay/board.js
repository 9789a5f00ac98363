// @ts-check
// The board with values above it, and the same as a table for screen readers.
import { Board } from "../../../protocol/web/board.js";
import { html, write } from "../../../protocol/web/dom.js";
import { COLUMN_NAMES, moveNamed, rowName, signed } from "../../../protocol/web/names.js";
import { range, STEAL } from "../../../protocol/web/rules.js";
import { bestOf, Chips, ROOM } from "../board_parts.js";
import { changeAt, game, nameAt, plies, playsOn, scores, variant } from "./data.js";
import { turn } from "./engine.js";
import { at, isGame, isKnown, shown } from "./steps.js";
import { meaning } from "./words.js";

/** @import { Value } from "../board_parts.js" */

const { width, height, gravity } = variant;
export const hasChips = Boolean(scores || playsOn);
export const board = new Board(variant, { above: hasChips ? ROOM : 0 });
const chips = new Chips(board);
board.node.classList.toggle("plain", !scores);

export const showsValues = () => !board.node.classList.contains("plain");

/** The values of the columns. @returns {Value[]} */
export function shownRow() {
  const row = (isKnown() && scores?.[at.ply]) || [];
  return row.length ? row : (turn.row ?? []);
}

export function drawBoard() {
  const { ply, track } = at;
  board.draw(shown(), ply ? track.moves[ply - 1] : null, [isGame() ? betterRing(board, ply) : null, ...reasonMarks()]);
  if (hasChips) drawChips();
  describe();
}

const reasonMarks = () => (turn.reason?.cells ?? []).flatMap((cell) => board.mark(cell));

/** Returns a ring around the better move of a ply at which the result changed. @param {Board} picture @param {number} ply */
function betterRing(picture, ply) {
  const [name] = changeAt.get(ply)?.[3] ?? [];
  const before = game.positions[ply - 1];
  const move = name ? moveNamed(before, name) : null;
  return move === null ? null : picture.ring("be", before.cellOf(move), 0.3);
}

function drawChips() {
  const row = shownRow();
  if (!row.length) return chips.say(whyNoValues());
  const ofColumns = bestOf(row);
  const best = at.ply === 1 && variant.steal ? Math.max(ofColumns, -ofColumns) : ofColumns;
  const move = isGame() ? (game.moves[at.ply] ?? STEAL) : STEAL;
  const next = move === STEAL ? null : variant.columnOf(move);
  const about = (/** @type {number} */ x, /** @type {number} */ value) =>
    `Column ${COLUMN_NAMES[x]}: ${signed(value)}. ${meaning(value, at.ply)}${x === next ? ". This move was played" : ""}.`;
  return chips.draw(row, { best, next, about });
}

function whyNoValues() {
  if (shown().isOver || (isGame() && at.ply === plies)) return "end of the game";
  return "rb".includes(at.track.kind || "-") ? "best play by both" : "values not computed";
}

const cells = range(height).map(() => range(width).map(() => html("td", {}, "empty")));
const caption = html("caption");
const valuesRow = html("tr");
const heads = range(width).map((x) => html("th", { scope: "col" }, gravity ? `column ${COLUMN_NAMES[x]}` : `${x + 1}`));
const rows = cells.map((row, y) =>
  html("tr", {}, html("th", { scope: "row" }, gravity ? `row ${height - y}` : rowName(y)), ...row));
export const table = html("table", {}, caption,
  html("thead", {}, html("tr", {}, html("th", { scope: "col" }, "row"), ...heads), valuesRow), html("tbody", {}, ...rows));

function describe() {
  caption.textContent = `Board after move ${at.ply}`;
  for (const [y, row] of cells.entries()) {
    for (const [x, node] of row.entries()) {
      const owner = shown().ownerOf(variant.cell(x, height - 1 - y));
      write(node, owner ? nameAt(owner - 1) : "empty");
    }
  }
  const row = shownRow().map((value) => html("td", {}, value === null ? "full" : typeof value === "number" ? signed(value) : value));
  valuesRow.replaceChildren(...(row.length ? [html("th", { scope: "row" }, "value"), ...row] : []));
}

/** Returns the board after a move that changed the result, for paper. @param {number} ply */
export function smallBoard(ply) {
  const small = new Board(variant);
  small.draw(game.positions[ply], game.moves[ply - 1], [betterRing(small, ply)]);
  return small.node;
}
