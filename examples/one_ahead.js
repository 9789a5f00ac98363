// Looks one move ahead: it wins if it can, stops a win of the opponent if it can, and otherwise plays
// as near to the middle as possible. It does not look at what the opponent can do after its move: add that.
//
//   c4-referee match "node examples/one_ahead.js" "c4-bot --plays random" --games 10
//
// A bot reads one line of JSON for each of its moves and answers with one line. It must write
// nothing else to standard output: use console.error() for debug text.
"use strict";
const readline = require("node:readline");

const DIRECTIONS = [[1, 0], [0, 1], [1, 1], [1, -1]];

/** Counts the player's stones in a row, starting beside a cell, in one direction. */
function stones(grid, player, x, y, dx, dy) {
  let count = 0;
  while (grid[x + dx * (count + 1)]?.[y + dy * (count + 1)] === player) count += 1;
  return count;
}

/** Returns whether the player completes a line with a move in a column that is not full. */
function wins(grid, player, x, connect) {
  const y = grid[x].lastIndexOf(0); // a stone falls to the last 0, because cells count from the top
  return DIRECTIONS.some(([dx, dy]) => {
    const line = stones(grid, player, x, y, dx, dy) + 1 + stones(grid, player, x, y, -dx, -dy);
    return line >= connect;
  });
}

/** Returns our number, 1 or 2: from the line, from the command line, or from the stones. */
function ownNumber(precept) {
  if (precept.player) return precept.player;
  const flag = process.argv.indexOf("--player");
  if (flag !== -1) return Number(process.argv[flag + 1]);
  const count = (player) => precept.grid.flat().filter((cell) => cell === player).length;
  return count(1) <= count(2) ? 1 : 2;
}

/** Returns the column to play, counting from 0; undefined if all are full. */
function choose(precept) {
  const { grid, connect = 4 } = precept;
  const me = ownNumber(precept);
  const middle = (grid.length - 1) / 2;
  const free = [...grid.keys()].filter((x) => grid[x][0] === 0);
  free.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
  const winning = free.find((x) => wins(grid, me, x, connect));
  const blocking = free.find((x) => wins(grid, 3 - me, x, connect));
  return winning ?? blocking ?? free[0];
}

const input = readline.createInterface({ input: process.stdin });
input.on("line", (line) => {
  if (line.trim() === ":exit") process.exit(0);
  const start = line.indexOf("{"); // some drivers write a byte order mark (BOM) before it
  if (start === -1) return; // a blank line
  const move = choose(JSON.parse(line.slice(start)));
  process.stdout.write(`${JSON.stringify({ move })}\n`); // one line, written at once
});
