// @ts-check
// Buttons that copy the game or the position as text.
import { announce } from "./announce.js";
import { isCopied } from "../../../protocol/web/copy.js";
import { button, html } from "../../../protocol/web/dom.js";
import { say } from "./words.js";

/** @import { Key } from "./words.js" */

/** @param {string} text @param {HTMLElement} source */
export const copy = (text, source) => sayCopied(isCopied(text), source);

/** @param {Promise<boolean>} copied @param {HTMLElement} source the button, which says for a moment that it is done */
export async function sayCopied(copied, source) {
  const label = source.dataset.label ?? source.textContent ?? "";
  source.dataset.label = label;
  const isDone = await copied;
  source.focus({ preventScroll: true });
  source.textContent = say(isDone ? "copied" : "not copied");
  announce(say(isDone ? "copied what" : "not copied", { what: label }));
  setTimeout(() => {
    source.textContent = label;
  }, 1500);
}

/** @param {HTMLElement} place @param {Record<"link" | "moves" | "precept" | "svg", () => string>} texts */
export function addCopies(place, texts) {
  const group = html("div", { class: "copies", role: "group", "aria-label": say("copy") });
  group.append(html("span", { class: "muted" }, say("copy")));
  for (const [name, text] of Object.entries(texts)) {
    const node = button(say(/** @type {Key} */ (`copy ${name}`)), () => copy(text(), node));
    group.append(node);
  }
  place.append(group);
}
