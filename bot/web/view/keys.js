// @ts-check
// Keys of the page, and a list of them with what values mean.
import { COLUMN_NAMES } from "../notation.js";
import { button, html } from "./dom.js";
import { say } from "./words.js";

/** @typedef {import("./words.js").Key} Key */
/** @typedef {{column(x: number): void, width(): number, letters: Record<string, () => void>, arrow(name: string): void}} Actions */

/** @type {[string[], Key][]} */
const LIST = [
  [["1", "…", "9"], "key columns"], [["a", "b"], "key letters"], [["←", "→", "↑", "↓"], "key arrows"],
  [["Enter", "Space"], "key enter"], [["←", "→", "Home", "End"], "key steps"],
  ...["u", "r", "h", "v", "w", "n", "m", "?"].map((key) => /** @type {[string[], Key]} */ ([[key], `key ${key}`])),
];

const ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];

/** @param {Actions} actions */
export function listenToKeys({ column, width, letters, arrow }) {
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof Element)) return;
    if (target.closest("textarea, select, dialog") || (key.length > 1 && target.matches("input"))) return;
    const x = COLUMN_NAMES.indexOf(key);
    const action = x >= 0 && x < width() ? () => column(x) : (letters[key] ?? (ARROWS.includes(key) ? () => arrow(key) : null));
    if (!action) return;
    event.preventDefault();
    action();
  });
}

/** Returns the help and the button that opens it. */
export function helpOf() {
  const rows = LIST.flatMap(([keys, text]) => [html("dt", {}, ...keys.map((key) => html("kbd", {}, key))), html("dd", {}, say(text))]);
  const close = html("form", { method: "dialog" }, html("button", {}, say("close")));
  const dialog = html("dialog", { "aria-label": say("help") }, html("h2", { tabindex: -1, autofocus: true }, say("keys")), html("dl", { class: "keys" }, ...rows));
  dialog.append(html("h2", {}, say("values")), html("p", {}, say("values about")), close);
  const open = button("?", () => dialog.showModal(), { "aria-label": say("help"), title: `${say("help")} (?)`, class: "help" });
  return { open, dialog };
}
