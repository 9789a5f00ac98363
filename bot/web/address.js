// @ts-check
// The game in the address, in the history of the browser and in texts that people paste. The address has the moves
// that are on the board; the state of the history has the others, so that going back and a reload lose nothing.
import { Game } from "./game.js";
import { NotationError, parse, readLink, writeLink } from "./notation.js";
import { problemText } from "./view/words.js";

/** @import { Variant } from "./rules.js" */

/** @param {Game} game */
export const addressOf = (game) => location.href.replace(/#.*|$/, writeLink(game.link));

/** Writes the game into the history, at a new place or at the present one. @param {Game} game @param {boolean} isNew */
export function remember(game, isNew) {
  const { main, fork, inFork, cursor } = game;
  const link = writeLink(game.link);
  try {
    history[isNew ? "pushState" : "replaceState"]({ link, line: { main, fork, inFork, cursor } }, "", link);
  } catch {
    // Browsers refuse this after many changes in a short time. The game goes on without it.
  }
}

/** Returns the game at the present place, and what is wrong with the link. */
export function remembered() {
  const { problem, ...link } = readLink(location.hash);
  const game = new Game(link);
  if (history.state?.link === (location.hash || "#")) Object.assign(game, history.state.line);
  return { game, problem: problem ? problemText(problem) : "" };
}

/** Reads a link or another text of a game. @param {string} text @param {Variant} variant */
export function read(text, variant) {
  try {
    const [, hash] = /^\s*[^\s#]*(#\S*)\s*$/.exec(text) ?? [];
    const { problem, ...found } = hash ? readLink(hash) : { problem: null, ...parse(text, variant) };
    if (problem) throw problem;
    return { found, problem: "" };
  } catch (error) {
    if (error instanceof NotationError) return { found: null, problem: problemText(error) };
    throw error;
  }
}
