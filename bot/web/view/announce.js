// @ts-check
// Says texts to screen readers. Two regions take turns, so that a text that is repeated is said again.
import { html } from "./dom.js";

const regions = [0, 1].map(() => html("p", { class: "unseen", "aria-live": "polite" }));
document.body.append(...regions);
let turn = 0;

/** @param {string} text */
export function announce(text) {
  regions[turn].textContent = "";
  turn = 1 - turn;
  regions[turn].textContent = text;
}
