// @ts-check
// The card: the last move, what it changed, and lines to play. Screen readers hear the same.
import { button, html, icon, write } from "../../../protocol/web/dom.js";
import { signed } from "../../../protocol/web/names.js";
import { bestOf } from "../board_parts.js";
import { changeAt, data, decisive, game, nameAt, playerAt, plies, playsOn, scores, shortened, values, variant, variation } from "./data.js";
import * as playOn from "./play_on.js";
import { at, enter, go, isGame, jump, leave } from "./steps.js";
import { changeText, meaning, placeText, remarkAt, shortLine, timeAt, valueText, withStart } from "./words.js";

/** @import { Change } from "./data.js" */

export const card = html("section", { class: "card", "aria-label": "This position" });
export const live = html("p", { class: "unseen", "aria-live": "polite" });
export const outcome = shortened(document.querySelector("#facts b")?.textContent ?? "");

export function drawCard() {
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const hadFocus = card.contains(focused);
  card.replaceChildren(...(isGame() ? gameCard() : variationCard()).filter((part) => part !== null && part !== false));
  const steps = /** @type {HTMLElement | null} */ (card.querySelector(".steps"));
  const here = /** @type {HTMLElement | null} */ (steps?.querySelector("[aria-current]"));
  if (steps && here) steps.scrollTop = here.offsetTop - steps.offsetTop - 36;
  if (!hadFocus) return;
  const next = card.contains(focused) ? focused : (here ?? card.querySelector("button"));
  (next ?? /** @type {HTMLElement} */ (document.querySelector(".buttons [title^=Forward]"))).focus({ preventScroll: true });
}

/** @param {number} player @param {string} text @param {string} aside */
const heading = (player, text, aside = "") =>
  html("p", { class: "what" }, html("span", { class: player ? `p${player}` : "" }, text), aside !== "" && html("span", { class: "muted" }, aside));
const muted = (/** @type {string} */ text) => html("p", { class: "muted" }, text);
const said = (/** @type {string} */ text) => html("p", { class: "said", tabindex: 0 }, text);
const lines = (/** @type {(HTMLElement | false)[]} */ ...buttons) => html("p", { class: "lines" }, ...buttons);

function gameCard() {
  const { ply } = at;
  const change = changeAt.get(ply);
  const value = values?.[ply];
  return [
    moveHeading(ply),
    change && playOn.note(change),
    ...(ply === plies ? ending() : [value != null && muted(valueText(value, ply))]),
    variant.steal && ply === 1 && scores?.[1].length ? stealValue(scores[1]) : null,
    remarkAt(ply) !== "" && said(`“${remarkAt(ply)}”`),
    change && lineButtons(change),
    ...playOn.card(),
  ].filter((part) => part !== undefined);
}

/** @param {number} ply */
function moveHeading(ply) {
  if (ply === 0) return heading(0, "The empty board");
  const move = placeText(game.names[ply - 1]);
  if (ply <= data.o) return heading(playerAt(ply - 1), `Opening: ${move}`, "made by the referee");
  return heading(playerAt(ply - 1), `${nameAt(ply - 1)} plays ${move}`, timeAt(ply) + withStart(ply));
}

/** @param {(number | null)[]} row */
function stealValue(row) {
  const score = 0 - bestOf(row); // without a negative zero
  return muted(`The steal: ${signed(score)}, ${meaning(score, 1)}.`);
}

/** @param {Change} change @param {string | null} [text] */
export function changeNote(change, text) {
  const isDecisive = change[0] + 1 === decisive;
  const words = text || changeText(change, isDecisive ? "it" : "This move");
  return html("p", { class: isDecisive ? "warn note" : "note" }, isDecisive && html("b", {}, "The decisive move: "), words);
}

/** @param {string} label @param {string[]} line @param {() => void} action */
export function lineButton(label, line, action) {
  const node = button("", action);
  node.append(icon("play"), ` ${label} `, html("span", { class: "muted" }, shortLine(line)));
  return node;
}

/** @param {Change} change */
function lineButtons([ply, , , , better, refutation]) {
  const open = (/** @type {string} */ kind) => () => enter(/** @type {import("./data.js").Track} */ (variation(ply + 1, kind)));
  return lines(refutation.length > 0 && lineButton("Refutation", refutation, open("r")), better.length > 0 && lineButton("Better", better, open("b")));
}

function ending() {
  const { f: fault } = data;
  /** @type {HTMLElement[]} */
  const parts = [html("p", { class: "note" }, html("b", {}, outcome))];
  if (fault) parts.push(said(`${fault.bot}${plies ? ` at move ${fault.ply + 1}` : ""}: ${fault.fault}, ${fault.detail}`));
  if (fault?.line != null) parts.push(html("pre", { tabindex: 0 }, fault.line));
  if (decisive && decisive !== plies) {
    const node = button("", () => jump(decisive), { title: "The last move that changed the result (d)" });
    node.append(icon("play"), ` The decisive move: move ${decisive}`);
    parts.push(lines(node));
  }
  return parts;
}

function variationCard() {
  const { kind, from, ply, names } = at.track;
  const move = kind !== "p" && placeText(game.names[ply - 1]);
  const words = kind === "p" ? "Your variation" : kind === "r" ? `Refutation of ${move}` : `Better than ${move}`;
  const steps = names.slice(from).map((name, i) => button(name, () => go(from + i + 1), {
    class: `p${playerAt(from + i)}`, "aria-current": at.ply === from + i + 1 && "step", "aria-label": `Step ${i + 1}: ${placeText(name)}`,
  }));
  return [
    html("p", { class: "what" }, html("b", {}, words), html("span", { class: "muted" }, `variation after move ${from}`)),
    html("p", { class: "steps" }, ...steps),
    kind !== "p" && muted("These moves were not played. In them, both players play their best, as the solver has found."),
    ...playOn.card(),
    lines(button("Back to the game", leave, { title: "Back to the game (Escape)" })),
  ];
}

/** Says to screen readers which move was made, and what it changed. */
export function announce() {
  const { ply, track: { by, from, names } } = at;
  const player = by?.[ply - from - 1];
  const made = ply > 0 && `${player ? `${player}, ` : `${nameAt(ply - 1)} plays `}${placeText(names[ply - 1])}.`;
  if (!isGame()) {
    const step = ply > from ? `Variation, move ${ply - from}: ${made}` : "Start of the variation.";
    return write(live, [step, playsOn && playOn.ending()].filter(Boolean).join(" "));
  }
  if (!made) return write(live, plies ? "Before the first move: the empty board." : outcome);
  const change = changeAt.get(ply);
  return write(live, [`Move ${ply}, ${made}`, change && changeText(change), ply === plies && outcome].filter(Boolean).join(" "));
}
