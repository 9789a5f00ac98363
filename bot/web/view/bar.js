// @ts-check
// The bar: both players, whose turn it is in one sentence, and the buttons for what one does most.
import { button, html, iconButton, switchOff, write } from "../../../protocol/web/dom.js";
import { nameOf, say } from "./words.js";

/** @import { Game } from "../game.js" */
/** @import { Key } from "./words.js" */
/** What helps a person who plays. A new game begins without it unless it is pinned.
    @typedef {{ values: boolean, threats: boolean, isPinned: boolean }} Aids */

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
    this.forward = button(say("forward"), actions.forward, { class: "forward", title: `${say("forward")} (r)` });
    const valuesTitle = `${say("values about")} (v)`;
    const isSwitch = { class: "switch", role: "switch" };
    this.values = button(say("values"), actions.values, { ...isSwitch, title: valuesTitle });
    this.threats = button(say("threats"), actions.threats, { ...isSwitch, title: `${say("threats about")} (t)` });
    this.pin = iconButton("pin", say("pin about"), actions.pin, { class: "pin" });
    this.from = button(say("play from here"), actions.playFromHere);
    this.edit = button(say("edit"), actions.edit, { class: "edit", "aria-expanded": "false" });
    this.ends = [iconButton("first", say("to start"), actions.toStart), iconButton("back", say("step back"), actions.back)];
    this.nexts = [iconButton("forward", say("step forward"), actions.forward), iconButton("last", say("to end"), actions.toEnd)];
    this.main = group("actions", this.hint, this.back, this.fresh);
    this.next = button("", actions.next);
    this.helps = [button(say("hint"), actions.hint), button(say("show solution"), actions.solve)];
    this.find = group("actions", ...this.helps, this.next);
    this.steps = group("steps", ...this.ends, ...this.nexts);
    this.more = html("div", { class: "buttons more" }, this.why, this.forward, this.from, this.edit);
    this.more.append(html("span", { class: "switches" }, this.values, this.threats, this.pin));
    this.names = html("div", { class: "players" }, ...this.players);
    this.legend = html("p", { class: "muted" }, say("threats legend"));
    place.append(this.names, this.status, this.main, this.find, this.steps, this.more, this.legend);
  }

  /** @param {Game} game @param {{status: string, isOver: boolean, aids: Aids, isEdit: boolean, isFound: boolean}} shown
        `isFound` says that the exercise is over: it is solved, or its solution was shown */
  draw(game, { status, isOver, aids, isEdit, isFound }) {
    const isLearn = game.mode === "learn";
    const isPlay = game.mode === "play";
    const isAlone = isPlay && game.side === "both";
    this.players.forEach((node, i) => {
      const player = /** @type {1 | 2} */ (i + 1);
      write(node, nameOf(game, player));
      node.setAttribute("aria-current", String(!isOver && !isEdit && game.position.player === player));
    });
    write(this.status, status);
    this.names.hidden = isLearn || game.isFresh;
    this.find.hidden = !isLearn;
    for (const node of this.helps) switchOff(node, isFound);
    write(this.next, say(isFound ? "next" : "skip"));
    this.next.className = isFound ? "first" : "";
    this.main.hidden = !isPlay || game.isFresh;
    this.more.hidden = game.isFresh && !aids.values && !aids.threats;
    this.forward.hidden = !isPlay || game.forwardTo < 0;
    for (const node of [this.steps, this.from, this.edit]) node.hidden = game.mode !== "analyse";
    this.hint.hidden = isAlone || isOver;
    this.why.hidden = isAlone || isLearn || game.isFresh;
    this.pin.hidden = !isPlay || !(aids.values || aids.threats || aids.isPinned);
    this.values.hidden = isAlone || !isPlay;
    switchOff(this.hint, isOver || game.isAwaited);
    switchOff(this.back, game.backTo < 0);
    switchOff(this.why, game.cursor === 0 || isEdit || game.isAwaited);
    for (const node of this.nexts) switchOff(node, game.forwardTo < 0 || isEdit);
    for (const node of this.ends) switchOff(node, game.cursor === 0 || isEdit);
    switchOff(this.from, isOver || isEdit);
    this.edit.setAttribute("aria-expanded", String(isEdit));
    this.values.setAttribute("aria-checked", String(aids.values));
    this.threats.setAttribute("aria-checked", String(aids.threats));
    this.pin.setAttribute("aria-pressed", String(aids.isPinned));
    this.legend.hidden = !aids.threats;
  }
}
