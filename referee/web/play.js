// @ts-check
// A person plays against a bot of the server (serve/visitors_games.py): the choice of a bot, and the page of a game. The
// stream of the game begins with all its events so far, so after a lost connection the page begins again. All text is set
// as text.

import { Board, isCalm } from "../../protocol/web/board.js";
import { html, ignoreSwitchedOff, isCommand, switchOff } from "../../protocol/web/dom.js";
import { COLUMN_NAMES, moveAt, moveName, playAll } from "../../protocol/web/names.js";
import { Position, range, STEAL, Variant } from "../../protocol/web/rules.js";
import { askValues, loadEngine, OPEN, rowOf } from "./board_engine.js";
import { Chips, pressOf, ROOM } from "./board_parts.js";
import { time } from "./texts.js";

const LEAST_MS = 400; // between a move of the person and the answer, so that one sees whose stone falls

/** @param {string} id @returns {any} */
const find = (id) => document.getElementById(id);

/** Send JSON, and say what is wrong if it is refused.
 * @param {string} address @param {object} body @returns {Promise<Response | null>} */
async function send(address, body) {
  let problem = "The server does not answer.";
  try {
    const answer = await fetch(address, { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } });
    if (answer.ok) return answer;
    problem = await answer.text();
  } catch { /* it is said below */ }
  find("problem").textContent = problem;
  return null;
}

/** @param {string} folder that of the pages to play @param {object} choice */
async function begin(folder, choice) {
  const answer = await send(`${folder}games`, choice);
  if (answer) location.assign(`${folder}games/${(await answer.json()).id}/`);
}

find("choice")?.addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  const chosen = Object.fromEntries(new FormData(find("choice")));
  begin("", { ...chosen, seat: Number(chosen.seat) });
});

