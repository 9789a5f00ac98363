// @ts-check
// The bar: both players, whose turn it is in one sentence, and the buttons for what one does most.
import { button, html, switchOff, write } from "./dom.js";
import { nameOf, say } from "./words.js";

/** @typedef {import("../game.js").Game} Game */

export class BarView {
  /** @param {HTMLElement} place @param {Record<string, () => void>} actions */
  constructor(place, actions) {
    this.players = [1, 2].map((player) => html("span", { class: `player p${player}` }));
    this.status = html("p", { class: "status" });
    this.hint = button(say("hint"), actions.hint, { title: "h" });
    this.back = button(say("back"), actions.back, { title: "u" });
    this.fresh = button(say("new game"), actions.fresh, { title: "n" });
    this.why = button(say("why"), actions.why, { title: `${say("why about")} (w)` });
    this.forward = button(say("forward"), actions.forward, { title: "r" });
    this.values = button(say("values"), actions.values, { title: `${say("values about")} (v)`, class: "switch", role: "switch" });
    this.from = button(say("play from here"), actions.playFromHere);
    this.edit = button(say("edit"), actions.edit, { "aria-expanded": "false" });
    const icon = (/** @type {import("./words.js").Key} */ key, /** @type {string} */ sign, /** @type {() => void} */ action) =>
      button(sign, action, { "aria-label": say(key), title: say(key), class: "step" });
    this.ends = [icon("to start", "⏮\ufe0e", actions.toStart), icon("step back", "◀\ufe0e", actions.back)];
    this.nexts = [icon("step forward", "▶\ufe0e", actions.forward), icon("to end", "⏭\ufe0e", actions.toEnd)];
    this.main = html("div", { class: "buttons", role: "group", "aria-label": say("actions") });
    this.main.append(this.hint, this.back, this.fresh);
    this.steps = html("div", { class: "buttons", role: "group", "aria-label": say("steps") });
    this.steps.append(...this.ends, ...this.nexts);
    this.more = html("div", { class: "buttons more" }, this.why, this.forward, this.from, this.edit, this.values);
    place.append(html("div", { class: "players" }, ...this.players), this.status, this.main, this.steps, this.more);
  }

  /** @param {Game} game @param {{status: string, isOver: boolean, showsValues: boolean, isEdit: boolean}} shown */
  draw(game, { status, isOver, showsValues, isEdit }) {
    const isPlay = game.mode === "play";
    const isAlone = isPlay && game.side === "both";
    this.players.forEach((node, i) => {
      const player = /** @type {1 | 2} */ (i + 1);
      write(node, nameOf(game, player));
      node.classList.toggle("turn", !isOver && !isEdit && game.position.player === player);
    });
    write(this.status, status);
    for (const node of [this.main, this.values]) node.hidden = !isPlay;
    for (const node of [this.steps, this.from, this.edit]) node.hidden = isPlay;
    for (const node of [this.hint, this.why, this.values]) node.hidden = isAlone || (node !== this.why && !isPlay);
    this.forward.hidden = !isPlay;
    switchOff(this.hint, isOver || game.isAwaited);
    switchOff(this.back, game.backTo < 0);
    switchOff(this.fresh, game.line.length === 0);
    switchOff(this.why, game.cursor === 0 || isEdit);
    for (const node of [this.forward, ...this.nexts]) switchOff(node, game.forwardTo < 0 || isEdit);
    for (const node of this.ends) switchOff(node, game.cursor === 0 || isEdit);
    switchOff(this.from, isOver || isEdit);
    this.edit.setAttribute("aria-expanded", String(isEdit));
    this.values.setAttribute("aria-checked", String(showsValues));
  }
}
