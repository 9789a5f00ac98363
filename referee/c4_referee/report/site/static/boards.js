/* Boards of games in progress, with the look of the replays (replay.js).

   A cell is {x, y, player}: columns count from the left, rows from the top, both from 0. A list of cells has one for
   each move. The steal has the cell of the stone that it takes over, so the last cell at a place says whose it is. */

/** @typedef {{width: number, height: number, connect: number, gravity: boolean, directions: string[], steal: boolean}} Variant */
/** @typedef {{x: number, y: number, player: number}} Cell */
/** @typedef {number | number[] | string} Move A column, [column, row] where stones do not fall, or "steal". */

const ROWS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
export const COLUMNS = "123456789" + ROWS;
const DIRECTIONS = new Map([["horizontal", [[1, 0]]], ["vertical", [[0, 1]]], ["diagonal", [[1, 1], [1, -1]]]]);
const LAYERS = [["b1"], ["b2", "br", "bi"]];
export const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @template {Element} E @param {E} node @param {Record<string, string | number>} attributes @param {(Node | string)[]} children */
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}
/** @param {string} tag @param {Record<string, string | number>} [attributes] @param {(Node | string)[]} children */
export const html = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
/** @param {string} tag @param {Record<string, string | number>} [attributes] @param {(Node | string)[]} children */
const svg = (tag, attributes = {}, ...children) => fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
/** @param {number} ms */
export const time = (ms) => (ms < 1000 ? `${ms.toFixed(ms < 10 ? 1 : 0)} ms` : `${(ms / 1000).toFixed(1)} s`);

/** Return the moves of a move string, such as "4453" or "d4 d5".
 * @param {Variant} variant @param {string} moveString @returns {Move[]} */
export function movesOf(variant, moveString) {
  if (!variant.gravity) return moveString.split(" ").filter(Boolean).map((name) => [parseInt(name.slice(1), 10) - 1, ROWS.indexOf(name[0])]);
  return [...moveString].map((name) => (variant.steal && name === "s" ? "steal" : COLUMNS.indexOf(name)));
}

/** Return the name of a move, as in move strings.
 * @param {Move} move */
export function nameOf(move) {
  if (Array.isArray(move)) return ROWS[move[1]] + (move[0] + 1);
  return typeof move === "number" && move >= 0 ? COLUMNS[move] : "s";
}

/** @param {Variant} variant @param {Move[]} moves @returns {Cell[]} */
export function cellsOf(variant, moves) {
  /** @type {Cell[]} */
  const cells = [];
  const tops = Array(variant.width).fill(variant.height);
  moves.forEach((move, i) => {
    const player = 1 + (i % 2);
    if (Array.isArray(move)) cells.push({ x: move[0], y: move[1], player });
    else if (typeof move === "number" && move >= 0) cells.push({ x: move, y: --tops[move], player });
    else cells.push({ ...cells[0], player });
  });
  return cells;
}

/** Return the ends of the line that the last move completes, or null.
 * @param {Variant} variant @param {Cell[]} cells @returns {[Cell, Cell] | null} */
export function lineThrough(variant, cells) {
  const last = cells[cells.length - 1];
  if (!last) return null;
  const players = new Map(cells.map(({ x, y, player }) => [`${x} ${y}`, player]));
  for (const name of variant.directions) {
    for (const [dx, dy] of DIRECTIONS.get(name) ?? []) {
      const [start, end] = [-1, 1].map((sign) => {
        let { x, y } = last;
        while (players.get(`${x + sign * dx} ${y + sign * dy}`) === last.player) [x, y] = [x + sign * dx, y + sign * dy];
        return { x, y, player: last.player };
      });
      if (Math.max(end.x - start.x, Math.abs(end.y - start.y)) + 1 >= variant.connect) return [start, end];
    }
  }
  return null;
}

/** Return a board: `node` is its picture, and `show` draws a position. `label` describes it for people who do not see
 * it. A big board has names of columns, and room for the values of the columns.
 * @param {Variant} variant @param {{label?: string, big?: boolean}} [options] */
