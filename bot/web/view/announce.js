// @ts-check
// Says texts to screen readers. Regions take turns: a text that is repeated is said again, and the text before it stays
// until it is read.
import { html } from "../../../protocol/web/dom.js";

const regions = [0, 1, 2].map(() => html("p", { class: "unseen", "aria-live": "polite" }));
document.body.append(...regions);

/** @param {string} text */
export function announce(text) {
  const [next, after, before] = regions;
  next.textContent = text;
  after.textContent = "";
  regions.splice(0, 3, after, before, next);
}
