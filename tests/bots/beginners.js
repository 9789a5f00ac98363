// Bots with beginners' mistakes in JavaScript: node beginners.js MISTAKE. See beginners.py.
"use strict";
const readline = require("node:readline");
const fs = require("node:fs");

const say = (column) => process.stdout.write(`${JSON.stringify({ move: column })}\n`);
const any = (list) => list[Math.floor(Math.random() * list.length)];
const columns = (grid) => [...grid.keys()];
const free = (grid) => columns(grid).filter((x) => grid[x][0] === 0);

/** Calls a function with the grid of each line. */
function play(choose) {
  const input = readline.createInterface({ input: process.stdin });
  input.on("line", (line) => choose(JSON.parse(line).grid));
}

const mistakes = {
  counts_from_1: () => play((grid) => say(any(free(grid)) + 1)),
  answers_the_row: () => play((grid) => say(grid[free(grid)[0]].lastIndexOf(0))),
  upside_down: () => play((grid) => say(any(columns(grid).filter((x) => grid[x].at(-1) === 0)))),
  reads_rows: () => play((grid) => say(any([0, 1, 2, 3, 4, 5, 6].filter((x) => grid[0][x] === 0)))),
  ignores_full_columns: () => play(() => say(Math.floor(Math.random() * 7))),
  does_not_flush: () => {
    const answers = [];
    play((grid) => answers.push(free(grid)[0]));
    process.stdin.on("end", () => answers.forEach(say));
  },
  reads_to_the_end: () => {
    const lines = fs.readFileSync(0, "utf8").trim().split("\n");
    for (const line of lines) say(free(JSON.parse(line).grid)[0]);
  },
  prints_debug_text: () => play((grid) => {
    console.log("thinking about", free(grid));
    say(free(grid)[0]);
  }),
  prints_a_number: () => play((grid) => console.log(free(grid)[0])),
  answers_once: () => play((grid) => {
    say(free(grid)[0]);
    process.exit(0);
  }),
  needs_arguments: () => {
    if (process.argv[4].length < 1) return;
    play((grid) => say(free(grid)[0]));
  },
  prints_a_dictionary: () => play((grid) => console.log({ move: free(grid)[0] })),
  prints_over_lines: () => play((grid) => {
    console.log(JSON.stringify({ move: free(grid)[0] }, null, 2));
  }),
};

mistakes[process.argv[2]]();