export function makeBoard(variant, { label = "", big = false } = {}) {
  const { width, height, gravity } = variant;
  const step = Math.ceil(width / 13); // on a wide board only some columns have names, in larger letters
  const frame = 0.15 * step;
  const left = 0.5 - frame - (gravity || !big ? 0 : 0.5 * step);
  const top = 0.5 - (big ? 0.5 * step : frame);
  const [right, bottom] = [width + 0.5 + frame, height + 0.5 + frame];
  const stones = svg("g");
  const marks = svg("g");
  const values = svg("g", { class: "chips" });
  const node = svg("svg", { class: big ? "bo big" : "bo", viewBox: `${left} ${top} ${right - left} ${bottom - top}`, role: "img", "aria-label": label },
    svg("rect", { class: "bk", x: 0.55, y: 0.55, width: width - 0.1, height: height - 0.1 }), stones, front(), ...(big ? [names()] : []), values, marks);
  /** @type {{cell: Cell, node: Element}[]} */
  const drawn = [];

  /* The front has real holes: stones drop behind it. */
  function front() {
    let path = `M${left} ${top + 0.2}a.2.2 0 0 1 .2-.2H${right - 0.2}a.2.2 0 0 1 .2.2V${bottom - 0.2}a.2.2 0 0 1-.2.2H${left + 0.2}a.2.2 0 0 1-.2-.2z`;
    for (let y = 1; y <= height; y += 1) for (let x = 1; x <= width; x += 1) path += `M${x - 0.41} ${y}a.41.41 0 1 0 .82 0a.41.41 0 1 0-.82 0z`;
    return svg("path", { class: "bf", d: path, "fill-rule": "evenodd" });
  }

  function names() {
    const group = svg("g", { class: "bt", "font-size": 0.34 * step });
    for (let i = step; i <= width; i += step) group.append(svg("text", { x: i, y: 0.5 - 0.13 * step }, gravity ? COLUMNS[i - 1] : String(i)));
    for (let i = step; i <= height && !gravity; i += step) group.append(svg("text", { x: 0.5 - 0.28 * step, y: i + 0.12 * step }, ROWS[i - 1]));
    return group;
  }

  /** @param {Cell} cell @param {string[]} layers */
  const dots = ({ x, y }, layers) => layers.map((name) => svg("path", { class: name, d: `M${x + 1} ${y + 1}h0` }));

  /** @param {Cell[]} cells */
  function showStones(cells) {
    let same = 0;
    while (same < drawn.length && same < cells.length && isSame(drawn[same].cell, cells[same])) same += 1;
    const isNext = same === drawn.length && cells.length === same + 1;
    for (const { node: old } of drawn.splice(same)) old.remove();
    for (const cell of cells.slice(same)) {
      const stone = svg("g", {}, ...dots(cell, LAYERS[cell.player - 1]));
      stones.append(stone);
      drawn.push({ cell, node: stone });
    }
    if (isNext && gravity && !isCalm()) drop(drawn[same]);
  }

  /** @param {{cell: Cell, node: Element}} stone */
  function drop({ cell, node: stone }) {
    const fall = cell.y + 1.2;
    const ms = 100 + 80 * Math.sqrt(fall);
    stone.animate([{ transform: `translateY(${-fall}px)`, easing: "cubic-bezier(.5,.05,.9,.6)" }, { transform: "none" }], ms);
    marks.animate({ opacity: [0, 0, 1] }, ms); // the mark of the last stone comes when it has landed
  }

  /** @param {number} value @param {number} x @param {number} best */
  function chip(value, x, best) {
    const outcome = value > 0 ? "win" : value < 0 ? "loss" : "draw";
    const text = value > 0 ? `+${value}` : String(value).replace("-", "\u2212");
    return svg("g", { class: value === best ? `${outcome} best` : outcome },
      svg("rect", { x: x + 0.57, y: 0.05, width: 0.86, height: 0.46, rx: 0.1 }), svg("text", { x: x + 1, y: 0.29 }, text));
  }

  /** Draw a position. `last` gets a dot, `line` a stroke; `scores` are values of the columns, null if there is none.
   * @param {Cell[]} cells
   * @param {{last?: Cell | null, line?: [Cell, Cell] | null, scores?: (number | null)[] | null}} [options] */
  function show(cells, { last = cells[cells.length - 1], line = lineThrough(variant, cells), scores = null } = {}) {
    showStones(cells);
    const ends = line ? `M${line[0].x + 1} ${line[0].y + 1}L${line[1].x + 1} ${line[1].y + 1}` : "";
    marks.replaceChildren(...["bs", "bw"].filter(() => line).map((name) => svg("path", { class: name, d: ends })), ...(last ? dots(last, ["bl"]) : []));
    const best = Math.max(...(scores ?? []).filter((value) => value !== null));
    values.replaceChildren(...(scores ?? []).flatMap((value, x) => (value === null ? [] : [chip(value, x, best)])));
  }

  return { node, show };
}

/** @param {Cell} one @param {Cell} other */
const isSame = (one, other) => one.x === other.x && one.y === other.y && one.player === other.player;
