// @ts-check
// A contest in progress. A stream of lists of messages (serve/watch.py) begins with a snapshot, and goes on with what
// happens. After a lost connection, the browser names the last list that it has, so that none is missed or comes twice.
// All text is set as text, never as HTML.

import { Board } from "../../protocol/web/board.js";
import { html } from "../../protocol/web/dom.js";
import { moveAt, moveNamed, namesIn, playAll, signed } from "../../protocol/web/names.js";
import { Position, Variant } from "../../protocol/web/rules.js";
import { plural, time } from "./texts.js";

/** @typedef {{width: number, height: number, connect: number, gravity: boolean, directions: string[], steal: boolean}} Rules */
/** @typedef {{game: number, first: string, second: string, variant: Rules, opening: string, moves: any[], remark?: string}} Game */
/** @typedef {{game: number, first: string, second: string, winner: number, ending: string, moves: string, fault: any, variant: Rules}} Result */
/** @typedef {{rank: number, bot: string, page: number, points: number, games: number, rating: number | null}} Row */
/** @typedef {{game: Game, position: Position, last: number | null, ms: number | null, over: string, board: Board,
      node: HTMLElement, dirty: boolean}} Tile */

const MAX_SHOWN = 12;
const MAX_FINAL = 4; // last positions while no game can be watched
const TURN_MS = 10000; // time of a board in the room
const RETRY_MS = 5000; // pause if the server has refused the stream
const live = find("#live");
const inRoom = live.classList.contains("room");

/** @type {Tile[]} */
let tiles = [];
/** @type {{moves: string, running: boolean, done: number, scheduled: number, bound: string, complete: boolean, games: Game[], results: Result[], moments: {text: string}[], standings: Row[]}} */
let state = { moves: "live", running: true, done: 0, scheduled: 0, bound: "", complete: false, games: [], results: [], moments: [], standings: [] };
let shown = 0; // number of the game in the room
let isDrawing = false;

/** @param {string} selector @returns {HTMLElement} */
function find(selector) {
  return /** @type {HTMLElement} */ (document.querySelector(selector));
}

/** @param {number} points */
const pointsText = (points) => `${points >= 1 || points === 0 ? Math.floor(points) : ""}${points % 1 ? "½" : ""}`;
/** @param {Result} result */
const score = (result) => (result.ending === "void" ? "void" : ["½-½", "1-0", "0-1"][result.winner]);
/** @param {Result} result */
function ending(result) {
  if (result.ending === "void") return "void: it counts for neither bot";
  if (!result.winner) return "a draw";
  return `${result.winner === 1 ? result.first : result.second} wins${result.fault ? `: ${result.fault.fault}` : ""}`;
}

// Messages

/** @type {Record<string, (message: any) => void>} */
const HANDLERS = {
  snapshot(message) {
    state = message;
    tiles = state.games.length ? state.games.map(newTile) : state.results.slice(-MAX_FINAL).map(finalTile);
  },
  progress: (message) => Object.assign(state, message),
  running: (message) => Object.assign(state, message),
  game_started(message) {
    put(newTile({ ...message, moves: [] }));
  },
  move(message) {
    const tile = tileOf(message.game);
    if (!tile || tile.over) return; // a result can come before the last move
    playOn(tile, [message.move], moveAt);
    Object.assign(tile, { ms: message.ms, dirty: true });
    tile.game.remark = "";
  },
  remark(message) {
    const tile = tileOf(message.game);
    if (tile && !tile.over) [tile.game.remark, tile.dirty] = [message.text, true];
  },
  game_rolled_back(message) {
    tiles = tiles.filter(({ game }) => game.game !== message.game);
  },
  game_ended(message) {
    state.results = [...state.results, message].slice(-MAX_SHOWN);
    const tile = tileOf(message.game);
    if (tile) finish(tile, message);
    else put(finalTile(message)); // a quick game, or one on a cluster
  },
  moment(message) {
    state.moments = [...state.moments, message].slice(-MAX_SHOWN);
  },
  standings(message) {
    state.standings = message.bots;
  },
  end() {
    state.complete = true;
    stream.close();
  },
};

/** @param {number} number */
const tileOf = (number) => tiles.find(({ game }) => game.game === number);

/** @template T @param {Tile} tile @param {T[]} moves @param {(position: Position, move: T) => number | null} read */
function playOn(tile, moves, read) {
  const { positions, moves: played } = playAll(tile.position, moves, read);
  Object.assign(tile, { position: positions[played.length], last: played.at(-1) ?? tile.last });
}

/** @param {Game} game @returns {Tile} */
function newTile(game) {
  const { width, height, connect } = game.variant;
  const variant = new Variant(width, height, connect, game.variant);
  const board = new Board(variant, { names: "", label: `${game.first} against ${game.second}` });
  const node = html("figure", {}, board.node, html("figcaption"));
  /** @type {Tile} */
  const tile = { game, position: new Position(variant), last: null, ms: null, over: "", board, node, dirty: true };
  playOn(tile, namesIn(variant, game.opening), moveNamed);
  playOn(tile, game.moves, moveAt);
  return tile;
}

/** @param {Tile} tile @param {Result} result */
function finish(tile, result) {
  const { variant } = tile.board;
  tile.position = new Position(variant);
  playOn(tile, namesIn(variant, result.moves), moveNamed);
  Object.assign(tile, { over: ending(result), dirty: true });
}

