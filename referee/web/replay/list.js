// @ts-check
// The list of moves.
import { html, isCommand } from "../../../protocol/web/dom.js";
import { outcomeOf } from "../board_parts.js";
import { changeAt, data, decisive, game, playerAt } from "./data.js";
import { at, isGame, jump } from "./steps.js";
import { changeText, remarkAt, timeAt, withStart } from "./words.js";

/** @import { Change } from "./data.js" */

/** @param {Change} change */
const markOf = ([, before, after]) => (after < 0 ? "??" : before > 0 ? "?" : "");

const rows = game.names.map((name, i) => moveRow(name, i + 1));
export const list = html("ol", { class: data.say ? "moves" : "moves pairs", "aria-label": "Moves", tabindex: 0 }, ...rows);
/** @type {Element | null} */
let current = null;

/** @param {string} name @param {number} ply */
function moveRow(name, ply) {
  const change = changeAt.get(ply);
  const about = change ? changeText(change) : ply <= data.o && "Opening: the referee made this move.";
  const thought = timeAt(ply) && `Answered after ${timeAt(ply)}${withStart(ply)}.`;
  const title = [`Move ${ply}.`, thought, about].filter(Boolean).join(" ");
  const kind = (ply <= data.o ? "opening" : "") + (ply === decisive ? " decisive" : "");
  const link = html("a", { href: `#${ply}`, title, class: kind },
    html("span", { class: "at" }, String(ply)), html("span", { class: `p${playerAt(ply - 1)}` }, name),
    html("b", {}, change ? markOf(change) : ""), html("span", { class: "ms" }, timeAt(ply)),
    remarkAt(ply) !== "" && html("q", {}, remarkAt(ply)), change ? html("i", {}, ...changeParts(change)) : null);
  link.addEventListener("click", (event) => {
    if (isCommand(event) || event.shiftKey) return;
    event.preventDefault();
    jump(ply);
  });
  return html("li", {}, link);
}

/** @param {Change} change */
function changeParts([, before, after, better]) {
  const change = `${outcomeOf(before)} → ${outcomeOf(after)}`;
  if (!better.length) return [change];
  return [html("span", {}, `${change},`), " ", html("span", {}, `better: ${[...better].sort().join(" ")}`)];
}

export function drawList() {
  current?.removeAttribute("aria-current");
  const row = rows[(isGame() ? at.ply : Math.min(at.ply, at.track.ply)) - 1];
  current = row?.firstElementChild ?? null;
  current?.setAttribute("aria-current", "step");
  const { scrollTop, clientHeight } = list;
  const from = row ? row.offsetTop - list.offsetTop : 0;
  const to = from + (row ? row.offsetHeight : 0);
  if (from < scrollTop || to > scrollTop + clientHeight) list.scrollTop = from - clientHeight / 2;
}
