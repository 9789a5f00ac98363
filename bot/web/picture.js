// @ts-check
// A position as a stand-alone SVG: board_svg in c4_protocol/rules/picture.py again, for games in which stones fall.
//
// A cell is one unit wide. A stone is a dot of a thick stroke with round caps, so that all stones of a player are one
// path. The second player's stones have a ring.

import { COLUMN_NAMES } from "./notation.js";
import { bit, cellsOf } from "./rules.js";
import { filled } from "./sentences.js";
import { TEXTS } from "./texts.js";

/** @typedef {import("./rules.js").Position} Position */
/** @typedef {import("./rules.js").Variant} Variant */

const FRAME_WIDTH = 0.15;
const PIXELS_PER_CELL = 40;
/** Maximum width of a picture in pixels. */
const MAX_WIDTH = 480;
const LABELS = 'fill="#d4e2f1" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="600"';
const HOLES = 'stroke="#14304f" stroke-width=".82" stroke-dasharray="0 1"';
const FIRST = 'stroke="#e8641b" stroke-width=".82"';
/** The disc of the second player, its ring and the inside of the ring. */
const SECOND = [
  'stroke="#f4dd4b" stroke-width=".82"',
  'stroke="#6b5b00" stroke-width=".5"',
  'stroke="#f4dd4b" stroke-width=".36"',
];
/** The edge and the middle of the stroke through a line. */
const LINE = ['stroke="#14202e" stroke-width=".16"', 'stroke="#fff" stroke-width=".08"'];
const LAST = 'stroke="#14202e" stroke-width=".2"';

/** Returns a picture of a position. The stone of the last move has a dot.
    @param {Position} position @param {number | null} [lastCell] @returns {string} */
export function svgText(position, lastCell = null) {
  const { variant, first, second } = position;
  const dots = (/** @type {bigint} */ stones) => cellsOf(stones).map((cell) => `M${centre(variant, cell)}h0`);
  const parts = [
    labels(variant),
    path(HOLES, holes(variant)),
    path(FIRST, dots(first)),
    ...SECOND.map((attributes) => path(attributes, dots(second))),
    ...LINE.map((attributes) => path(attributes, lines(position))),
    path(LAST, lastCell === null ? [] : dots(bit(lastCell))),
  ];
  return framed(position, parts.join(""));
}

/** Returns the whole picture with the board behind its parts. @param {Position} position @param {string} content */
function framed(position, content) {
  const { variant } = position;
  const left = 0.5 - FRAME_WIDTH;
  const [width, height] = [variant.width + 2 * FRAME_WIDTH, variant.height + 0.5 + FRAME_WIDTH];
  const pixels = Math.min(PIXELS_PER_CELL, MAX_WIDTH / width);
  const [x, y, w, h] = [left, 0, width, height].map(short);
  return (
    `<svg class="bo" viewBox="${x} ${y} ${w} ${h}" role="img" aria-label="${description(position)}" ` +
    `xmlns="http://www.w3.org/2000/svg" width="${(width * pixels).toFixed(0)}" height="${(height * pixels).toFixed(0)}" ` +
    `fill="none" stroke-linecap="round"><rect x="${x}" y="${y}" width="${w}" height="${h}" rx=".2" fill="#2a5587"/>` +
    `${content}</svg>`
  );
}

/** Returns a description for people who cannot see the picture. @param {Position} position */
function description(position) {
  const { variant, winner } = position;
  const text = TEXTS.picture[winner ? "won" : position.isFull ? "full" : "next"];
  const size = `${variant.width}x${variant.height}`;
  return filled(text, { size, stones: `${position.ply}`, player: `${winner || position.player}` });
}

/** @param {Variant} variant */
function labels({ width }) {
  const xs = [...Array(width).keys()].map((x) => x + 1).join(" ");
  return `<g font-size=".34" ${LABELS}><text x="${xs}" y=".37">${COLUMN_NAMES.slice(0, width)}</text></g>`;
}

/** Returns one line for each row. Its dashes of length 0 become dots. @param {Variant} variant */
const holes = ({ width, height }) => [...Array(height).keys()].map((y) => `M1 ${y + 1}h${short(width - 0.9)}`);

/** Returns a stroke for each complete line. @param {Position} position */
export function lines({ variant, first, second }) {
  const { stride, connect } = variant;
  const strokes = [];
  for (const stones of [first, second])
    for (const step of [stride, 1, stride + 1, stride - 1]) {
      let starts = stones;
      for (let i = 1; i < connect; i += 1) starts &= stones >> BigInt(i * step);
      for (const cell of cellsOf(starts))
        strokes.push(`M${centre(variant, cell)}L${centre(variant, cell + (connect - 1) * step)}`);
    }
  return strokes;
}

/** @param {Variant} variant @param {number} cell */
const centre = (variant, cell) => `${variant.columnOf(cell) + 1} ${variant.height - variant.rowOf(cell)}`;

/** @param {string} attributes @param {string[]} data */
const path = (attributes, data) => (data.length ? `<path ${attributes} d="${data.join("")}"/>` : "");

/** Returns a number with at most two decimals, without zeros that mean nothing. @param {number} value */
const short = (value) => `${Number(value.toFixed(2))}`.replace(/^(-?)0\./, "$1.");
