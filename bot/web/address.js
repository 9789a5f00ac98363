// @ts-check
// The game in the address, in the history of the browser and in texts that people paste. The address has the moves
// that are on the board; the state of the history has the others, so that going back and a reload lose nothing.
import { Game } from "./game.js";
import { NotationError, parse, readLink, writeLink } from "./notation.js";
import { problemText } from "./view/words.js";

/** @import { Variant } from "../../protocol/web/rules.js" */

/** @param {Game} game */
export const addressOf = (game) => location.href.replace(/#.*|$/, writeLink(game.link));

/** @param {Game} game */
const stateOf = ({ link, main, fork, inFork, cursor }) => ({
  link: writeLink(link),
  line: { main, fork, inFork, cursor },
});

/** Writes the game into the history, at a new place or at the present one, and the game to which the person goes back
    from an exercise. @param {Game} game @param {Game | null} resting @param {boolean} isNew */
export function remember(game, resting, isNew) {
  const state = { ...stateOf(game), resting: resting && stateOf(resting) };
  try {
    history[isNew ? "pushState" : "replaceState"](state, "", state.link);
  } catch {
    // Browsers refuse this after many changes in a short time. The game goes on without it.
  }
}

/** Returns the game or the name of the exercise at the present place, what is wrong with the link, and the game to go
    back to from an exercise. */
export function remembered() {
  const state = history.state?.link === (location.hash || "#") ? history.state : {};
  const { problem, lesson, ...link } = readLink(location.hash);
  const game = Object.assign(new Game(link), lesson ? {} : state.line);
  const resting = state.resting ? Object.assign(new Game(readLink(state.resting.link)), state.resting.line) : null;
  return { game, lesson, resting, problem: problem ? problemText(problem) : "" };
}

/** Reads a link or another text of a game. @param {string} text @param {Variant} variant */
export function read(text, variant) {
  try {
    const [, hash] = /^\s*[^\s#]*(#\S*)\s*$/.exec(text) ?? [];
    const { problem, ...found } = hash ? readLink(hash) : { problem: null, lesson: "", ...parse(text, variant) };
    if (problem) throw problem;
    return { found, problem: "" };
  } catch (error) {
    if (error instanceof NotationError) return { found: null, problem: problemText(error) };
    throw error;
  }
}
