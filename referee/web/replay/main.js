// @ts-check
// The replay of a game: builds the page around the board, and follows the address and the keys.
import { html, ignoreSwitchedOff, place } from "../../../protocol/web/dom.js";
import { board, drawBoard, smallBoard, table } from "./board.js";
import { announce, card, drawCard, live } from "./card.js";
import { controls, drawControls, help, options, pressed } from "./controls.js";
import { curveNode, drawCurve, saveCurve } from "./curve.js";
import { changes, game, nameAt, plies, playsOn } from "./data.js";
import * as engine from "./engine.js";
import { drawList, list } from "./list.js";
import { drawNotations, notations } from "./notations.js";
import { columnButtons, read } from "./play_on.js";
import { saveButton } from "./send.js";
import { begin, inNotebook, isGame } from "./steps.js";
import { changeText } from "./words.js";

// For paper: the moves that changed the result as small boards.
const keyPositions = changes.slice(-6).map((change) => html("figure", {}, smallBoard(change[0] + 1),
  html("figcaption", {}, `Move ${change[0] + 1}: ${nameAt(change[0])} plays ${game.names[change[0]]}. ${changeText(change)}`)));

const root = place("game");
root.style.setProperty("--ratio", String(board.width / (board.height + board.above)));
root.className = "replay";
root.replaceChildren(
  html("div", { class: "stage" }, board.node, playsOn && columnButtons(), html("div", { class: "unseen" }, table), controls),
  html("div", { class: "side" }, curveNode, card, plies > 0 && list),
  html("div", { class: "tools" }, notations, html("div", { class: "options" }, ...options, saveButton, saveCurve)),
  html("div", { class: "paper" }, ...keyPositions), live, help);
if (inNotebook || location.search === "?embed") document.documentElement.classList.add("embed");
ignoreSwitchedOff();
document.addEventListener("keydown", pressed);
const drawKind = () => root.classList.toggle("variation", !isGame());
begin([engine.begin, drawBoard, drawControls, drawCurve, drawCard, drawList, drawNotations, drawKind, announce], read);
