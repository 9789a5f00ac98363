// Explains moves with recorded answers of the core: reads a JSON object from standard input, writes a list.
//
// { board: [width, height, connect], cases: [{ stones: [first, second], cell }], find: {...}, solve: {...} }
// Bitboards are decimal texts. The keys of `find` and `solve` are the arguments, joined by blanks.

import { readFileSync } from "node:fs";
import { Explainer } from "../../bot/c4_bot/web/source/explain.js";
import { Position, Variant } from "../../bot/c4_bot/web/source/rules.js";

const given = JSON.parse(readFileSync(0, "utf8"));
const templates = JSON.parse(readFileSync(new URL("../../bot/c4_bot/reasons/sentences.json", import.meta.url), "utf8"));
const variant = new Variant(...given.board);

function recorded(table, position, ...values) {
  const key = [position.first, position.second, ...values].join(" ");
  if (!(key in table)) throw new Error(`Python did not ask for ${key}`);
  return table[key];
}

function find(position, cell, best, own, answers) {
  const { kind, cells, line } = recorded(given.find, position, cell, best ?? "?", own ?? "?", answers);
  return { kind, cells: BigInt(cells), line };
}

async function solve(position) {
  const scores = recorded(given.solve, position);
  return scores && new Map(scores);
}

const explainer = new Explainer({ find, solve, templates });
const explained = [];
for (const { stones, cell } of given.cases)
  explained.push(await explainer.explain(new Position(variant, ...stones.map(BigInt)), cell));
process.stdout.write(JSON.stringify(explained));
