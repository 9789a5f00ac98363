// @ts-check
// A position as a stand-alone SVG: board_svg in c4_protocol/rules/picture.py again, and cells that were missed.
//
// A cell is one unit wide. A stone is a dot of a thick stroke with round caps, so that all stones of a player are one
// path. The second player's stones have a ring.

import { COLUMN_NAMES, rowName } from "./names.js";
import { bit, cellsOf, range } from "./rules.js";

/** @import { Position, Variant } from "./rules.js" */

const FRAME_WIDTH = 0.15;
const PIXELS_PER_CELL = 40;
const MAX_WIDTH = 480; // of a picture, in pixels
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
/** A free cell with a ring. */
const MISSED = ['stroke="#fff" stroke-width=".82"', 'stroke="#14304f" stroke-width=".56"'];

/** Returns a picture of a position. The stone of the last move has a dot, and cells that were missed have a ring.
    `label` describes it.
    @param {Position} position @param {number | null} lastCell @param {string} label @param {number[]} missed */
export function svgText(position, lastCell, label, missed = []) {
  const { variant, first, second } = position;
  const dots = (/** @type {bigint} */ stones) => cellsOf(stones).map((cell) => `M${centre(variant, cell)}h0`);
  const parts = [
    labels(variant),
    path(HOLES, holes(variant)),
    path(FIRST, dots(first)),
    ...SECOND.map((attributes) => path(attributes, dots(second))),
    ...LINE.map((attributes) => path(attributes, lines(position))),
    ...MISSED.map((attributes) => path(attributes, missed.flatMap((cell) => dots(bit(cell))))),
    path(LAST, lastCell === null ? [] : dots(bit(lastCell))),
  ];
  return framed(variant, parts.join(""), label);
}

/** Returns the whole picture with the board behind its parts.
    @param {Variant} variant @param {string} content @param {string} label */
function framed(variant, content, label) {
  const side = variant.gravity ? 0 : 0.5; // for names of rows
  const [width, height] = [variant.width + 2 * FRAME_WIDTH + side, variant.height + 0.5 + FRAME_WIDTH];
  const inPixels = (/** @type {number} */ cells) => (cells * Math.min(PIXELS_PER_CELL, MAX_WIDTH / width)).toFixed(0);
  const frame = [0.5 - FRAME_WIDTH - side, 0, width, height].map(short);
  const [x, y, w, h] = frame;
  return (
    `<svg class="bo" viewBox="${frame.join(" ")}" role="img" aria-label="${label}" ` +
    `xmlns="http://www.w3.org/2000/svg" width="${inPixels(width)}" height="${inPixels(height)}" ` +
    `fill="none" stroke-linecap="round"><rect x="${x}" y="${y}" width="${w}" height="${h}" rx=".2" fill="#2a5587"/>` +
    `${content}</svg>`
  );
}

/** @param {Variant} variant */
function labels({ width, height, gravity }) {
  const rows = range(gravity ? 0 : height).map((y) => `<text x=".22" y="${short(y + 1.12)}">${rowName(y)}</text>`);
  const xs = range(width).map((x) => x + 1).join(" ");
  return `<g font-size=".34" ${LABELS}><text x="${xs}" y=".37">${COLUMN_NAMES.slice(0, width)}</text>${rows.join("")}</g>`;
}

/** Returns one line for each row. Its dashes of length 0 become dots. @param {Variant} variant */
const holes = ({ width, height }) => range(height).map((y) => `M1 ${y + 1}h${short(width - 0.9)}`);

/** Returns a stroke for each complete line. @param {Position} position */
export const lines = ({ variant, first, second }) =>
  [...variant.starts(first), ...variant.starts(second)].flatMap(({ step, starts }) => {
    const length = (variant.connect - 1) * Number(step);
    return cellsOf(starts).map((cell) => `M${centre(variant, cell)}L${centre(variant, cell + length)}`);
  });

/** @param {Variant} variant @param {number} cell */
const centre = (variant, cell) => `${variant.columnOf(cell) + 1} ${variant.height - variant.rowOf(cell)}`;

/** @param {string} attributes @param {string[]} data */
const path = (attributes, data) => (data.length ? `<path ${attributes} d="${data.join("")}"/>` : "");

/** Returns a number with at most two decimals, without zeros that mean nothing. @param {number} value */
const short = (value) => `${Number(value.toFixed(2))}`.replace(/^(-?)0\./, "$1.");
