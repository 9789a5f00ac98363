// @ts-check
// The bar: both players, whose turn it is in one sentence, and the buttons for what one does most.
import { button, html, svg, switchOff, write } from "./dom.js";
import { nameOf, say } from "./words.js";

/** @import { Game } from "../game.js" */
/** @import { Key } from "./words.js" */

const ICONS = {
  "to start": "M3 3v10M13 3 6 8l7 5z", "step back": "M11 3 4 8l7 5z",
  "step forward": "M5 3l7 5-7 5z", "to end": "M13 3v10M3 3l7 5-7 5z",
};

/** @param {keyof typeof ICONS} key @param {() => void} action */
function step(key, action) {
  const node = button("", action, { "aria-label": say(key), title: say(key) });
  const icon = svg("path", { d: ICONS[key] });
  node.append(svg("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" }, icon));
  return node;
}

/** @param {Key} key @param {(Node | string)[]} buttons */
const group = (key, ...buttons) => html("div", { class: "buttons", role: "group", "aria-label": say(key) }, ...buttons);

export class BarView {
  /** @param {HTMLElement} place @param {Record<string, () => void>} actions */
  constructor(place, actions) {
    this.players = [1, 2].map((player) => html("span", { class: `player p${player}` }));
    this.status = html("p", { class: "status" });
    this.hint = button(say("hint"), actions.hint, { title: `${say("hint")} (h)` });
    this.back = button(say("back"), actions.back, { title: `${say("back")} (u)` });
    this.fresh = button(say("new game"), actions.fresh, { title: `${say("new game")} (n)` });
    this.why = button(say("why"), actions.why, { title: `${say("why about")} (w)` });
    this.forward = button(say("forward"), actions.forward, { title: `${say("forward")} (r)` });
    const valuesTitle = `${say("values about")} (v)`;
    this.values = button(say("values"), actions.values, { title: valuesTitle, class: "switch", role: "switch" });
    this.from = button(say("play from here"), actions.playFromHere);
    this.edit = button(say("edit"), actions.edit, { "aria-expanded": "false" });
    this.ends = [step("to start", actions.toStart), step("step back", actions.back)];
    this.nexts = [step("step forward", actions.forward), step("to end", actions.toEnd)];
    this.main = group("actions", this.hint, this.back, this.fresh);
    this.steps = group("steps", ...this.ends, ...this.nexts);
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
      node.setAttribute("aria-current", String(!isOver && !isEdit && game.position.player === player));
    });
    write(this.status, status);
    for (const node of [this.main, this.forward]) node.hidden = !isPlay;
    for (const node of [this.steps, this.from, this.edit]) node.hidden = isPlay;
    for (const node of [this.hint, this.why]) node.hidden = isAlone;
    this.values.hidden = isAlone || !isPlay;
    if (isAlone) this.fresh.before(this.forward);
    else if (this.forward.parentElement === this.main) this.why.after(this.forward);
    switchOff(this.hint, isOver || game.isAwaited);
    switchOff(this.back, game.backTo < 0);
    switchOff(this.fresh, game.isEmpty);
    switchOff(this.why, game.cursor === 0 || isEdit || game.isAwaited);
    for (const node of [this.forward, ...this.nexts]) switchOff(node, game.forwardTo < 0 || isEdit);
    for (const node of this.ends) switchOff(node, game.cursor === 0 || isEdit);
    switchOff(this.from, isOver || isEdit);
    this.edit.setAttribute("aria-expanded", String(isEdit));
    this.values.setAttribute("aria-checked", String(showsValues));
  }
}
