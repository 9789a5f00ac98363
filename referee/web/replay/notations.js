// @ts-check
// The position in every notation, to copy.
import { isCopied } from "../../../protocol/web/copy.js";
import { button, html, switchOff } from "../../../protocol/web/dom.js";
import { writeMoves, writePrecept } from "../../../protocol/web/names.js";
import { data, variant } from "./data.js";
import { at, hash, inNotebook, shown } from "./steps.js";

const { width, height, connect, gravity, steal } = variant;
const isLine8 = width === 8 && height === 8 && connect === 4 && !gravity && String(data.d) === "horizontal,vertical";
const isSolvable = isLine8 || (gravity && !data.d && width * (height + 1) <= 128); // bits of a board in c4-solve

const isInSite = data.n !== null && document.querySelector("link[rel=stylesheet]") !== null; // and no single file

function address() {
  if (location.protocol.startsWith("http")) return location.href.split("#")[0];
  return location.pathname.split("/").slice(-2).join("/");
}

const moveString = () => writeMoves(variant, at.track.moves.slice(0, at.ply));

function solveCommand() {
  const moves = moveString();
  const size = `${width}x${height}${connect === 4 ? "" : `x${connect}`}${steal ? "+steal" : ""}`;
  const rules = isLine8 ? " --variant line8" : size === "7x6" ? "" : ` --variant ${size}`;
  return `echo ${moves.includes(" ") ? `"${moves}"` : moves}${moves ? " " : ""}| c4-solve${rules}${gravity ? " --all" : ""}`;
}

/** @type {[string, string, () => string, boolean?][]} */
const NOTATIONS = [
  ["link", "Address of this position", () => address() + hash(), !inNotebook],
  ["moves", "Move string: the columns that were played", moveString],
  ["precept", "Precept: what a referee sends to a bot that is to move", () => (shown().isOver ? "" : writePrecept(shown()))],
  ["file", "Command that writes this replay as one file, to send; RESULTS is the folder of the games",
    () => `c4-referee report RESULTS --game ${data.n} --out game.html`, isInSite],
  ["c4-solve", "Command that computes the exact values", () => (shown().isOver ? "" : solveCommand()), isSolvable],
];

const rows = NOTATIONS.filter(([, , , isOffered = true]) => isOffered).map(([name, about, text]) => {
  const code = html("code");
  const copier = button("copy", async () => {
    await isCopied(code.textContent ?? "");
    copier.focus({ preventScroll: true });
    copier.textContent = "copied";
    setTimeout(() => { copier.textContent = "copy"; }, 1500);
  }, { "aria-label": `Copy ${name}` });
  return { text, code, copier, node: html("div", {}, html("dt", { title: about }, name), html("dd", {}, copier, code)) };
});
export const notations = html("dl", { class: "notations" }, ...rows.map(({ node }) => node));

export function drawNotations() {
  for (const { text, code, copier } of rows) {
    const value = text();
    code.textContent = value || (at.ply ? "the game is over" : "the empty board");
    code.title = value;
    switchOff(copier, !value);
  }
}
