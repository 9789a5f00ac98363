// What people paste and what links contain: node --test tests/web

import assert from "node:assert/strict";
import { test } from "node:test";
import { lastPosition, NotationError, parse, readLink } from "../../bot/web/notation.js";
import { writeMoves, writePrecept } from "../../protocol/web/names.js";
import { writeLink } from "../../bot/web/notation.js";
import { pictureText } from "../../bot/web/view/words.js";
import { Position, STANDARD, Variant } from "../../protocol/web/rules.js";
import { TEXTS } from "../../bot/web/texts/language.js";

const WIDE = new Variant(11, 10, 5);

/** A small generator of random numbers: mulberry32. */
function generator(seed) {
  let state = seed;
  return (count) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % count;
  };
}

function randomGame(draw, variant) {
  let position = new Position(variant);
  const moves = [];
  for (let left = draw(variant.cells); left && !position.isOver; left -= 1) {
    const cell = position.moves[draw(position.moves.length)];
    moves.push(cell);
    position = position.play(cell);
  }
  return { variant, start: null, moves };
}

const movesOf = (text, variant = STANDARD) => writeMoves(variant, parse(text, variant).moves);
const isSame = (a, b) => a.first === b.first && a.second === b.second && a.variant.name === b.variant.name;

/** Checks that a text is refused, and that the page has a text with exactly the values of the error. */
function refused(text, key, values = {}, variant = STANDARD) {
  assert.throws(() => parse(text, variant), (error) => {
    assert.ok(error instanceof NotationError, `${text}: ${error}`);
    assert.equal(error.key, key, text);
    const names = [...TEXTS.notation[key].matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    assert.deepEqual(Object.keys(error.values).sort(), names.sort(), key);
    for (const [name, value] of Object.entries(values)) assert.equal(error.values[name], value, `${key} ${name}`);
    return true;
  });
}

test("moves are read with blanks, in lines and with numbers", () => {
  const numbered = ["1. 4 4 2. 5 3", "1. 4 4\n2. 5 3", " 1.4 4 2.5 3 *"];
  for (const text of ["4453", "4 4 5 3", "\ufeff4453\n", "4, 4,5-3", ...numbered])
    assert.equal(movesOf(text), "4453", text);
  assert.equal(movesOf("ab9", WIDE), "ab9");
});

test("a wrong move is named with its number and the reason", () => {
  refused("4484", "noColumn", { number: 3, move: "8", last: "7" });
  refused("hello", "noColumn", { number: 1, move: "h" });
  refused("1111112 1", "full", { number: 8, move: "1" });
  refused("12121212", "over", { number: 8 });
  refused("", "empty");
});

test("boards are read in all forms", () => {
  const rows = ["...", "X..", "O.X"];
  const forms = [
    rows.join("\n"),
    `1 2 3\n${rows.join("\r\n")}`,
    `${rows.map((row) => [...row].join(" ")).join("\n")}\n1 2 3   131, O plays 2`,
    rows.map((row) => `|${[...row.toLowerCase()].join("|")}|`).join("\n"),
    rows.map((row) => [...row].map((mark) => ".XO".indexOf(mark)).join(",")).join("\n"),
    rows.join("\n").replaceAll(".", "_"),
    rows.join("\n").replaceAll(".", "-"),
    " 1  2  3\n .  .  .\n[X] .  .\n O  . (X)",
  ];
  for (const text of forms) {
    const { start, moves, variant } = parse(text, STANDARD);
    assert.deepEqual([variant.name, moves.length, start?.ply], ["3x3x3", 0, 3], text);
    assert.equal(writeLink({ variant, start }), "#&board=3x3x3&from=3/x2/o1x", text);
  }
});

test("a board without its rules has those of the board before only if it has the same size", () => {
  const empty = (width, height) => `${".".repeat(width)}\n`.repeat(height);
  assert.equal(parse(empty(11, 10), WIDE).variant.connect, 5);
  assert.equal(parse(empty(7, 6), WIDE).variant.connect, 4);
});

test("an impossible board is refused with the reason", () => {
  refused("...\n.X.\n...", "floating", { column: "2" });
  refused("...\n...\nXX.", "stones", { first: 2, second: 0 });
  refused("...\n...\n.O.", "stones", { first: 0, second: 1 });
  refused("...\nOOO\nXXX", "twoLines");
  refused("....\n...\n....", "uneven", { row: 2, cells: 3, width: 4 });
  refused("...\n.Z.\n...", "row", { row: 2, text: ".z." });
  refused(".Z..\n....\n....\n....", "row", { row: 1 });
  refused("....\n....\n....\n.Z..", "row", { row: 4 });
  refused("..\n..", "size", { width: 2, height: 2 });
  refused(`${".".repeat(12)}\n`.repeat(4), "size", { width: 12 });
});

test("lines of JSON are read", () => {
  const grid = [[0, 0, 0, 2], [0, 0, 0, 0], [0, 0, 1, 1]];
  const { start, variant } = parse(JSON.stringify({ grid, connect: 3, player: 2, time_ms: 5 }), STANDARD);
  assert.deepEqual([variant.name, start?.ply, start?.player], ["3x4x3", 3, 2]);
  assert.equal(movesOf('{"moves": "4453", "score": 1}'), "4453");
  assert.equal(parse('{"moves": "8", "width": 8}', STANDARD).variant.name, "8x6x4");
  for (const text of ["{", "{}", '{"moves": 4}', '{"grid": 0}']) refused(text, "json");
  const wrong = [{ width: 4 }, { height: 3 }, ...[[[0], []], [[]], "abc", [[3]]].map((other) => ({ grid: other }))];
  for (const more of wrong) refused(JSON.stringify({ grid, connect: 3, ...more }), "grid");
  refused(JSON.stringify({ grid, connect: 5 }), "connect", { most: 4, connect: 5 });
  refused(JSON.stringify({ grid, player: { toString: 1 } }), "numbers");
  refused(JSON.stringify({ grid, connect: 3, player: 1 }), "turn", { player: "1" });
  for (const more of [{ gravity: false }, { steal: true }, { directions: ["vertical"] }])
    refused(JSON.stringify({ grid, ...more }), "rules");
});

test("games in PGN are read", () => {
  const heading = '[Event "a \\"b\\" ["]\n[Result "1-0"]\n';
  const second = '[Event "c"]\n\n1. 1 *\n';
  assert.equal(movesOf(`${heading}\n1. 4 {best; really} 4 $1\n2. 5 3 ; a note\n1-0\n\n${second}`), "4453");
  assert.equal(movesOf(`%line\n${heading}\n1. 4 4 *`), "44");
  assert.equal(parse(`[Variant "8x7x5"]\n\n1. 8`, STANDARD).variant.name, "8x7x5");
  refused('[Variant "line8"]\n', "rules", { rules: "line8" });
  refused('[Variant "2x9"]\n', "size", { width: 2 });
});

test("what is written is read again", () => {
  const draw = generator(1);
  for (let i = 0; i < 200; i += 1) {
    const variant = [STANDARD, WIDE, new Variant(3, 3, 3), new Variant(8, 7, 5)][i % 4];
    const game = randomGame(draw, variant);
    const last = lastPosition(game);
    assert.deepEqual(parse(writeMoves(variant, game.moves) || '{"moves": ""}', variant).moves, game.moves);
    assert.ok(isSame(lastPosition(parse(writePrecept(last), STANDARD)), last));
    const settings = { level: 1 + draw(10), side: [1, 2, "both"][draw(3)], mode: ["play", "analyse"][draw(2)] };
    const rest = { variant, start: last.ply ? last : null, moves: last.isOver ? [] : [last.moves[0]] };
    for (const each of [{ ...game, ...settings }, { ...rest, ...settings }]) {
      const link = readLink(writeLink(each));
      assert.equal(link.problem, null);
      assert.deepEqual({ ...link, start: null, variant }, { ...each, lesson: "", problem: null, start: null });
      assert.ok(isSame(lastPosition(link), lastPosition(each)));
    }
  }
});

test("an exercise has a link", () => {
  for (const lesson of ["step=10", "puzzle=300", "puzzle=today"]) {
    assert.equal(writeLink({ lesson, moves: [0] }), `#${lesson}`);
    assert.deepEqual([readLink(`#${lesson}`).lesson, readLink(`#${lesson}`).problem], [lesson, null]);
  }
  for (const lesson of ["step=11", "step=0", "puzzle=x", "puzzle=1000"]) assert.ok(readLink(`#${lesson}`).problem);
});

test("a link has only what is not usual", () => {
  assert.equal(writeLink({}), "#");
  assert.equal(writeLink({ moves: parse("44", STANDARD).moves, level: 3, side: 1, mode: "play" }), "#44");
  assert.equal(writeLink({ level: 5, side: "both", mode: "analyse" }), "#&level=5&side=both&mode=analyse");
});

test("a damaged link gives what can be read", () => {
  const link = readLink("#4499&level=11&side=2&mode=analyse&from=z&more=1&%");
  assert.equal(writeLink(link), "#44&side=2&mode=analyse");
  assert.deepEqual(link.problem?.values, { name: "from", value: "z" });
  const problems = {
    "#board=2x2": "size", "#&from=7/7": "size", "#&side=3": "field", "#&from=8/8/8/8/8/8": "field",
    "#44=53": "field", "#8": "noColumn", "#%zz": "noColumn",
  };
  for (const [hash, key] of Object.entries(problems)) assert.equal(readLink(hash).problem?.key, key, hash);
  for (const hash of ["", "#", "#44", "#&level=5", "#from=7/7/7/7/7/7"])
    assert.deepEqual([readLink(hash).problem, readLink(hash).start], [null, null], hash);
});

test("random texts and links give a game or a NotationError", () => {
  const draw = generator(2);
  const words = [
    ..."4.XO_ \n{}*\"éa;\\\ud800", "12", "1.", "b1", "0,1", "]]", '{"grid":[[', '{"moves":"', '[Variant "', '8x7"]',
    "&board=", "&from=", "7/7/", "3x3", "&level=", "%f",
  ];
  for (let i = 0; i < 20000; i += 1) {
    const text = Array.from({ length: draw(24) }, () => words[draw(words.length)]).join("");
    try {
      lastPosition(parse(text, STANDARD));
    } catch (error) {
      assert.ok(error instanceof NotationError, `${JSON.stringify(text)}: ${error}`);
      assert.ok(error.key in TEXTS.notation, error.key);
    }
    lastPosition(readLink(text));
  }
});

test("a long text is refused quickly", () => {
  for (const part of ["4", "0", "[", '[a "', "{", "1.", ".X\n", "a1 ", "\\", "%\n", "\n", "(", "7/"]) {
    const text = part.repeat(50000);
    const pgn = `[Event "a"]\n${text}`;
    for (const read of [() => parse(text, STANDARD), () => parse(pgn, STANDARD), () => readLink(`#&from=${text}`)])
      try {
        read();
      } catch (error) {
        assert.ok(error instanceof NotationError, `${part}: ${error}`);
      }
  }
});

test("a picture describes the position", () => {
  const game = parse("1212121", STANDARD);
  assert.equal(pictureText(lastPosition(game)), "7x6 board with 7 stones: player 1 has won");
});
