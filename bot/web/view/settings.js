// @ts-check
// Level, side and size of the board: one line that opens in place.
import { MOST_CELLS } from "../game.js";
import { html, write } from "./dom.js";
import { say } from "./words.js";

/** @typedef {import("../game.js").Game} Game */
/** @typedef {import("./words.js").Key} Key */

const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/** @param {string} name @param {string} legend @param {[string, string][]} choices @param {(value: string) => void} chosen */
function radios(name, legend, choices, chosen) {
  const labels = choices.map(([value, text]) => {
    const input = html("input", { type: "radio", name, value, onchange: () => chosen(value) });
    return html("label", {}, input, html("span", { class: name === "side" ? `p${value}` : null }, text));
  });
  return html("fieldset", { class: "radios" }, html("legend", {}, legend), html("div", {}, ...labels));
}

/** @param {Key} key @param {number} from @param {number} to @param {() => void} onchange */
function select(key, from, to, onchange) {
  const numbers = Array.from({ length: to - from + 1 }, (_, i) => String(from + i));
  const node = html("select", { onchange }, ...numbers.map((value) => html("option", { value }, value)));
  return { node, label: html("label", {}, say(key), node) };
}

export class SettingsView {
  /**
   * @param {HTMLElement} place
   * @param {{level(level: number): void, side(side: any): void, size(width: number, height: number, connect: number): void}} set
   */
  constructor(place, set) {
    this.place = place;
    this.summary = html("summary");
    const levels = LEVELS.map((level) => /** @type {[string, string]} */ ([String(level), String(level)]));
    const sides = ["1", "2", "both"].map((side) => /** @type {[string, string]} */ ([side, say(/** @type {Key} */ (`choose ${side}`))]));
    this.level = radios("level", say("level legend"), levels, (value) => set.level(Number(value)));
    this.about = html("p", { class: "muted" });
    this.side = radios("side", say("side legend"), sides, (value) => set.side(value === "both" ? value : Number(value)));
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
    this.#check(this.level, String(game.level), (value) => value === "10" && cells > MOST_CELLS);
    write(this.about, say(cells > MOST_CELLS ? "level limit" : "level about"));
    this.#check(this.side, String(game.side), () => false);
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

  /** @param {HTMLElement} group @param {string} chosen @param {(value: string) => boolean} isOff */
  #check(group, chosen, isOff) {
    for (const input of group.querySelectorAll("input")) {
      input.checked = input.value === chosen;
      input.disabled = isOff(input.value);
    }
  }
}
