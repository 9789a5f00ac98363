// Makes or stops a line of four if it can. Otherwise it plays the free column of the lowest rank.
"use strict";
const readline = require("node:readline");

function rank(x, w, empty) { return (2 * x + 1 - w) * (2 * x + 1 - w) * 9 - empty; }

function wins(grid, x, player) {
  const columns = grid.map((column) => column.join(""));
  const y = columns[x].lastIndexOf("0");
  const h = columns[x].length;
  columns[x] = columns[x].slice(0, y) + player + columns[x].slice(y + 1);
  const makes = (gap) => new RegExp(`${player}(.{${gap}}${player}){3}`).test(columns.join("]"));
  return [0, h - 1, h, h + 1].some(makes);
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  if (line.trim() === ":exit") process.exit(0);
  if (!line.includes("{")) return;
  const { grid, player = 1 } = JSON.parse(line.slice(line.indexOf("{")));
  const empty = (x) => grid[x].lastIndexOf(0) + 1;
  const free = [...grid.keys()].filter((x) => empty(x) > 0);
  free.sort((a, b) => rank(a, grid.length, empty(a)) - rank(b, grid.length, empty(b)));
  const win = free.find((x) => wins(grid, x, player));
  const stop = free.find((x) => wins(grid, x, 3 - player));
  process.stdout.write(`${JSON.stringify({ move: win ?? stop ?? free[0] })}\n`);
});