/** @param {Result} result */
function finalTile(result) {
  const tile = newTile({ ...result, opening: "", moves: [] });
  finish(tile, result);
  return tile;
}

/** Put a board in the place of one whose game has ended, or add it.
 * @param {Tile} tile */
function put(tile) {
  const over = tiles.filter((each) => each.over && each.game.game !== shown).sort((one, other) => one.game.game - other.game.game);
  const old = tileOf(tile.game.game) ?? (!tile.over || over.length >= MAX_FINAL ? over[0] : undefined);
  tiles = old ? tiles.map((each) => (each === old ? tile : each)) : [...tiles, tile];
}

// Drawing: at most once for each picture of the screen

function draw() {
  isDrawing = false;
  for (const tile of tiles.filter(({ dirty }) => dirty)) drawTile(tile);
  update("#boards", (inRoom ? chosen() : tiles).map(({ node }) => node));
  const { done, scheduled, bound, standings, moments, results } = state;
  find("#count").textContent = scheduled ? `${done} of ${bound && `${bound} `}${plural(scheduled, "game")}` : "";
  drawStatus();
  update("#table tbody", standings.map(rowOf));
  update("#moments ol", moments.map(({ text }) => html("li", {}, text)).reverse());
  update("#results ol", results.map(resultItem).reverse());
}

/** Make these the children of an element, and touch nothing if they are equal: a link keeps the focus, a stone falls.
 * @param {string} selector @param {Node[]} nodes */
function update(selector, nodes) {
  const parent = find(selector);
  const isSame = parent.childNodes.length === nodes.length && nodes.every((node, i) => node.isEqualNode(parent.childNodes[i]));
  if (!isSame) parent.replaceChildren(...nodes);
}

/** @param {Tile} tile */
function drawTile(tile) {
  const { game, position, last, ms, over } = tile;
  tile.dirty = false;
  tile.board.draw(position, last);
  tile.node.classList.toggle("over", Boolean(over));
  const names = [game.first, game.second].map((name, i) => {
    const isNext = !over && position.player === i + 1;
    const took = !isNext && !over && ms !== null ? time(ms) : "";
    return html("b", { class: `p${i + 1}${isNext ? " next" : ""}` }, html("span", { title: name }, name), html("i", {}, took));
  });
  const text = over || game.remark || `game ${game.game}`;
  tile.node.children[1].replaceChildren(...names, html("small", { title: text }, text));
}

function drawStatus() {
  const status = find("#status");
  const { running, complete, moves } = state;
  const isLost = stream.readyState !== EventSource.OPEN && !complete;
  const paused = running ? (moves === "live" ? "" : "On this cluster, the moves of a game come with its result.") : "Not in progress.";
  const text = complete ? "The contest has ended." : isLost ? "Connection lost, trying again." : paused;
  status.classList.toggle("lost", isLost);
  if (status.textContent?.trim() === text) return;
  status.replaceChildren(text, ...(complete && !inRoom ? [" ", html("a", { href: "index.html" }, "All results")] : []));
}

/** @param {Row} row */
function rowOf({ rank, bot, page, points, games, rating }) {
  const link = html("a", { class: "bot", href: `bots/${page}.html` }, bot);
  const cell = (/** @type {string} */ text, name = "n") => html("td", { class: name }, text);
  return html("tr", {}, cell(String(rank)), html("td", { class: "name" }, link), cell(pointsText(points)), cell(String(games)), cell(rating === null ? "\u2013" : signed(Math.round(rating)), "n rating"));
}

/** @param {Result} result */
function resultItem(result) {
  const link = html("a", { href: `games/${result.game}.html` }, `Game ${result.game}`);
  return html("li", {}, link, ` ${result.first} ${score(result)} ${result.second}`);
}

function later() {
  if (!isDrawing) requestAnimationFrame(draw);
  isDrawing = true;
}

// The room: the boards that matter most, in turn. Games of the leaders come first, then long ones.

function ranked() {
  const ranks = new Map(state.standings.map(({ bot, rank }) => [bot, rank]));
  const place = (/** @type {Tile} */ { game }) => (ranks.get(game.first) ?? MAX_SHOWN) + (ranks.get(game.second) ?? MAX_SHOWN);
  const open = tiles.filter(({ over }) => !over);
  return (open.length ? open : [...tiles]).sort((one, other) => place(one) - place(other) || other.position.ply - one.position.ply).slice(0, 6);
}

function chosen() {
  const tile = tileOf(shown) ?? ranked()[0];
  shown = tile?.game.game ?? 0;
  return tile ? [tile] : [];
}

function turn() {
  const order = ranked();
  const at = order.findIndex(({ game }) => game.game === shown);
  shown = order[(at + 1) % order.length]?.game.game ?? 0;
  later();
}

// The stream

/** @type {EventSource} */
let stream;

function connect() {
  stream = new EventSource("events");
  stream.onmessage = ({ data }) => {
    for (const message of JSON.parse(data)) HANDLERS[message.event]?.(message);
    later();
  };
  stream.onopen = later;
  stream.onerror = () => {
    if (stream.readyState === EventSource.CLOSED && !state.complete) setTimeout(connect, RETRY_MS);
    later();
  };
}

connect();
if (inRoom) setInterval(turn, TURN_MS);
