// Both languages have the same texts, with the same fields: node --test tests/web
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { DE } from "../../bot/web/texts/de.js";
import { EN } from "../../bot/web/texts/en.js";

const read = (path) => JSON.parse(readFileSync(new URL(`../../bot/${path}`, import.meta.url), "utf8"));
const fieldsOf = (_, text) => (typeof text === "string" ? [...new Set(text.match(/\{\w*\}/g))].sort() : text);
const tree = (texts) => JSON.parse(JSON.stringify(texts), fieldsOf);

test("both languages have the same texts and fields", () => {
  assert.deepEqual(tree(DE), tree(EN));
  assert.deepEqual(tree(read("web/texts/sentences.de.json")), tree(read("c4_bot/reasons/sentences.json")));
});
