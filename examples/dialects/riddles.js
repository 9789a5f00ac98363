// Speaks the protocol of riddles.io, which is much like that of theaigames: settings, then fields
// and actions. The cells of a field are separated by commas, and an illegal move loses at once.
//
//   c4-referee match riddles random --bots examples/dialects/standard.toml --games 4
//
// It wins or stops a win if it can, and otherwise plays near the middle.
"use strict";
const readline = require("node:readline");

const DIRECTIONS = [[1, 0], [0, 1], [1, 1], [1, -1]];
const settings = {};
let rows = []; // from the top; "." is an empty cell, "0" and "1" are the players

/** Counts the player's stones in a row, starting beside a cell, in one direction. */
function stones(player, x, y, dx, dy) {
  let count = 0;
  while (rows[y + dy * (count + 1)]?.[x + dx * (count + 1)] === player) count += 1;
  return count;
}

/** Returns whether the player completes a line with a move in a column that is not full. */
function wins(player, x) {
  const y = rows.map((row) => row[x]).lastIndexOf("."); // where the stone lands
  return DIRECTIONS.some(([dx, dy]) => {
    return stones(player, x, y, dx, dy) + 1 + stones(player, x, y, -dx, -dy) >= 4;
  });
}

/** Returns the column to play, counting from 0. */
function choose(me, other) {
  const middle = (rows[0].length - 1) / 2;
  const free = [...rows[0].keys()].filter((x) => rows[0][x] === ".");
  free.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
  return free.find((x) => wins(me, x)) ?? free.find((x) => wins(other, x)) ?? free[0];
}

/** Returns the rows of a field, whose cells are all in one list. */
function rowsOf(field) {
  const cells = field.split(",");
  const width = Number(settings.field_width);
  return Array.from({ length: cells.length / width }, () => cells.splice(0, width));
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const [command, first, second, third] = line.trim().split(/\s+/);
  if (command === "settings") settings[first] = second;
  if (command === "update" && second === "field") rows = rowsOf(third);
  if (command === "action") {
    const me = settings.your_botid;
    process.stdout.write(`place_disc ${choose(me, me === "0" ? "1" : "0")}\n`);
  }
});