function showGame() {
  const { variant: rules, seat, again, board: folder } = JSON.parse(find("data").textContent);
  const { width: w, height: h, gravity } = rules;
  const { bot } = again;
  const variant = new Variant(w, h, rules.connect, rules);
  const board = new Board(variant, { label: "Board", above: folder ? ROOM : 0 });
  const chips = new Chips(board);
  /** @type {any[]} */
  let moves = [];
  /** @type {any} */
  let ended = null;
  /** @type {any} */
  let engine = null;
  /** @type {import("./board_parts.js").Value[] | null} */
  let scores = null;
  let asking = new AbortController();
  let [said, isStarted, isLost, isMine] = ["", false, false, false];
  let movedAt = 0; // the time of the person's last move
  let queue = Promise.resolve();

  const wire = () => moves.map(({ move }) => move);
  const played = () => playAll(new Position(variant), wire(), moveAt);
  /** @param {string} name */
  const place = (name) => (name === "s" && rules.steal ? "the steal" : `${gravity ? "column " : ""}${name}`);

  // Events

  /** @param {any} event */
  function take(event) {
    isMine = event.event === "turn" || (isMine && event.event === "remark");
    if (event.event === "snapshot") [moves, said, isLost] = [[], "", false];
    else if (event.event === "game_started") isStarted = true;
    else if (event.event === "move") [said, scores] = [event.bot === bot ? "" : said, null, moves.push(event)];
    else if (event.event === "remark") said = event.text;
    else if (event.event !== "turn") {
      ended = event;
      source.close();
    }
  }

  const source = new EventSource("events");
  source.onmessage = ({ data }) => {
    queue = queue.then(async () => {
      const event = JSON.parse(data);
      const rest = isCalm() || event.bot !== bot ? 0 : movedAt + LEAST_MS - Date.now();
      if (rest > 0) await new Promise((resolve) => { setTimeout(resolve, rest); });
      take(event);
      draw();
      if (event.event === "move") find("live").textContent = `${event.bot} plays ${place(names().at(-1) ?? "")}.`;
      if (isMine || ended) find("live").textContent += ` ${turn()}`;
    });
  };
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) ended ??= { text: "The server has forgotten this game." };
    isLost = true;
    draw();
  };

  // What the page says

  function turn() {
    if (ended) return ended.text;
    if (isLost) return "The connection is lost. Trying again …";
    if (isMine) return `Your turn: choose a ${gravity ? "column" : "cell"}.`;
    return isStarted ? `${bot} is thinking …` : `${bot} starts …`;
  }

  const names = () => played().moves.map((move) => moveName(variant, move));

  function drawBoard() {
    const { positions, moves: cells } = played();
    board.draw(positions[cells.length], cells.at(-1));
    chips.draw(scores ?? []);
    return positions[cells.length];
  }

  function draw() {
    const position = drawBoard();
    board.node.setAttribute("aria-label", `Board after ${moves.length} moves`);
    find("turn").textContent = turn();
    find("said").textContent = said && `${bot}: ${said}`;
    find("line").textContent = ended?.line ?? "";
    find("stderr").textContent = ended?.stderr ?? "";
    find("end").hidden = !ended;
    find("links").hidden = ended?.event !== "game_ended";
    find("steal").hidden = !(variant.steal && moves.length === 1 && isMine);
    find("values").hidden = !folder || Boolean(ended);
    const written = names();
    find("moves").replaceChildren(...moves.map(({ ms }, i) => html("li", {}, html("span", { class: "at" }, String(i + 1)),
      html("span", { class: `p${1 + (i % 2)}` }, written[i]), html("span", { class: "ms" }, time(ms)))));
    find("moves").scrollTop = find("moves").scrollHeight;
    for (const [i, node] of press.buttons.entries()) {
      const column = range(h).map((y) => variant.cell(i % w, y));
      const cells = gravity ? column : [column[h - 1 - Math.floor(i / w)]];
      const stones = cells.map((cell) => position.ownerOf(cell)).filter(Boolean).map((owner) => (owner === seat ? "you" : bot));
      const name = gravity ? COLUMN_NAMES[i] : moveName(variant, cells[0]);
      switchOff(node, !isMine || stones.length === cells.length);
      node.setAttribute("aria-label", `Play ${place(name)}${stones.length ? `. From below: ${stones.join(", ")}` : ""}`);
    }
    look();
  }

  // The values of columns, from the engine of the board

  async function look() {
    if (!engine || scores || ended || find("values").getAttribute("aria-pressed") !== "true") return;
    const asked = moves.length;
    const position = played().positions[asked];
    scores = rowOf(position, new Map(), OPEN);
    asking.abort(); // the question before
    asking = new AbortController();
    await askValues(engine, position, asking.signal, (row) => {
      if (moves.length !== asked || ended || !scores) return;
      scores = row;
      drawBoard();
    }).catch(() => {});
  }

  find("values").addEventListener("click", async () => {
    find("values").setAttribute("aria-pressed", String(find("values").getAttribute("aria-pressed") !== "true"));
    scores = null;
    engine ??= await loadEngine(folder);
    draw();
  });

  // Moves of the person

  /** @param {any} move */
  async function choose(move) {
    if (!isMine) return;
    [isMine, movedAt] = [false, Date.now()];
    find("problem").textContent = "";
    if (!(await send("moves", { ply: moves.length, move }))) isMine = !ended;
  }

  const press = pressOf(board, (x, y) => choose(y === null ? x : [x, y]));
  document.addEventListener("keydown", (event) => {
    const x = COLUMN_NAMES.indexOf(event.key);
    if (gravity && x >= 0 && x < w && !isCommand(event) && !event.repeat) press.buttons[x].click();
  });

  // Put together

  find("game").style.setProperty("--ratio", String(board.width / (board.height + board.above)));
  document.querySelector(".stage")?.append(board.node, press.node);
  ignoreSwitchedOff();
  find("steal").addEventListener("click", () => choose(STEAL));
  find("again").addEventListener("click", () => begin("../../", { ...again, seat }));
  find("other").addEventListener("click", () => begin("../../", { ...again, seat: 3 - seat }));
  draw();
}

if (find("data")) showGame();
