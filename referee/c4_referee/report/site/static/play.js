/* A person plays against a bot of the server (serve/visitors_games.py): the choice of a bot, and the page of a game. The stream of
   the game begins with all its events so far, so after a lost connection the page begins again. All text is set as text. */

import { COLUMNS, cellsOf, html, isCalm, makeBoard, nameOf, time } from "./boards.js";

const LEAST_MS = 400; // between a move of the person and the answer, so that one sees whose stone falls
const STEAL = -2;

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
  const { variant, seat, again, board: folder } = JSON.parse(find("data").textContent);
  const { width: w, height: h, gravity } = variant;
  const { bot } = again;
  const board = makeBoard(variant, { label: "Board", big: true });
  /** @type {any[]} */
  let moves = [];
  /** @type {any} */
  let ended = null;
  /** @type {any} */
  let engine = null;
  /** @type {(number | null)[] | null} */
  let scores = null;
  let [said, isStarted, isLost, isMine] = ["", false, false, false];
  let movedAt = 0; // the time of the person's last move
  let queue = Promise.resolve();

  const wire = () => moves.map(({ move }) => move);
  /** @param {any} move */
  const place = (move) => (move === STEAL ? "the steal" : `${gravity ? "column " : ""}${nameOf(move)}`);

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
      if (event.event === "move") find("live").textContent = `${event.bot} plays ${place(event.move)}.`;
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

  function draw() {
    const cells = cellsOf(variant, wire());
    board.show(cells, { scores });
    board.node.setAttribute("aria-label", `Board after ${moves.length} moves`);
    find("turn").textContent = turn();
    find("said").textContent = said && `${bot}: ${said}`;
    find("line").textContent = ended?.line ?? "";
    find("stderr").textContent = ended?.stderr ?? "";
    find("end").hidden = !ended;
    find("links").hidden = ended?.event !== "game_ended";
    find("steal").hidden = !(variant.steal && moves.length === 1 && isMine);
    find("values").hidden = !folder || Boolean(ended);
    find("moves").replaceChildren(...moves.map(({ move, ms }, i) => html("li", {}, html("span", { class: "at" }, String(i + 1)),
      html("span", { class: `p${1 + (i % 2)}` }, nameOf(move)), html("span", { class: "ms" }, time(ms)))));
    find("moves").scrollTop = find("moves").scrollHeight;
    for (const { node, x, y, move } of buttons) {
      const stones = cells.filter((cell) => cell.x === x && (gravity || cell.y === y)).map(({ player }) => (player === seat ? "you" : bot));
      node.setAttribute("aria-disabled", String(!isMine || stones.length >= (gravity ? h : 1)));
      node.setAttribute("aria-label", `Play ${place(move)}${stones.length ? `. From below: ${stones.join(", ")}` : ""}`);
    }
    look();
  }

  // The values of columns, from the engine of the board

  async function look() {
    if (!engine || scores || ended || find("values").getAttribute("aria-pressed") !== "true") return;
    const asked = moves.length;
    scores = Array(w).fill(null);
    /** @param {({low: number, high: number} | null)[]} row */
    const use = (row) => {
      if (moves.length !== asked || ended || !scores) return;
      scores = row.map((bounds) => (bounds && bounds.low === bounds.high ? bounds.low : null));
      board.show(cellsOf(variant, wire()), { scores });
    };
    await engine.values(wire(), use).then(use, () => {}); // the next question stops it
  }

  find("values").addEventListener("click", async () => {
    find("values").setAttribute("aria-pressed", String(find("values").getAttribute("aria-pressed") !== "true"));
    scores = null;
    await import(new URL(`${folder}replays.js`, document.baseURI).href);
    // @ts-expect-error: replays.js defines it
    engine ??= await new globalThis.C4ReplayEngine({ width: w, height: h, connect: variant.connect }, folder).ready;
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

  const press = html("div", { class: "press", role: "group", "aria-label": gravity ? "Columns" : "Cells" });
  const buttons = Array.from({ length: gravity ? w : w * h }, (_, i) => {
    const [x, y] = [i % w, Math.floor(i / w)];
    const move = gravity ? x : [x, y];
    const node = html("button", { type: "button" });
    node.style.gridArea = `${y + 2} / ${x + 2}`;
    node.addEventListener("click", () => { if (node.getAttribute("aria-disabled") !== "true") choose(move); });
    press.append(node);
    return { node, x, y, move };
  });
  document.addEventListener("keydown", ({ key, ctrlKey, metaKey, altKey, repeat }) => {
    if (gravity && COLUMNS.slice(0, w).includes(key) && !(ctrlKey || metaKey || altKey || repeat)) buttons[COLUMNS.indexOf(key)].node.click();
  });

  // Put together

  const [, , width, height] = (board.node.getAttribute("viewBox") ?? "").split(" ").map(Number);
  find("game").style.setProperty("--ratio", String(width / height));
  board.node.style.setProperty("--size", `${0.34 * Math.ceil(w / 13)}px`);
  press.style.gridTemplate = gravity ? `0 1fr / .15fr repeat(${w}, 1fr) .15fr` : `.5fr repeat(${h}, 1fr) .15fr / .65fr repeat(${w}, 1fr) .15fr`;
  document.querySelector(".stage")?.append(board.node, press);
  find("steal").addEventListener("click", () => choose(STEAL));
  find("again").addEventListener("click", () => begin("../../", { ...again, seat }));
  find("other").addEventListener("click", () => begin("../../", { ...again, seat: 3 - seat }));
  draw();
}

if (find("data")) showGame();
