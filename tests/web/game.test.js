// The state of the page: moves, variations, seats, positions that are made by hand, and turning points.

import assert from "node:assert/strict";
import { test } from "node:test";
import { edited, Game } from "../../bot/web/game.js";
import { writeMoves } from "../../protocol/web/names.js";
import { parse } from "../../bot/web/notation.js";
import { Position, STANDARD, Variant } from "../../protocol/web/rules.js";
import { Study } from "../../bot/web/study.js";
import { endOf } from "../../bot/web/view/words.js";

const gameOf = (moves, settings = {}) => new Game({ moves: parse(moves, STANDARD).moves, ...settings });
const moves = (game, cells) => writeMoves(game.variant, cells);
const playIn = (game, column) => game.play(game.position.cellIn(column - 1));

test("a move in a game that is played replaces the moves that were taken back", () => {
  const game = gameOf("4453");
  game.go(game.backTo);
  assert.equal(game.cursor, 2);
  playIn(game, 1);
  assert.equal(moves(game, game.main), "441");
  assert.equal(game.forwardTo, -1);
  assert.ok(game.isAwaited);
});

test("a move in the middle of an analysis begins a variation", () => {
  const game = gameOf("4453", { mode: "analyse" });
  game.go(2);
  playIn(game, 5);
  assert.equal(game.fork, null, "it is the move of the game");
  playIn(game, 6);
  playIn(game, 7);
  assert.equal(moves(game, game.line), "44567");
  assert.equal(moves(game, game.main), "4453");
  game.go(4, false);
  assert.equal(moves(game, game.played), "4453");
  game.go(5, true);
  game.promoteVariation();
  assert.deepEqual([moves(game, game.main), game.fork, game.cursor], ["44567", null, 5]);
});

test("a move that is known goes on in its line", () => {
  const varied = () => {
    const game = gameOf("44443526", { mode: "analyse" });
    game.go(4);
    for (const column of [7, 6, 5]) playIn(game, column);
    return game;
  };
  const both = (game) => [moves(game, game.main), moves(game, game.fork.cells), moves(game, game.played)];
  const game = varied();
  game.go(4, false);
  playIn(game, 7);
  assert.deepEqual(both(game), ["44443526", "765", "44447"]);
  game.go(4);
  playIn(game, 3);
  assert.deepEqual(both(game), ["44443526", "765", "44443"]);
  game.go(5, true);
  playIn(game, 1);
  assert.deepEqual(both(game), ["44443526", "71", "444471"]);
});

test("play goes on from the end of the game, and drops the variation with the next move", () => {
  const game = gameOf("4453", { mode: "analyse", side: "both" });
  game.go(2);
  playIn(game, 6);
  game.setMode("play");
  assert.deepEqual([moves(game, game.played), game.isVaried], ["4453", false]);
  game.go(3);
  playIn(game, 3);
  assert.deepEqual([moves(game, game.main), game.fork], ["4453", null]);
  game.go(1);
  playIn(game, 4);
  assert.equal(moves(game, game.main), "44", "the same move also replaces those that were taken back");
});

test("positions are remembered for the line that is shown", () => {
  const game = gameOf("4453", { mode: "analyse" });
  const { positions } = game;
  game.go(2);
  assert.equal(game.positions, positions);
  playIn(game, 6);
  assert.equal(game.positions.length, 4);
  assert.equal(game.position, game.positions[3]);
});

test("without its variation a game is where the variation left it", () => {
  const game = gameOf("4453", { mode: "analyse" });
  game.go(2);
  playIn(game, 6);
  playIn(game, 7);
  game.removeVariation();
  assert.equal(moves(game, game.played), "44");
  assert.equal(game.isVaried, false);
});

test("level 10 is not offered on large boards", () => {
  const game = new Game({ variant: new Variant(9, 7, 4), level: 10 });
  assert.deepEqual([game.level, game.wish], [9, 10]);
  assert.equal(new Game({ level: 10 }).level, 10);
});

test("a game is empty without moves and stones", () => {
  assert.ok(new Game().isEmpty);
  assert.ok(!gameOf("4").isEmpty);
  assert.ok(!new Game({ start: new Position(STANDARD).play(0) }).isEmpty);
});

test("a win is in a row, in a column, on a diagonal or in more than one line", () => {
  const ends = {
    1212121: "in column 1",
    1122334: "in row 1",
    12233434464: "on a diagonal",
    ".......\n.......\n...X...\n..XO...\n.XOO...\nXXXXOOO": "in more than one line",
  };
  for (const [text, where] of Object.entries(ends)) {
    const game = new Game(parse(text, STANDARD));
    assert.equal(endOf(game), `You win with four ${where}.`);
  }
});

test("stones drop on a column and are taken from its top", () => {
  let position = new Position(STANDARD);
  for (const stone of [1, 2, 2, 0]) position = edited(position, 3, stone);
  assert.deepEqual([0, 1, 2].map((row) => position.ownerOf(STANDARD.cell(3, row))), [1, 2, 0]);
  for (let i = 0; i < 9; i += 1) position = edited(position, 3, 1);
  assert.equal(position.ply, 6);
  for (let i = 0; i < 9; i += 1) position = edited(position, 3, 0);
  assert.equal(position.ply, 0);
});

test("a study finds the moves that changed the result", async () => {
  const { positions } = gameOf("1122334");
  const values = [1, 0, 0, 0, 0, 0, 18]; // of the best move of the player to move
  const exact = (value) => ({ low: value, high: value });
  const engine = {
    values: async ({ moves: cells, ply }) => new Map(cells.map((cell) => [cell, exact(values[ply])])),
    bestLine: async () => [],
  };
  await new Promise((resolve, reject) => {
    const study = new Study(engine, () => study.isDone && resolve(check(study)), reject);
    study.look(positions[7], positions);
  });
  function check(study) {
    assert.equal(study.valueOf(positions[7]), 18);
    assert.deepEqual(study.turns(positions), [{ at: 1, before: 1, after: 0 }, { at: 6, before: 0, after: -1 }]);
  }
});

test("a study gives up a position, and looks at it again only for longer", async () => {
  const { positions } = gameOf("44", { mode: "analyse" });
  const asked = [];
  const engine = {
    values: async ({ ply, moves: cells }, { ms }) => {
      asked.push([ply, ms]);
      return new Map(cells.map((cell) => [cell, { low: -1, high: 1 }]));
    },
    bestLine: () => assert.fail("the value is not known"),
  };
  const look = (at) =>
    new Promise((resolve, reject) => {
      study.changed = () => study.isDone && resolve();
      study.failed = reject;
      study.look(positions[at], positions);
    });
  const study = new Study(engine);
  for (const at of [2, 1, 2]) await look(at);
  assert.deepEqual(asked, [[2, 60_000], [1, 5000], [0, 5000], [1, 60_000]]);
});
