/* What the replay of a game can do in a report that has the board: a person plays on from any position, the engine
   answers, and finds values and reasons that are not stored. Before it begins, replay.js calls `c4PlayOn` with the parts
   that are needed here, and later what this function returns. The engine is loaded when it is asked for the first time. */
"use strict";
globalThis.c4PlayOn = (replay) => {
  const { data, game, html, COLUMNS, nameAt, isOver, shown, at } = replay;
  const { w, h, k } = data;
  const LATE_MS = 300; // after this time the card says that the engine is at work
  const LEAST_MS = 400; // between a move and its answer
  const LEVELS = 10;
  const OPEN = "…"; // a value that is not known yet
  const UNKNOWN = "?"; // a value that the engine has not found in its time

  let played = null; // the variation of the person
  let turn = {}; // what is asked and known about the position that is shown; another position has another object
  let engine = null;
  let loading = null;
  let isByPointer = false; // whether a pointer was used last on `select`
  const level = () => +select.value; // of the engine's answers; 0 if a person makes all moves

  // Questions to the engine

  function load() {
    const src = `${data.b}replays.js`;
    loading ??= new Promise((resolve, reject) => {
      document.head.append(html("script", { src, onload: resolve, onerror: () => reject(new Error(`cannot load ${src}`)) }));
    }).then(async () => { engine = await new globalThis.C4ReplayEngine({ width: w, height: h, connect: k }, data.b).ready; });
    loading.catch(() => { loading = null; }); // so that the next question tries again
    return loading;
  }

  /* Uses the answer to a question if the same position is still shown. */
  async function ask(question, use) {
    const asked = turn;
    Object.assign(asked, { isLate: false, problem: "" });
    setTimeout(() => { asked.isLate = true; draw(); }, LATE_MS);
    try {
      await load();
      const answer = asked === turn && await question();
      if (asked === turn) use(answer);
    } catch (error) {
      if (asked !== turn || error.name === "AbortError") return;
      const what = engine ? "The engine failed" : "The engine did not start, perhaps because the folder of the board is not complete";
      turn = { problem: `${what}: ${error.message}.` };
      replay.drawBoard();
      replay.drawCard();
      if (asked.isAwaited || asked.reason) replay.say(turn.problem);
    }
  }

  function begin() {
    turn = {};
    engine?.stop();
    look();
    if (engine && change()) explain(false, true);
  }

  // Values

  /* Asks for the values of the position if they are wanted and not stored. */
  function look() {
    const cells = shown();
    if (!replay.hasValues() || replay.shownRow().length || isOver(cells)) return;
    turn.row = Array.from({ length: w }, (_, x) => (isFree(cells, x) ? OPEN : null));
    const use = (row, open = OPEN) => {
      const before = String(turn.row);
      turn.row = row.map((bounds) => bounds && (bounds.low === bounds.high ? bounds.low : open));
      if (String(turn.row) === before) return;
      replay.drawBoard();
      draw();
    };
    ask(() => engine.values(columnsOf(cells), (row) => use(row)), (row) => use(row, UNKNOWN));
  }

  // The variation of the person

  const columnsOf = (cells) => cells.map(({ x }) => x);
  const isFree = (cells, x) => x >= 0 && x < w && cells.filter((cell) => cell.x === x).length < h && !isOver(cells);
  const canPlay = (x) => !turn.isAwaited && isFree(shown(), x);

  function variation(from, cells) {
    const names = cells.slice(from).map(({ name }) => name);
    return { kind: "p", ply: from, from, cells, names, place: (ply) => names.join("") + (ply < cells.length ? `-${ply - from}` : "") };
  }

  function choose(x) {
    const { track, ply } = at();
    if (document.activeElement === select) focusColumns();
    if (!canPlay(x)) return replay.say(turn.isAwaited ? thinking() : ending() || `Column ${COLUMNS[x]} is full.`);
    if (!level() && track.cells[ply]?.x === x) return replay.forward();
    add(x, "You");
    if (level() && !isOver(shown())) answer();
  }

  function add(x, by) {
    const { track, ply } = at();
    const cells = replay.placed([COLUMNS[x]], shown());
    cells[ply].by = by;
    played = variation(track === game ? ply : track.from, cells);
    replay.go(played.cells.length, { animate: true, push: track.kind !== "p" }, played);
  }

  function answer() {
    const moves = columnsOf(shown());
    const least = new Promise((resolve) => { setTimeout(resolve, LEAST_MS); });
    turn.isAwaited = true;
    ask(async () => (await Promise.all([engine.move(moves, level()), least]))[0], (x) => add(x, `Level ${level()}`));
    draw();
  }

  /* Asks the level that was chosen, if another one is thinking. The focus leaves the select, so that keys step through
     the game again, unless a person goes through the levels with the arrows. */
  function changeLevel() {
    if (turn.isAwaited) {
      begin();
      if (level()) answer();
    }
    draw();
    if (isByPointer) focusColumns();
  }

  const focusColumns = () => buttons[w >> 1].focus({ preventScroll: true });

  /* Returns the track and the ply of a link such as #17p441, or #17p441-2 for the position after two of these moves. */
  function read(hash) {
    const [, ply, names, steps] = /^#(\d+)p(\w+)(?:-(\d+))?$/.exec(hash) || [];
    if (!names) return null;
    const from = Math.min(+ply, game.cells.length);
    let cells = game.cells.slice(0, from);
    for (const name of names) {
      if (!isFree(cells, COLUMNS.indexOf(name))) break;
      cells = replay.placed([name], cells);
    }
    if (cells.length === from) return [game, from];
    played = variation(from, cells);
    return [played, steps ? from + +steps : cells.length];
  }

  // Reasons of the move that changed the result, and of the better one

  const change = () => at().track === game && replay.changeAt.get(at().ply);

  function explain(isBetter, isQuiet) {
    const [ply, , , better] = change();
    const reason = { isBetter, text: isQuiet ? null : "", cells: [] };
    const name = isBetter ? better[0] : game.cells[ply].name;
    turn.reason = reason;
    ask(() => engine.explain(columnsOf(game.cells.slice(0, ply)), COLUMNS.indexOf(name)), ({ text, cells, isMistake }) => {
      Object.assign(reason, isBetter || isMistake ? { text, cells } : { text: null }); // the stored text may know more
      if (turn.reason !== reason) return;
      replay.drawBoard();
      replay.drawCard();
      if (!isQuiet) replay.say(text);
    });
  }

  function toggleReason(isBetter) {
    if (turn.reason?.isBetter === isBetter) turn.reason = null;
    else explain(isBetter);
    replay.drawBoard();
    replay.drawCard();
  }

  function note(about) {
    const { isBetter, text } = turn.reason || {};
    if (!isBetter || !text) return replay.changeNote(about, text);
    return html("p", { class: "note" }, html("b", {}, "Better: "), text);
  }

  const marks = () => (turn.reason?.cells || []).flatMap(([x, row]) => ["under", "over"].map((name) =>
    replay.svg("circle", { class: `mark ${name}`, cx: x + 1, cy: h - row, r: 0.41 })));

  // Texts

  const thinking = () => `Level ${level()} is thinking …`;
  const side = () => (turn.isAwaited || isOver(shown()) ? "" : `You play for ${nameAt(at().ply)}: choose a column.`);

  function ending() {
    const cells = shown();
    if (!isOver(cells)) return "";
    const { by } = cells[cells.length - 1]; // unknown if a link has opened the variation
    const isWon = replay.lineThrough(cells);
    const won = `${k} in a row after ${cells.length} moves, with the stones of ${nameAt(cells.length - 1)}.`;
    return !isWon ? "A draw: the board is full." : by ? `${by === "You" ? "You have" : `${by} has`} ${won}` : won;
  }

  function state() {
    const { track, ply } = at();
    if (turn.problem) return turn.problem;
    if (turn.isLate && turn.isAwaited) return thinking();
    if (turn.isLate && turn.reason?.text === "") return "The engine looks for the reason …";
    const isStored = track === game && (!turn.row || (ply < game.cells.length && data.v?.[ply] != null));
    if (isOver(shown()) || isStored) return ""; // the card of the game has the stored value
    const scores = replay.shownRow().filter((score) => score !== null);
    if (scores.includes(UNKNOWN)) return `${nameAt(ply)} to move: not solved within a minute.`;
    if (!scores.length || scores.includes(OPEN)) return `${nameAt(ply)} to move${scores.length ? `: ${OPEN}` : "."}`;
    return replay.valueText(Math.max(...scores), ply);
  }

  // Elements

  const button = (label, onclick, attributes) => html("button", { type: "button", onclick, ...attributes }, label);
  const buttons = Array.from({ length: w }, (_, x) => button("", ({ detail }) => detail < 2 && choose(x), { "aria-label": `Play column ${COLUMNS[x]}` }));
  const columns = html("div", { class: "press", role: "group", "aria-label": "Columns" }, ...buttons);
  columns.style.gridTemplate = `.8fr ${h + 0.65}fr / .15fr repeat(${w}, 1fr) .15fr`; // as the picture of the board
  const levels = Array.from({ length: LEVELS + 1 }, (_, value) => html("option", { value }, value ? `level ${value}` : "nobody"));
  const select = html("select", {
    onchange: changeLevel, onpointerdown: () => { isByPointer = true; }, onkeydown: () => { isByPointer = false; },
  }, ...levels);
  const sideText = html("span");
  const answers = html("p", { class: "answers muted" }, html("label", {}, "Answered by ", select), sideText);
  const stateText = html("p", { class: "muted" });
  const reasons = [false, true].map((isBetter) => button("", () => toggleReason(isBetter)));
  const start = button("Play on from here", () => {
    if (!level()) select.value = LEVELS;
    replay.drawCard();
    columns.scrollIntoView({ block: "nearest" });
    focusColumns();
    replay.say(`${side()} Level ${level()} answers.`);
  });

  function draw() {
    stateText.textContent = state();
    stateText.hidden = !state();
    sideText.textContent = level() ? side() : "";
    for (const [x, node] of buttons.entries()) node.setAttribute("aria-disabled", String(!canPlay(x)));
  }

  function reasonButtons([, , after, better]) {
    for (const [i, node] of reasons.entries()) node.setAttribute("aria-pressed", String(turn.reason?.isBetter === (i === 1)));
    reasons[0].textContent = after < 0 ? "Why it loses" : "Why it only draws";
    reasons[1].textContent = `Why column ${better[0]} is better`;
    return html("p", { class: "lines" }, reasons[0], better.length ? reasons[1] : null);
  }

  /* Returns the parts of the card of the position that is shown. */
  function card() {
    const isGame = at().track === game;
    const again = isGame && played?.from === at().ply && button("Your variation ", () => replay.enter(played));
    again?.append?.(html("span", { class: "muted" }, replay.shortLine(played.names)));
    draw();
    return [
      !isGame && ending() && html("p", { class: "note" }, html("b", {}, ending())), stateText,
      (level() || !isGame) && answers, change() && reasonButtons(change()),
      !isOver(shown()) && at().track !== played && html("p", { class: "lines" }, start, again || null),
    ].filter(Boolean);
  }

  const action = (key) => COLUMNS.slice(0, w).includes(key) && (() => choose(COLUMNS.indexOf(key)));
  return { action, begin, card, columns, ending, keys: [["1", "2", "…", "play a column"]], look, marks, note, read, row: () => turn.row };
};
