// Reads texts of games and positions, for the comparison with Python: a list of [text, [width, height, connect]] from
// standard input. Writes what was read, each as an object.

import { readFileSync } from "node:fs";
import { writeMoves, writePrecept } from "../../protocol/web/names.js";
import { lastPosition, parse } from "../../bot/web/notation.js";
import { svgText } from "../../protocol/web/picture.js";
import { pictureText } from "../../bot/web/view/words.js";
import { Variant } from "../../protocol/web/rules.js";

const found = JSON.parse(readFileSync(0, "utf8")).map(([text, board]) => {
  const game = parse(text, new Variant(...board));
  const position = lastPosition(game);
  return {
    precept: writePrecept(position),
    moves: writeMoves(game.variant, game.moves),
    svg: svgText(position, game.moves.at(-1) ?? null, pictureText(position)),
  };
});
process.stdout.write(JSON.stringify(found));
