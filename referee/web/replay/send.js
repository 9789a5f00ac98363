// @ts-check
// A picture of the game, to send.
import { button, html } from "../../../protocol/web/dom.js";
import { moveNamed } from "../../../protocol/web/names.js";
import { svgText } from "../../../protocol/web/picture.js";
import { pictureToSend } from "../../../protocol/web/sent.js";
import { outcome } from "./card.js";
import { changeAt, data, decisive, game, nameAt, plies, players, shortened } from "./data.js";
import { places } from "./words.js";

/** Returns a picture of the position at a ply. @param {number} ply @param {number[]} missed */
function boardAt(ply, missed = []) {
  const position = game.positions[ply];
  return svgText(position, ply ? position.cellOf(game.moves[ply - 1]) : null, "", missed);
}

async function save() {
  const better = changeAt.get(decisive)?.[3] ?? [];
  const before = game.positions[decisive - 1];
  const missed = better.map((name) => before.cellOf(/** @type {number} */ (moveNamed(before, name))));
  const turn = missed.length ? {
    board: boardAt(decisive, missed),
    title: `Move ${decisive}: ${nameAt(decisive - 1)}`,
    text: `Here ${places(better)} ${better.length > 1 ? "were" : "was"} missed.`,
  } : null;
  const title = outcome.split(" (")[0]; // without the details of a fault
  const canvas = await pictureToSend({ board: boardAt(plies), title, players: players.map(shortened), turn });
  html("a", { href: canvas.toDataURL(), download: `game-${data.n ?? 1}.png` }).click();
}

export const saveButton = button("Picture to send", save, { title: "Save the last position and the decisive move as PNG" });
