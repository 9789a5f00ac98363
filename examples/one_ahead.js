// Looks one move ahead: it wins where it can, stops the other side where it must, and else plays
// as near to the middle as it can. It never asks what its own move makes possible: teach it that.
//
//   c4-referee match "node examples/one_ahead.js" "c4-bot --plays random" --games 10
//
// A bot reads one line of JSON for each of its moves and answers with one line. Nothing else may
// be written to standard output: use console.error() to look at things.
"use strict";
const readline = require("node:readline");

const DIRECTIONS = [[1, 0], [0, 1], [1, 1], [1, -1]];

/** How many stones of the player follow one another, from beside a cell and in one direction. */
function stones(grid, player, x, y, dx, dy) {
  let count = 0;
  while (grid[x + dx * (count + 1)]?.[y + dy * (count + 1)] === player) count += 1;
  return count;
}

/** Whether the player completes a line by playing a column that is not full. */
function wins(grid, player, x, connect) {
  const y = grid[x].lastIndexOf(0); // columns are listed from the top: a stone falls to the last 0
  return DIRECTIONS.some(([dx, dy]) => {
    const line = stones(grid, player, x, y, dx, dy) + 1 + stones(grid, player, x, y, -dx, -dy);
    return line >= connect;
  });
}

/** Who we are, 1 or 2: as the line says, or else the command line, or else the stones. */
function ownNumber(precept) {
  if (precept.player) return precept.player;
  const flag = process.argv.indexOf("--player");
  if (flag !== -1) return Number(process.argv[flag + 1]);
  const count = (player) => precept.grid.flat().filter((cell) => cell === player).length;
  return count(1) <= count(2) ? 1 : 2;
}

/** The column to play, counting from 0; nothing if all are full. */
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
  const start = line.indexOf("{"); // some drivers write a mark of their byte order before it
  if (start === -1) return; // a blank line
  const move = choose(JSON.parse(line.slice(start)));
  process.stdout.write(`${JSON.stringify({ move })}\n`); // a line of its own, written at once
});
