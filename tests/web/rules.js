// Plays games of all variants: a list of [sizes, rules, moves] from standard input. Writes the precept, the legal moves
// and the winner of each position.

import { readFileSync } from "node:fs";
import { moveName, moveNamed, namesIn, playAll, writePrecept } from "../../protocol/web/names.js";
import { Position, Variant } from "../../protocol/web/rules.js";

const found = JSON.parse(readFileSync(0, "utf8")).map(([sizes, rules, text]) => {
  const variant = new Variant(...sizes, rules);
  const { positions } = playAll(new Position(variant), namesIn(variant, text), moveNamed);
  return positions.map((each) => [writePrecept(each), each.moves.map((move) => moveName(variant, move)), each.winner]);
});
process.stdout.write(JSON.stringify(found));
