// The state of the page: moves, variations, seats, positions that are made by hand, and turning points.

import assert from "node:assert/strict";
import { test } from "node:test";
import { edited, Game } from "../../bot/web/game.js";
import { parse, writeMoves } from "../../bot/web/notation.js";
import { Position, STANDARD, Variant } from "../../bot/web/rules.js";
import { Study } from "../../bot/web/study.js";

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
  const start = new Position(new Variant(9, 7, 4));
  assert.equal(new Game({ start, level: 10 }).level, 9);
  assert.equal(new Game({ level: 10 }).level, 10);
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
