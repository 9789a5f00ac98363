// Finds the turning points of games with the engine of the built page: reads [[moves, side], ...] from standard input,
// and writes for each game a list of [number of the move, cells that are accepted].

import { readFileSync } from "node:fs";
import { Game } from "../../bot/web/game.js";
import { turningPoints } from "../../bot/web/learn/turns.js";
import { parse } from "../../bot/web/notation.js";
import { STANDARD } from "../../protocol/web/rules.js";
import { Study } from "../../bot/web/study.js";
import { answerer } from "./answerer.js";

const engine = { values: (position) => answerer.ask({ kind: "values", position, isAborted: () => false }) };

async function turnsOf([moves, side]) {
  const game = new Game({ moves: parse(moves, STANDARD).moves, side });
  const study = await new Promise((resolve, reject) => {
    const study = new Study(engine, () => study.isDone && resolve(study), reject);
    study.look(game.position, game.positions);
  });
  return turningPoints(game, study).map((exercise) => {
    const { position, cursor } = exercise.game;
    return [cursor + 1, position.moves.filter((cell) => exercise.isRight(cell))];
  });
}

const found = [];
for (const game of JSON.parse(readFileSync(0, "utf8"))) found.push(await turnsOf(game));
process.stdout.write(JSON.stringify(found));
