// Reads texts of games and positions, for the comparison with Python: a list of [text, [width, height, connect]] from
// standard input. Writes what was read, each as an object.

import { readFileSync } from "node:fs";
import { lastPosition, parse, writeMoves, writePrecept } from "../../bot/web/notation.js";
import { svgText } from "../../bot/web/picture.js";
import { Variant } from "../../bot/web/rules.js";

const found = JSON.parse(readFileSync(0, "utf8")).map(([text, board]) => {
  const game = parse(text, new Variant(...board));
  return {
    precept: writePrecept(game),
    moves: writeMoves(game.variant, game.moves),
    svg: svgText(lastPosition(game), game.moves.at(-1) ?? null),
  };
});
process.stdout.write(JSON.stringify(found));
