// @ts-check
// Level, side and size of the board: one line that opens in place.
import { MOST_CELLS } from "../game.js";
import { range } from "../../../protocol/web/rules.js";
import { check, html, radios, write } from "../../../protocol/web/dom.js";
import { say } from "./words.js";

/** @import { Game } from "../game.js" */
/** @import { Key } from "./words.js" */
/** @typedef {{level(level: number): void, side(side: Game["side"]): void,
      size(width: number, height: number, connect: number): void}} Actions */

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
    this.summary = html("summary");
    const levels = range(11).slice(1).map((level) => /** @type {[number, string]} */ ([level, String(level)]));
    this.level = radios("level", say("level legend"), set.level, ...levels);
    this.about = html("p", { class: "muted" });
    const [first, second, both] = [say("choose 1"), say("choose 2"), say("choose both")];
    this.side = radios("side", say("side legend"), set.side, [1, first, "p1"], [2, second, "p2"], ["both", both]);
    const sized = () => {
      const [width, height, connect] = this.sizes.map(({ node }) => Number(node.value));
      set.size(width, height, Math.min(connect, Math.max(width, height)));
    };
    this.sizes = [select("columns", 3, 11, sized), select("rows", 3, 10, sized), select("connect", 3, 6, sized)];
    const sizes = html("fieldset", { class: "sizes" }, html("legend", {}, say("board legend")));
    sizes.append(...this.sizes.map(({ label }) => label), html("p", { class: "muted" }, say("board about")));
    place.append(html("details", {}, this.summary, this.side, this.level, this.about, sizes));
  }

  /** @param {Game} game */
  draw(game) {
    this.place.hidden = game.mode !== "play";
    const { width, height, connect, cells } = game.variant;
    write(this.summary, this.#summary(game));
    check(this.level, game.level, (value) => value === "10" && cells > MOST_CELLS);
    write(this.about, say(cells > MOST_CELLS ? "level limit" : "level about"));
    check(this.side, game.side);
    this.level.hidden = this.about.hidden = game.side === "both";
    [width, height, connect].forEach((value, i) => {
      this.sizes[i].node.value = String(value);
    });
    for (const option of this.sizes[2].node.options) option.disabled = Number(option.value) > Math.max(width, height);
  }

  /** @param {Game} game */
  #summary({ level, side, variant: { width, height, connect } }) {
    const key = side === "both" ? "summary both" : "summary";
    const summary = say(key, { level, side: say(/** @type {Key} */ (`side ${side}`)), width, height });
    return connect === 4 ? summary : say("summary connect", { summary, connect });
  }
}
