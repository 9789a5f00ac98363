// @ts-check
// Buttons, keys and the help.
import { button, html, icon, iconButton, isCommand, switchOff } from "../../../protocol/web/dom.js";
import { board, drawBoard, hasChips } from "./board.js";
import { plies, playsOn, scores, values } from "./data.js";
import { look } from "./engine.js";
import { columnOf } from "./play_on.js";
import { at, back, forward, go, isGame, leave, nextChange, SPEEDS, toggle } from "./steps.js";

const toStart = () => go(at.track.from);
const toEnd = () => go(at.track.moves.length);

const buttons = {
  first: iconButton("first", "First position", toStart, { title: "First position (Home)" }),
  back: iconButton("back", "Back", back, { title: "Back (left arrow)" }),
  play: iconButton("play", "Play", toggle),
  forward: iconButton("forward", "Forward", forward, { title: "Forward (right arrow)" }),
  last: iconButton("last", "Last position", toEnd, { title: "Last position (End)" }),
};
const scrubber = html("input", { type: "range", min: 0, max: plies, step: 1, "aria-label": "Move", oninput: () => go(+scrubber.value) });
const counter = html("span", { class: "counter", title: "Moves that were made, with those of the opening" });
const speedButton = button("", () => setSpeed((at.speed + 1) % SPEEDS.length), { title: "Speed of playing: slow, normal or fast" });

/** @param {number} speed */
function setSpeed(speed) {
  const [name, text] = SPEEDS[speed];
  at.speed = speed;
  speedButton.textContent = text;
  speedButton.setAttribute("aria-label", `Speed ${text}: ${name}`);
}

setSpeed(at.speed);
export const controls = html("div", { class: "controls", role: "group", "aria-label": "Steps" },
  html("div", { class: "buttons" }, ...Object.values(buttons)), scrubber, counter, speedButton);

export function drawControls() {
  const { track: { from, moves: { length } }, ply } = at;
  for (const node of [buttons.first, buttons.back]) switchOff(node, isGame() && ply === 0);
  for (const node of [buttons.forward, buttons.last]) switchOff(node, ply === length);
  switchOff(buttons.play, length === 0);
  Object.assign(scrubber, { min: from, max: length, value: ply, disabled: length === from });
  counter.textContent = isGame() ? `move ${ply} of ${length}` : `step ${ply - from} of ${length - from}`;
  scrubber.setAttribute("aria-valuetext", counter.textContent);
  const label = at.timer ? "Pause" : "Play";
  buttons.play.replaceChildren(icon(at.timer ? "pause" : "play"));
  buttons.play.setAttribute("aria-label", label);
  buttons.play.title = `${label} (space)`;
}

const flipButton = button("Swap colours", flip, { "aria-pressed": "false", title: "Swap the colours of the stones (f)" });
const valuesButton = hasChips && button("Values", toggleValues, {
  "aria-pressed": String(Boolean(scores)), title: "Show the values of all columns (v)",
});
const helpButton = button("Help", () => help.showModal(), { title: "Keys and how to read this page (?)" });
export const options = [valuesButton, flipButton, helpButton];

function flip() {
  flipButton.setAttribute("aria-pressed", String(document.documentElement.classList.toggle("flipped")));
}

function toggleValues() {
  if (valuesButton) valuesButton.setAttribute("aria-pressed", String(!board.node.classList.toggle("plain")));
  look();
  drawBoard();
}

const KEYS = [
  ...(playsOn ? [["1", "2", "…", "play a column"]] : []),
  ["←", "→", "back, forward"], ["Home", "End", "first, last position"], ["space", "play, pause"], ["d", "next move that changed the result"],
  ["v", "values on or off"], ["f", "swap colours"], ["Esc", "back to the game"], ["?", "this help"],
];
export const help = html("dialog", { "aria-label": "Help" },
  html("h2", {}, "Keys"),
  html("dl", { class: "keys" }, ...KEYS.flatMap((entry) => [
    html("dt", {}, ...entry.slice(0, -1).map((name) => html("kbd", {}, name))), html("dd", {}, entry[entry.length - 1])])),
  html("h2", {}, "Moves"),
  html("p", {}, "The moves of both players and of the opening are counted together. Move 17 is the 17th of them, and the position after it."),
  hasChips && html("h2", {}, "Values"),
  hasChips && html("p", {}, "Values are exact. They are those of the player to move: + is a win, 0 is a draw, − is a loss. The number is 1 plus " +
    "the stones that the winner will have left. So a larger number means that the game ends sooner."),
  values !== undefined && html("p", {}, "? marks a move that turns a win into a draw. ?? marks a move that turns a win or a draw into a loss. " +
    "The last of these moves is the decisive move."),
  html("form", { method: "dialog" }, html("button", {}, "Close")));

/** @type {Record<string, () => void>} */
const ACTIONS = {
  ArrowLeft: back, ArrowRight: forward, Home: toStart, End: toEnd, " ": toggle,
  d: nextChange, v: toggleValues, f: flip, "?": () => help.showModal(), Escape: leave,
};

/** @param {KeyboardEvent} event */
export function pressed(event) {
  const target = /** @type {Element} */ (event.target);
  const column = columnOf(event.key);
  const action = ACTIONS[event.key] || column;
  if (!action || isCommand(event) || help.open) return;
  if (event.key === " " && target.closest("button, a, summary")) return;
  if (target.closest("select") && !column) return;
  event.preventDefault();
  if (!event.repeat || event.key.length > 1) action();
}
