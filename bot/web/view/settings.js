// @ts-check
// Level, side and a puzzle: one line that is in sight before a game. During a game, it is in the details, as is the size
// of the board.
import { MOST_CELLS } from "../game.js";
import { numbersOf } from "../learn/puzzles.js";
import { range } from "../../../protocol/web/rules.js";
import { button, html, write } from "../../../protocol/web/dom.js";
import { say } from "./words.js";

/** @import { Game } from "../game.js" */
/** @import { Key } from "./words.js" */
/** @typedef {{level(level: number): void, side(side: Game["side"]): void,
      size(width: number, height: number, connect: number): void, puzzle(): void}} Actions */

const SIDES = /** @type {const} */ ([1, 2, "both"]);

/** @param {Key} key @param {number} from @param {number} to @param {() => void} onchange */
function select(key, from, to, onchange) {
  const options = range(to + 1).slice(from).map((value) => html("option", { value }, String(value)));
  const node = html("select", { onchange }, ...options);
  return { node, label: html("label", {}, say(key), node) };
}

export class SettingsView {
  /** @param {HTMLElement} place @param {Actions} set */
  constructor(place, set) {
    this.place = place;
    this.level = html("input", { type: "range", min: 1, "aria-label": say("level legend") });
    this.level.oninput = () => set.level(Number(this.level.value));
    this.levelText = html("span", { "aria-hidden": "true" });
    this.scale = html("label", { class: "scale" }, this.levelText, html("span", { class: "bars" }), this.level);
    const sides = SIDES.map((side) => html("option", { value: side }, say(`side ${side}`)));
    this.side = html("select", { "aria-label": say("side legend") }, ...sides);
    this.side.onchange = () => set.side(SIDES[this.side.selectedIndex]);
    const puzzle = numbersOf("easy").length > 0 && button(say("today"), set.puzzle);
    this.line = html("div", { class: "choices" }, this.scale, this.side, puzzle);
    const sized = () => {
      const [width, height, connect] = this.sizes.map(({ node }) => Number(node.value));
      set.size(width, height, Math.min(connect, Math.max(width, height)));
    };
    this.sizes = [select("columns", 3, 11, sized), select("rows", 3, 10, sized), select("connect", 3, 6, sized)];
    const sizes = html("fieldset", { class: "sizes", "aria-label": say("board legend") });
    sizes.append(...this.sizes.map(({ label }) => label), html("p", { class: "muted" }, say("board about")));
    this.about = html("p", { class: "muted" });
    this.summary = html("summary");
    this.details = html("details", {}, this.summary, this.about, sizes);
    place.append(this.line, this.details);
  }

  /** @param {Game} game */
  draw(game) {
    const { level, side, isFresh, variant: { width, height, connect, cells } } = game;
    this.place.hidden = game.mode !== "play";
    const before = isFresh ? this.details : this.about;
    if (this.line.nextSibling !== before) before.before(this.line);
    const isLimited = cells > MOST_CELLS;
    this.level.max = isLimited ? "9" : "10";
    this.level.value = String(level);
    this.scale.style.setProperty("--level", this.level.value);
    this.scale.style.setProperty("--most", this.level.max);
    write(this.levelText, say("level", { level }));
    this.side.selectedIndex = SIDES.indexOf(side);
    this.scale.title = say(isLimited ? "level limit" : "level about");
    write(this.about, this.scale.title);
    this.scale.hidden = side === "both";
    this.about.hidden = side === "both" || isFresh;
    [width, height, connect].forEach((value, i) => {
      this.sizes[i].node.value = String(value);
    });
    for (const option of this.sizes[2].node.options) option.disabled = Number(option.value) > Math.max(width, height);
    const chosen = isFresh ? [say("board legend")] : [side !== "both" && say("level", { level }), say(`side ${side}`)];
    const parts = [...chosen, `${width} × ${height}`, connect !== 4 && say("summary connect", { connect })];
    write(this.summary, parts.filter(Boolean).join(" · "));
  }
}
