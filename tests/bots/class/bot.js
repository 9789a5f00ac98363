// Plays the free column of the lowest rank.
"use strict";
const readline = require("node:readline");

function rank(x, w, empty) { return (2 * x + 1 - w) * (2 * x + 1 - w) * 9 - empty; }

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  if (line.trim() === ":exit") process.exit(0);
  if (!line.includes("{")) return;
  const { grid } = JSON.parse(line.slice(line.indexOf("{")));
  const worth = (x) => rank(x, grid.length, grid[x].lastIndexOf(0) + 1);
  const free = [...grid.keys()].filter((x) => grid[x][0] === 0);
  free.sort((a, b) => worth(a) - worth(b));
  process.stdout.write(`${JSON.stringify({ move: free[0] })}\n`);
});
