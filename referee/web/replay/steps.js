// @ts-check
// The position that is shown: how one steps to another one, and its place in the address.
import { changes, decisive, game, plies, variation } from "./data.js";

/** @import { Track } from "./data.js" */

export const SPEEDS = /** @type {const} */ ([["slow", "½×", 1600], ["normal", "1×", 800], ["fast", "3×", 270]]);
export const inNotebook = location.protocol === "about:";

/** What is shown: a position of a track. */
export const at = { track: game, ply: plies, speed: 1, timer: 0, isOpen: false };
export const shown = () => at.track.positions[at.ply];
export const isGame = () => at.track === game;
/** Whether the data may have values of this position. */
export const isKnown = () => isGame() || at.ply <= at.track.from;
/** @type {(() => void)[]} what draws the position, in this order */
const followers = [];

/** @param {Track} track @param {number} ply */
function show(track, ply, isNew = false) {
  at.track = track;
  at.ply = Math.max(0, Math.min(ply, track.moves.length));
  for (const draw of followers) draw();
  if (inNotebook || !at.isOpen) return; // the place that was opened stays as it is
  history[isNew && location.hash !== hash() ? "pushState" : "replaceState"](null, "", hash());
}

/** The place of the position in the address. */
export function hash() {
  const { track, ply } = at;
  if (isGame()) return `#${ply}`;
  if (track.kind !== "p") return `#${track.ply}${track.kind}${ply - track.from}`;
  const steps = ply < track.moves.length ? `-${ply - track.from}` : "";
  return `#${track.ply}p${track.names.slice(track.from).join("")}${steps}`;
}

export function stop() {
  clearTimeout(at.timer);
  at.timer = 0;
}

/** @param {number} ply @param {Track} track */
export function go(ply, track = at.track, isNew = false) {
  stop();
  show(track, ply, isNew);
}

/** @param {number} ply */
export const jump = (ply) => go(ply, game, true);
/** @param {Track} track */
export const enter = (track) => go(track.from + 1, track, true);
export const leave = () => isGame() || jump(at.track.ply);
export const forward = () => at.ply < at.track.moves.length && go(at.ply + 1);

export function back() {
  if (!isGame() && at.ply === at.track.from) leave();
  else if (at.ply > 0) go(at.ply - 1);
}

/** Plays the moves one after another, or stops. */
export function toggle() {
  if (at.timer) return go(at.ply);
  if (at.ply === at.track.moves.length) show(at.track, at.track.from);
  at.timer = setTimeout(tick, 250);
  return show(at.track, at.ply);
}

function tick() {
  at.timer = at.ply + 1 < at.track.moves.length ? setTimeout(tick, SPEEDS[at.speed][2]) : 0;
  show(at.track, at.ply + 1);
}

export function nextChange() {
  if (!changes.length) return;
  const from = isGame() ? at.ply : at.track.ply;
  const next = changes.find(([ply]) => ply + 1 > from) || changes[from > decisive ? changes.length - 1 : 0];
  jump(next[0] + 1);
}

/** Begins, and opens the place in the address. @param {(() => void)[]} draws
    @param {(hash: string) => [number, Track] | null} readPlayed reads the place of a variation of the person */
export function begin(draws, readPlayed) {
  followers.push(...draws);
  const open = () => {
    const [, ply, kind, steps] = /^#(\d+)(?:([rb])(\d+))?/.exec(location.hash) || [];
    const line = kind && variation(+ply, kind);
    const played = readPlayed(location.hash);
    if (played) go(...played);
    else if (line) go(line.from + +steps, line);
    else go(ply ? +ply : decisive || plies, game);
  };
  open();
  at.isOpen = true;
  addEventListener("hashchange", open);
}

