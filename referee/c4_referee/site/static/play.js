/* A person plays against a bot of the server (serve/games.py): the choice of a bot, and the page of a game. The stream of
   the game begins with all its events so far, so after a lost connection the page begins again. All text is set as text. */

import { cellsOf, lineThrough, makeBoard, nameOf } from "./boards.js";

const LEAST_MS = 400; // between a move of the person and the answer, so that one sees whose stone falls
const COLUMNS = "123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const STEAL = -2;
const isCalm = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {string} id @returns {any} */
const find = (id) => document.getElementById(id);

/** @param {string} tag @param {Record<string, string>} attributes @param {(Node | string)[]} children */
function html(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

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
  const { variant, seat, bot, again, board: folder } = JSON.parse(find("data").textContent);
  const { width: w, height: h, gravity } = variant;
  const board = makeBoard(variant, { label: "Board", big: true });
  /** @type {any[]} */
  let moves = [];
  /** @type {any} */
  let ended = null;
  /** @type {any} */
  let engine = null;
  let said = "";
  let isStarted = false;
  let isLost = false;
  let sent = -1; // the ply of the last move that was sent
  let movedAt = 0;
  let queue = Promise.resolve();
  /** @type {(number | null)[] | null} */
  let scores = null;

  /** @param {number} ms */
  const time = (ms) => (ms < 1000 ? `${ms.toFixed(ms < 10 ? 1 : 0)} ms` : `${(ms / 1000).toFixed(1)} s`);
  const wire = () => moves.map(({ move }) => move);
  const isOver = () => {
    const cells = cellsOf(variant, wire());
    return ended || lineThrough(variant, cells) || new Set(cells.map(({ x, y }) => x + w * y)).size === w * h;
  };
  const isMine = () => isStarted && !isOver() && moves.length % 2 === seat - 1;
  /** @param {any} move */
  const place = (move) => (gravity && move !== STEAL ? `column ${nameOf(move)}` : move === STEAL ? "the first stone" : nameOf(move));

  // Events

  /** @param {any} event */
  function take(event) {
    if (event.event === "snapshot") {
      [moves, said, sent, isLost] = [[], "", -1, false];
      event.events.forEach(take);
    } else if (event.event === "game_started") isStarted = true;
    else if (event.event === "move") {
      moves.push(event);
      scores = null;
      if (event.bot === bot) said = "";
      movedAt = Date.now();
    } else if (event.event === "remark" && moves[event.ply]?.bot === bot) said = event.text;
    else if (event.text && event.event !== "remark") {
      ended = event;
      source.close();
    }
  }

  const source = new EventSource("events");
  source.onmessage = ({ data }) => {
    queue = queue.then(async () => {
      const event = JSON.parse(data);
      const rest = movedAt + LEAST_MS - Date.now();
      if (event.event === "move" && event.bot === bot && rest > 0 && !isCalm.matches) await new Promise((resolve) => { setTimeout(resolve, rest); });
      take(event);
      draw();
      tell(event);
    });
  };
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) ended ??= { event: "gone", text: "This game is over: the server has forgotten it." };
    isLost = !ended;
    draw();
  };
  addEventListener("pagehide", () => { if (!ended) navigator.sendBeacon("leave"); });

  // What the page says

  function turn() {
    if (ended) return ended.text;
    if (isLost) return "The connection is lost. Trying again …";
    if (!isStarted) return `${bot} starts …`;
    if (isMine()) return gravity ? "Your turn: choose a column." : "Your turn: choose a cell.";
    return isOver() ? "The game is over." : `${bot} is thinking …`;
  }

  /** @param {any} event */
  function tell(event) {
    const move = event.event === "move" ? `${event.bot} plays ${place(event.move)}. ` : "";
    if (move || event.event !== "remark") find("live").textContent = move + (isMine() || ended ? turn() : "");
  }

  /** @param {any} event */
  function fault({ fault: wrong, stderr }) {
    return [
      ...(wrong?.line ? [html("p", {}, "It wrote:"), html("pre", {}, wrong.line)] : []),
      ...(stderr ? [html("p", {}, "Its standard error:"), html("pre", { tabindex: "0" }, stderr)] : []),
    ];
  }

  function draw() {
    const cells = cellsOf(variant, wire());
    board.show(cells, { scores });
    board.node.setAttribute("aria-label", `Board after ${moves.length} moves`);
    find("turn").textContent = turn();
    find("said").textContent = said && `${bot}: ${said}`;
    if (ended) find("fault").replaceChildren(...fault(ended));
    find("end").hidden = !ended;
    find("links").hidden = ended?.event !== "game_ended";
    find("steal").hidden = !(variant.steal && moves.length === 1 && isMine());
    find("values").hidden = !folder || Boolean(ended);
    find("moves").replaceChildren(...moves.map(({ move, ms }, i) => html("li", {}, html("span", { class: "at" }, String(i + 1)),
      html("span", { class: `p${1 + (i % 2)}` }, nameOf(move)), html("span", { class: "ms" }, time(ms)))));
    find("moves").scrollTop = find("moves").scrollHeight;
    for (const button of buttons) {
      const own = cells.filter(({ x, y }) => x === button.x && (gravity || y === button.y));
      button.node.setAttribute("aria-disabled", String(!isMine() || own.length === (gravity ? h : 1)));
      const stones = own.map(({ player }) => (player === seat ? "you" : bot)).join(", ");
      button.node.setAttribute("aria-label", `Play ${place(button.move)}${stones && `. From below: ${stones}`}`);
    }
    look();
  }

  // The values of columns, from the engine of the board

  async function look() {
    const [asked, isOn] = [moves.length, find("values").getAttribute("aria-pressed") === "true"];
    if (!engine || !isOn || scores || ended) return;
    scores = Array(w).fill(null);
    /** @param {any[]} row */
    const use = (row) => {
      if (moves.length !== asked || ended || !scores) return;
      scores = row.map((bounds) => (bounds && bounds.low === bounds.high ? bounds.low : null));
      board.show(cellsOf(variant, wire()), { scores });
    };
    await engine.values(wire(), use).then(use, () => {}); // it is stopped by the next question
  }

  async function toggleValues() {
    const isOn = find("values").getAttribute("aria-pressed") !== "true";
    find("values").setAttribute("aria-pressed", String(isOn));
    scores = null;
    if (isOn && !engine) {
      await new Promise((resolve, reject) => {
        const script = html("script", { src: `${folder}replays.js` });
        Object.assign(script, { onload: resolve, onerror: reject });
        document.head.append(script);
      });
      // @ts-expect-error: replays.js defines it
      engine = await new globalThis.C4ReplayEngine({ width: w, height: h, connect: variant.connect }, folder).ready;
    }
    draw();
  }

  // Moves of the person

  /** @param {any} move */
  function choose(move) {
    if (!isMine() || sent === moves.length) return;
    sent = moves.length;
    find("problem").textContent = "";
    send("moves", { ply: sent, move }).then((answer) => { if (!answer) sent = -1; });
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
  const steps = new Map([["ArrowLeft", -1], ["ArrowRight", 1], ["ArrowUp", -w], ["ArrowDown", w]]);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const at = buttons.findIndex(({ node }) => node === document.activeElement);
    const next = buttons[at + (steps.get(event.key) ?? 0)];
    if (gravity && COLUMNS.slice(0, w).includes(event.key)) buttons[COLUMNS.indexOf(event.key)].node.click();
    else if (at >= 0 && steps.has(event.key) && next) {
      event.preventDefault();
      next.node.focus();
    }
  });

  // Put together

  const [, , width, height] = (board.node.getAttribute("viewBox") ?? "").split(" ").map(Number);
  find("game").style.setProperty("--ratio", String(width / height));
  board.node.style.setProperty("--size", `${0.34 * Math.ceil(w / 13)}px`);
  press.style.gridTemplate = gravity ? `.8fr ${h + 0.65}fr / .15fr repeat(${w}, 1fr) .15fr` : `1.3fr repeat(${h}, 1fr) .15fr / .65fr repeat(${w}, 1fr) .15fr`;
  document.querySelector(".stage")?.append(board.node, press);
  find("steal").addEventListener("click", () => choose(STEAL));
  find("values").addEventListener("click", toggleValues);
  find("again").addEventListener("click", () => begin("../../", { ...again, seat }));
  find("other").addEventListener("click", () => begin("../../", { ...again, seat: 3 - seat }));
  draw();
}

if (find("data")) showGame();
