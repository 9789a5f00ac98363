// @ts-check
// Keys of the page, and a list of them with what values mean.
import { button, html, isCommand } from "../../../protocol/web/dom.js";
import { say } from "./words.js";

/** @import { Key } from "./words.js" */

/** @type {[string[], Key][]} */
const LIST = [
  [["1", "…", "9"], "key columns"], [["a", "b"], "key letters"], [["←", "→", "↑", "↓"], "key arrows"],
  [["Enter", say("name Space")], "key enter"],
  [["←", "→", say("name Home"), say("name End")], "key steps"],
  ...[..."urhvtwnmls?"].map((key) => /** @type {[string[], Key]} */ ([[key], `key ${key}`])),
  [["Esc"], "key escape"],
];

const SCROLLING = ["ArrowUp", "ArrowDown", "Home", "End"];
const DOUBLE_MS = 250;

/** @param {(key: string) => (() => void) | undefined} actionOf */
export function listenToKeys(actionOf) {
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.defaultPrevented || isCommand(event) || !(target instanceof Element)) return;
    const isField = target.closest("textarea, select") !== null || (key.length > 1 && target.matches("input"));
    if (target.closest("dialog") || (key !== "Escape" && isField)) return;
    const scrolls = SCROLLING.includes(key) && document.documentElement.scrollHeight > innerHeight;
    if (scrolls || (event.repeat && key.length === 1)) return;
    const action = actionOf(key);
    if (!action) return;
    event.preventDefault();
    action();
  });
}

/** Returns an action for a column that ignores the second click of a double click.
    @param {(x: number) => void} action */
export function withoutDoubles(action) {
  let [column, time] = [-1, 0];
  return (/** @type {number} */ x) => {
    const isDouble = x === column && performance.now() - time < DOUBLE_MS;
    [column, time] = [x, performance.now()];
    if (!isDouble) action(x);
  };
}

/** Returns the help and the button that opens it. */
export function helpOf() {
  const rows = LIST.flatMap(([keys, text]) => {
    const names = keys.map((key) => html("kbd", {}, key));
    return [html("dt", {}, ...names), html("dd", {}, say(text))];
  });
  const title = html("h2", { tabindex: -1, autofocus: "" }, say("keys"));
  const dialog = html("dialog", { "aria-label": say("help") }, title, html("dl", { class: "keys" }, ...rows));
  const close = html("form", { method: "dialog" }, html("button", {}, say("close")));
  dialog.append(html("h2", {}, say("values")), html("p", {}, say("values about")), close);
  const label = say("help");
  const open = button("?", () => dialog.showModal(), { "aria-label": label, title: `${label} (?)`, class: "help" });
  return { open, dialog };
}
