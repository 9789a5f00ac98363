/* The replay of a game. The page holds its data as JSON in the element #replay:

   n        number of the game, or null
   w, h, k  columns, rows, stones of a line;  g: 1 if stones fall;  d: directions of lines if not all
   t        1 if the second move may be the steal, which is called s in move strings
   p        names of both players
   m        moves as a move string;  o: number of them that belong to the opening
   ms       milliseconds of each move after the opening;  say: remark of the bot on each of them
   r, e     winner (0, 1, 2) and ending;  f: the fault behind it
   v        exact value of each position for the player to move, null if unknown
   s        exact scores of all columns in each position, [] if unknown; the steal has the negative of the best
   b        address of the folder of the board with its engine, if the page has play_on.js
   c        moves that changed the result: [ply, before, after, better moves, better line, refutation], and a sentence
            that explains the change if it is known

   Ply 17 is the position after 17 moves, and the 17th move. People read "move 17". A track is a sequence of cells:
   the game, or a variation that leaves it after `from` moves. The steal is the cell of the stone that it takes
   over. All text is set as text, never as HTML.

   With play_on.js, `more` holds what it adds: a variation of the person, and values and reasons of the engine. */
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("replay").textContent);
  const { w, h, k, g, p: names, v: values, s: scores, c: changes = [] } = data;
  const LETTERS = "abcdefghijklmnopqrstuvwxyz";
  const COLUMNS = "123456789" + LETTERS + LETTERS.toUpperCase();
  const ROWS = LETTERS + LETTERS.toUpperCase();
  const SPEEDS = [["slow", "½×", 1600], ["normal", "1×", 800], ["fast", "3×", 270]];
  const OUTCOMES = { "-1": "loss", 0: "draw", 1: "win" };
  const DIRECTIONS = { horizontal: [[1, 0]], vertical: [[0, 1]], diagonal: [[1, 1], [1, -1]] };
  const inNotebook = location.protocol === "about:";
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  // Elements

  function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (value !== false && value != null) node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children.filter((child) => child != null));
    return node;
  }
  const html = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
  const svg = (tag, attributes = {}, ...children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
  const titled = (node, text) => {
    node.prepend(svg("title", {}, text));
    return node;
  };

  // Rules: where stones go, and whether a line is complete

  const key = (x, y) => x + y * w;
  const STEAL = data.t ? "s" : null; // not the name of a column: with the steal a board has at most 27 columns
  const stolen = (cells) => (cells.length > 1 && cells[1].name === STEAL ? 1 : 0); // number of stones that have changed their player
  const playerAt = (ply) => 1 + (ply % 2); // the player of the move with this index
  const MAX_NAME = 40; // longer names are cut, except at the top of the page
  const nameAt = (ply) => shortNames[ply % 2];
  const shortNames = names.map((name) => ([...name].length > MAX_NAME ? [...name].slice(0, MAX_NAME - 1).join("") + "…" : name));

  function placed(moveNames, before = []) {
    const cells = [...before];
    const heights = Array(w).fill(0);
    for (const cell of cells) heights[cell.x] += cell.name !== STEAL;
    for (const name of moveNames) {
      if (name === STEAL) {
        cells.push({ ...cells[0], name });
        continue;
      }
      const x = g ? COLUMNS.indexOf(name) : parseInt(name.slice(1), 10) - 1;
      cells.push({ x, y: g ? h - ++heights[x] : ROWS.indexOf(name[0]), name });
    }
    return cells;
  }

  function lineThrough(cells) {
    if (!cells.length) return null;
    const last = cells[cells.length - 1];
    const stones = cells.map((cell, i) => ({ ...cell, i })).slice(stolen(cells));
    const own = new Set(stones.filter(({ i }) => (cells.length - 1 - i) % 2 === 0).map((c) => key(c.x, c.y)));
    const has = (x, y) => x >= 0 && x < w && y >= 0 && y < h && own.has(key(x, y));
    for (const direction of data.d || Object.keys(DIRECTIONS)) {
      for (const [dx, dy] of DIRECTIONS[direction]) {
        let back = 0, on = 0;
        while (has(last.x - (back + 1) * dx, last.y - (back + 1) * dy)) back += 1;
        while (has(last.x + (on + 1) * dx, last.y + (on + 1) * dy)) on += 1;
        if (back + on + 1 >= k) {
          return [last.x - back * dx, last.y - back * dy, last.x + on * dx, last.y + on * dy];
        }
      }
    }
    return null;
  }

  const isOver = (cells) => cells.length - stolen(cells) === w * h || lineThrough(cells) !== null;

  // The game and its variations

  const game = { kind: "", from: 0, cells: placed(g ? data.m : data.m.split(" ").filter(Boolean)) };
  const plies = game.cells.length;
  const changeAt = new Map(changes.map((change) => [change[0] + 1, change]));
  const decisive = changes.length && !data.f ? changes[changes.length - 1][0] + 1 : 0;

  function variation(ply, kind) {
    const change = changeAt.get(ply);
    const line = change && (kind === "r" ? change[5] : change[4]);
    if (!line?.length) return null;
    const from = kind === "r" ? ply : ply - 1;
    return { kind, ply, from, cells: placed(line, game.cells.slice(0, from)) };
  }

  let track = game;
  let ply = plies;
  let timer = 0;
  let speed = 1;

  const shown = () => track.cells.slice(0, ply);
  const known = () => ply <= track.from || track === game;

  // Words

  const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
  const signed = (value) => (value > 0 ? "+" + value : value < 0 ? "\u2212" + -value : String(value));
  const outcomeOf = (value) => OUTCOMES[Math.sign(value)];
  const place = (name) => (name === STEAL ? "the steal" : g ? "column " + name : name);
  const joined = (list) => (list.length > 1 ? `${list.slice(0, -1).join(", ")} and ${list[list.length - 1]}` : list.join());

  function places(list) {
    const cells = list.filter((name) => name !== STEAL).sort();
    const texts = g && cells.length ? (cells.length > 1 ? "columns " : "column ") + joined(cells) : joined(cells);
    return joined([texts, ...(cells.length < list.length ? [place(STEAL)] : [])].filter(Boolean));
  }

  /* A win of n is 1 plus the stones that the winner has left: it fixes the ply at which the game ends, unless the
     steal is still ahead, which is a ply without a stone. */
  function meaning(value, at) {
    if (value === 0) return "a draw with best play";
    const winner = value > 0 ? at : at + 1;
    if (STEAL && at < 2) return `${nameAt(winner)} wins with best play`;
    let end = w * h + 2 - 2 * Math.abs(value) + stolen(game.cells);
    if (end % 2 !== (winner + 1) % 2) end -= 1;
    return `${nameAt(winner)} wins on move ${end} with best play`;
  }

  const valueText = (value, at) => `${nameAt(at)} to move: ${signed(value)}, ${meaning(value, at)}.`;
  const holds = ([, before, , better]) => outcomeOf(before) + (better.length === 1 ? "s" : "");

  function changeText([at, before, after, better, , , reason], subject = "It") {
    if (reason) return reason;
    const cure = better.length ? `; ${places(better)} ${holds([at, before, after, better])}` : "";
    return `${subject} turns a ${outcomeOf(before)} into a ${outcomeOf(after)}${cure}.`;
  }

  function time(ms) {
    if (ms < 1000) return ms.toFixed(ms < 1 ? 2 : ms < 10 ? 1 : 0) + " ms";
    return ms < 60000 ? (ms / 1000).toFixed(ms < 10000 ? 2 : 1) + " s" : (ms / 60000).toFixed(1) + " min";
  }

  const mark = ([, before, after]) => (after < 0 ? "??" : before > 0 ? "?" : "");

  const more = globalThis.c4PlayOn?.({
    data, game, changeAt, COLUMNS, html, svg, placed, lineThrough, isOver, nameAt, valueText, changeNote, shown, shownRow, drawBoard,
    drawCard, enter, go, at: () => ({ track, ply }), hasValues: () => !board.classList.contains("plain"),
    forward: () => forward(), shortLine: (line) => shortLine(line), say: (text) => { live.textContent = text; },
  });

  // The board

  const step = Math.ceil(w / 13);
  const top = 0.5 - 0.5 * step;
  const frame = 0.15 * step;
  const left = 0.5 - frame - (g ? 0 : 0.5 * step);
  const chips = scores || more ? 0.8 : 0;

  function boardBox(above) {
    return [left, top - above, w + 0.5 + frame - left, h + 0.5 + frame - top + above];
  }

  function labels() {
    const group = svg("g", { class: "bt" });
    group.style.setProperty("--size", `${0.34 * step}px`); // a policy of a server may forbid the attribute
    for (let i = step; i <= w; i += step) {
      group.append(svg("text", { x: i, y: 0.5 - 0.24 * step }, g ? COLUMNS[i - 1] : String(i)));
    }
    for (let i = step; i <= h && !g; i += step) {
      group.append(svg("text", { x: 0.5 - 0.28 * step, y: i }, ROWS[i - 1]));
    }
    return group;
  }

  /* The front of the board has real holes: stones drop behind it. */
  function front() {
    const [x, y, width, height] = boardBox(0);
    let path = `M${x} ${y + 0.2}a.2.2 0 0 1 .2-.2h${width - 0.4}a.2.2 0 0 1 .2.2v${height - 0.4}a.2.2 0 0 1-.2.2h${0.4 - width}a.2.2 0 0 1-.2-.2z`;
    for (let cy = 1; cy <= h; cy += 1) {
      for (let cx = 1; cx <= w; cx += 1) path += `M${cx - 0.41} ${cy}a.41.41 0 1 0 .82 0a.41.41 0 1 0-.82 0z`;
    }
    return svg("path", { class: "bf", d: path, "fill-rule": "evenodd" });
  }

  function stone({ x, y }, player) {
    const dot = (name) => svg("path", { class: name, d: `M${x + 1} ${y + 1}h0` });
    return svg("g", {}, ...(player === 1 ? ["b1"] : ["b2", "br", "bi"]).map(dot));
  }

  const ring = ({ x, y }) => svg("circle", { class: "be", cx: x + 1, cy: y + 1, r: 0.3 });

  function stroke(cells) {
    const line = lineThrough(cells);
    if (!line) return [];
    const [x1, y1, x2, y2] = line.map((n) => n + 1);
    return ["bs", "bw"].map((name) => svg("path", { class: name, d: `M${x1} ${y1}L${x2} ${y2}` }));
  }

  const lastDot = (cell) => (cell ? [svg("path", { class: "bl", d: `M${cell.x + 1} ${cell.y + 1}h0` })] : []);

  function betterCell(at) {
    const change = changeAt.get(at);
    if (!change?.[3].length) return null;
    return placed([change[3][0]], game.cells.slice(0, at - 1))[at - 1];
  }

  function smallBoard(cells, better) {
    const [x, y, width, height] = boardBox(0);
    const stones = cells.map((cell, i) => stone(cell, playerAt(i))).slice(stolen(cells));
    return svg("svg", { class: "bo", viewBox: `${x} ${y} ${width} ${height}`, "aria-hidden": "true" },
      svg("rect", { class: "bk", x: x + 0.1, y: y + 0.1, width: width - 0.2, height: height - 0.2 }), ...stones, front(), labels(),
      ...lastDot(cells[cells.length - 1]), ...(better ? [ring(better)] : []));
  }

  const box = boardBox(chips);
  const stoneLayer = svg("g");
  const markLayer = svg("g");
  const chipLayer = svg("g", { class: "chips" });
  const board = svg("svg", { class: scores ? "bo" : "bo plain", viewBox: box.join(" "), "aria-hidden": "true" },
    chipLayer, svg("rect", { class: "bk", x: 0.55, y: 0.55, width: w - 0.1, height: h - 0.1 }), stoneLayer, front(), labels(), markLayer);
  const drawn = [];

  function drawStones(cells, animate) {
    let same = 0;
    while (same < drawn.length && same < cells.length && drawn[same].cell === cells[same]) same += 1;
    while (drawn.length > same) drawn.pop().node.remove();
    for (const cell of cells.slice(same)) {
      const node = stone(cell, playerAt(drawn.length));
      stoneLayer.append(node);
      drawn.push({ cell, node });
    }
    if (drawn.length) drawn[0].node.style.display = stolen(cells) ? "none" : "";
    if (animate && drawn.length === same + 1) drop(drawn[same]);
    const hint = track === game ? betterCell(ply) : null;
    markLayer.replaceChildren(...stroke(cells), ...lastDot(cells[cells.length - 1]), ...(hint ? [ring(hint)] : []), ...(more?.marks() || []));
  }

  function drop({ cell, node }) {
    if (calm.matches || !node.animate) return;
    if (!g || cell.name === STEAL) {
      node.animate({ opacity: [0, 1] }, 150);
      return;
    }
    const height = cell.y + 1.2;
    const bounce = Math.min(0.12, height * 0.03);
    node.animate([
      { transform: `translateY(${-height}px)`, easing: "cubic-bezier(.5,.05,.9,.6)" },
      { transform: "none", offset: 0.75, easing: "ease-out" },
      { transform: `translateY(${-bounce}px)`, offset: 0.88, easing: "ease-in" },
      { transform: "none" },
    ], 160 + 110 * Math.sqrt(height));
  }

  /* The values of the columns: null for a full one, and a text if it is not known yet. */
  function shownRow() {
    const row = (known() && scores?.[ply]) || [];
    return row.length ? row : more?.row() || [];
  }

  function drawChips() {
    if (!chips) return;
    const row = shownRow();
    if (!row.length) {
      const reason = isOver(shown()) || (track === game && ply === plies) ? "end of the game" : track.kind && !track.place ? "best play by both" : "values not computed";
      chipLayer.replaceChildren(svg("text", { class: "none", x: (w + 1) / 2, y: top - 0.47 }, reason));
      return;
    }
    const best = Math.max(bestColumn(row), ply === 1 && STEAL ? -bestColumn(row) : -Infinity);
    const next = track === game && game.cells[ply] && game.cells[ply].name !== STEAL ? game.cells[ply] : null;
    chipLayer.replaceChildren(...Array.from({ length: w }, (_, x) => drawChip(x, row[x], row[x] === best, next && next.x === x)));
  }

  const bestColumn = (row) => Math.max(...row.filter((score) => score != null));

  function drawChip(x, score, isBest, isNext) {
    const chip = svg("g", {}, svg("rect", { x: x + 0.57, y: top - 0.72, width: 0.86, height: 0.5, rx: 0.1 }));
    if (score == null) return chip;
    chip.append(svg("text", { x: x + 1, y: top - 0.47 }, signed(score)));
    if (score !== +score) return chip;
    chip.setAttribute("class", outcomeOf(score) + (isBest ? " best" : ""));
    if (isNext) chip.append(svg("path", { class: "next", d: `M${x + 0.88} ${top - 0.15}h.24l-.12.12z` }));
    return titled(chip, `Column ${COLUMNS[x]}: ${signed(score)}. ${meaning(score, ply)}${isNext ? ". This move was played" : ""}.`);
  }

  // The board for screen readers: a table, row by row

  const gridCells = Array.from({ length: h }, () => Array.from({ length: w }, () => html("td", {}, "empty")));
  const gridCaption = html("caption");
  const gridScores = html("tr");
  const grid = html("table", {}, gridCaption,
    html("thead", {}, html("tr", {}, html("th", { scope: "col" }, "row"),
      ...Array.from({ length: w }, (_, x) => html("th", { scope: "col" }, g ? "column " + COLUMNS[x] : String(x + 1)))), gridScores),
    html("tbody", {}, ...gridCells.map((row, y) =>
      html("tr", {}, html("th", { scope: "row" }, g ? "row " + (h - y) : ROWS[y]), ...row))));
  let gridShown = [];

  function describeBoard(cells) {
    gridCaption.textContent = `Board after move ${ply}`;
    for (const { x, y } of gridShown) gridCells[y][x].textContent = "empty";
    cells.forEach(({ x, y }, i) => { gridCells[y][x].textContent = nameAt(i); });
    gridShown = cells;
    const row = shownRow();
    gridScores.replaceChildren(...(row.length
      ? [html("th", { scope: "row" }, "value"), ...row.map((score) => html("td", {}, score === null ? "full" : signed(score)))]
      : []));
  }

  // Controls

  const ICONS = {
    first: "M3 3v10M13 3 6 8l7 5z", back: "M11 3 4 8l7 5z", play: "M4 2.5 13 8l-9 5.5z", pause: "M4 3h2.5v10H4zM9.5 3H12v10H9.5z",
    forward: "M5 3l7 5-7 5z", last: "M13 3v10M3 3l7 5-7 5z",
  };
  const icon = (name) => svg("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
  const iconButton = (name, label, keyName, action) =>
    html("button", { type: "button", "aria-label": label, title: `${label} (${keyName})`, onclick: action }, icon(name));

  const buttons = {
    first: iconButton("first", "First position", "Home", () => go(track.from)),
    back: iconButton("back", "Back", "left arrow", () => back()),
    play: iconButton("play", "Play", "space", () => toggle()),
    forward: iconButton("forward", "Forward", "right arrow", () => forward()),
    last: iconButton("last", "Last position", "End", () => go(track.cells.length)),
  };
  const scrubber = html("input", { type: "range", min: 0, max: plies, step: 1, "aria-label": "Move", oninput: () => go(+scrubber.value) });
  const counter = html("span", { class: "counter", title: "Moves that were made, with those of the opening" });
  const speedButton = html("button", { type: "button", onclick: () => setSpeed((speed + 1) % SPEEDS.length) });

  function setSpeed(next) {
    speed = next;
    speedButton.textContent = SPEEDS[speed][1];
    speedButton.setAttribute("aria-label", `Speed ${SPEEDS[speed][1]}: ${SPEEDS[speed][0]}`);
    speedButton.title = "Speed of playing: slow, normal or fast";
  }

  const controls = html("div", { class: "controls", role: "group", "aria-label": "Steps" },
    html("div", { class: "buttons" }, ...Object.values(buttons)), scrubber, counter, speedButton);

  /* A button with the attribute `disabled` would lose the focus. `ignoreSwitchedOff` ignores clicks instead. */
  const switchOff = (button, isOff) => button.setAttribute("aria-disabled", String(isOff));

  function ignoreSwitchedOff(event) {
    if (event.target.closest("[aria-disabled=true]")) event.stopPropagation();
  }

  function drawControls() {
    const end = track.cells.length;
    for (const button of [buttons.first, buttons.back]) switchOff(button, track === game && ply === 0);
    for (const button of [buttons.forward, buttons.last]) switchOff(button, ply === end);
    switchOff(buttons.play, end === 0);
    scrubber.min = track.from;
    scrubber.max = end;
    scrubber.value = ply;
    scrubber.disabled = end === track.from;
    const text = track === game ? `move ${ply} of ${end}` : `step ${ply - track.from} of ${end - track.from}`;
    counter.textContent = text;
    scrubber.setAttribute("aria-valuetext", text);
  }

  // Steps

  function show(nextTrack, nextPly, { animate = false, push = false } = {}) {
    track = nextTrack;
    ply = Math.max(0, Math.min(nextPly, track.cells.length));
    more?.begin();
    drawBoard(animate);
    drawControls();
    drawCurve();
    drawCard();
    drawList();
    drawNotations();
    root.classList.toggle("variation", track !== game);
    remember(push);
    live.textContent = announcement();
  }

  function drawBoard(animate) {
    drawStones(shown(), animate);
    drawChips();
    describeBoard(shown());
  }

  const address = () => (location.protocol.startsWith("http") ? location.href.split("#")[0] : location.pathname.split("/").slice(-2).join("/"));
  const hash = () => (track === game ? `#${ply}` : `#${track.ply}${track.kind}${track.place?.(ply) ?? ply - track.from}`);
  let began = false;

  function remember(push) {
    if (inNotebook || !began) return;
    const method = push && location.hash !== hash() ? "pushState" : "replaceState";
    history[method](null, "", hash());
  }

  function stop() {
    clearTimeout(timer);
    timer = 0;
    drawPlay();
  }

  function go(to, options, on = track) {
    stop();
    show(on, to, options);
  }
  const jump = (to) => go(to, { push: true }, game);
  const forward = () => ply < track.cells.length && go(ply + 1, { animate: true });

  function back() {
    if (track !== game && ply === track.from) leave();
    else if (ply > 0) go(ply - 1);
  }

  const leave = () => track !== game && jump(track.ply);

  function enter(found) {
    go(found.from + 1, { push: true, animate: true }, found);
  }

  function toggle() {
    if (timer) {
      stop();
      return;
    }
    if (ply === track.cells.length) show(track, track.from);
    timer = setTimeout(tick, 250);
    drawPlay();
  }

  function tick() {
    show(track, ply + 1, { animate: true });
    timer = ply < track.cells.length ? setTimeout(tick, SPEEDS[speed][2]) : 0;
    drawPlay();
  }

  function drawPlay() {
    const label = timer ? "Pause" : "Play";
    buttons.play.replaceChildren(icon(timer ? "pause" : "play"));
    buttons.play.setAttribute("aria-label", label);
    buttons.play.title = label + " (space)";
  }

  function nextChange() {
    if (!changes.length) return;
    const at = track === game ? ply : track.ply;
    const next = changes.find((change) => change[0] + 1 > at) || changes[at > decisive ? changes.length - 1 : 0];
    jump(next[0] + 1);
  }

  // The curve: one cell for each position, up if the first player wins

  const HALF = 50;
  const mostValue = Math.ceil((w * h + 1) / 2);
  const curveCursor = svg("rect", { class: "cursor", y: 0, width: 1, height: 2 * HALF });
  const valueOfFirst = (at) => (values[at] == null ? null : at % 2 ? -values[at] : values[at]);
  const curveY = (value) => HALF - Math.sign(value) * (14 + ((HALF - 18) * Math.abs(value)) / mostValue);

  function area(sign) {
    let path = "";
    for (let at = 0; at <= plies; at += 1) {
      const value = valueOfFirst(at);
      if (value !== null && Math.sign(value) === sign) path += `M${at} ${HALF}V${curveY(value)}h1V${HALF}z`;
    }
    return svg("path", { class: sign > 0 ? "up" : "down", d: path });
  }

  function curveLine() {
    let path = "";
    for (let at = 0, open = false; at <= plies; at += 1) {
      const value = valueOfFirst(at);
      if (value !== null) path += `${open ? "V" : `M${at} `}${curveY(value)}h1`;
      open = value !== null;
    }
    return svg("path", { class: "trace", d: path });
  }

  function curveMarks() {
    return changes.map((change) => {
      const at = change[0] + 1;
      const value = change[0] % 2 ? -change[2] : change[2];
      return svg("path", { class: at === decisive ? "mark decisive" : "mark", d: `M${at + 0.5} ${curveY(value)}h0` });
    });
  }

  function curveCells() {
    return Array.from({ length: plies + 1 }, (_, at) => {
      const about = values[at] == null ? "value unknown" : meaning(values[at], at);
      return titled(svg("rect", { class: "cell", x: at, y: 0, width: 1, height: 2 * HALF }), `Move ${at}: ${about}.`);
    });
  }

  function clickedPly(event) {
    const { left: from, width } = event.currentTarget.getBoundingClientRect();
    return Math.min(plies, Math.max(0, Math.floor(((event.clientX - from) / width) * (plies + 1))));
  }

  const curve = values && html("figure", { class: "curve" },
    html("figcaption", {}, html("span", { class: "p1" }, `↑ ${names[0]} wins`), html("span", { class: "p2" }, `↓ ${names[1]} wins`)),
    svg("svg", {
      viewBox: `0 0 ${plies + 1} ${2 * HALF}`, preserveAspectRatio: "none", role: "img", onclick: (event) => jump(clickedPly(event)),
      "aria-label": `Value after each move. ${changes.length ? plural(changes.length, "move") + " changed the result" : "No known move changed the result"}.`,
    }, curveCursor, area(1), area(-1), svg("path", { class: "axis", d: `M0 ${HALF}H${plies + 1}` }), curveLine(), ...curveMarks(), ...curveCells()));

  // The curve as a picture for papers, as templates/pictures.html.jinja makes those of other charts

  const CURVE_STYLE = "text{font-family:sans-serif;font-size:12px;fill:#1c1e21}.mid{text-anchor:middle}" +
    "path{fill:none;stroke:#1c1e21;stroke-linecap:round;vector-effect:non-scaling-stroke}" +
    ".up{fill:#e8641b;fill-opacity:.55;stroke:none}.down{fill:#f4dd4b;fill-opacity:.6;stroke:none}" +
    ".axis{stroke:#8a8a84;stroke-dasharray:2 3}.trace{stroke-width:1.5}.mark{stroke-width:7}.decisive{stroke:#b3260f;stroke-width:11}";

  function curvePicture() {
    const width = 624, unit = width / (plies + 1);
    const numbers = Array.from({ length: Math.floor(plies / 5) + 1 }, (_, i) => 5 * i);
    const picture = svg("svg", { width: width + 16, height: 200, viewBox: `0 0 ${width + 16} 200` },
      svg("style", {}, CURVE_STYLE), svg("rect", { width: width + 16, height: 200, fill: "#fff" }),
      svg("text", { x: 8, y: 20 }, `↑ ${names[0]} wins`), svg("text", { x: 8, y: 36 }, `↓ ${names[1]} wins`),
      svg("svg", { x: 8, y: 48, width, height: 120, viewBox: `0 0 ${plies + 1} ${2 * HALF}`, preserveAspectRatio: "none", overflow: "visible" },
        area(1), area(-1), svg("path", { class: "axis", d: `M0 ${HALF}H${plies + 1}` }), curveLine(), ...curveMarks()),
      ...numbers.map((at) => svg("text", { class: "mid", x: 8 + (at + 0.5) * unit, y: 188 }, String(at))));
    return "data:image/svg+xml," + encodeURIComponent(new XMLSerializer().serializeToString(picture));
  }

  const saveCurve = curve && html("a", { class: "save", download: `game-${data.n}.svg`, href: curvePicture() }, "Save the curve as SVG");

  function drawCurve() {
    curveCursor.setAttribute("x", track === game ? ply : Math.min(track.ply, ply));
  }

  // The card: the last move, what it changed, and lines to play

  const card = html("section", { class: "card", "aria-label": "This position" });
  const outcome = names.reduce((text, name, i) => text.replace(name, () => shortNames[i]), document.querySelector("#facts b").textContent);

  function drawCard() {
    const { activeElement: focused } = document;
    const hadFocus = card.contains(focused);
    card.replaceChildren(...(track === game ? gameCard() : variationCard()));
    const steps = card.querySelector(".steps");
    const here = steps?.querySelector("[aria-current]");
    if (here) steps.scrollTop = here.offsetTop - steps.offsetTop - 36;
    const next = hadFocus && (card.contains(focused) ? focused : here || card.querySelector("button") || buttons.forward);
    if (next) next.focus({ preventScroll: true });
  }

  const heading = (player, text, aside) =>
    html("p", { class: "what" }, html("span", { class: player ? "p" + player : "" }, text), aside ? html("span", { class: "muted" }, aside) : null);

  function gameCard() {
    const parts = [];
    const change = changeAt.get(ply);
    if (ply === 0) parts.push(heading(0, "The empty board"));
    else if (ply <= data.o) parts.push(heading(playerAt(ply - 1), `Opening: ${place(game.cells[ply - 1].name)}`, "made by the referee"));
    else parts.push(heading(playerAt(ply - 1), `${nameAt(ply - 1)} plays ${place(game.cells[ply - 1].name)}`, timeAt(ply) + withStart(ply)));
    if (change) parts.push((more?.note || changeNote)(change));
    if (ply === plies) parts.push(...ending());
    else if (values && values[ply] != null) {
      parts.push(html("p", { class: "muted" }, valueText(values[ply], ply)));
    }
    if (STEAL && ply === 1 && scores?.[1].length) {
      const score = 0 - bestColumn(scores[1]); // without a negative zero
      parts.push(html("p", { class: "muted" }, `The steal: ${signed(score)}, ${meaning(score, 1)}.`));
    }
    if (remarkAt(ply)) parts.push(html("p", { class: "said", tabindex: 0 }, `“${remarkAt(ply)}”`));
    if (change) parts.push(lineButtons(ply));
    parts.push(...(more?.card() || []));
    return parts;
  }

  function changeNote(change, text) {
    const isDecisive = change[0] + 1 === decisive;
    return html("p", { class: isDecisive ? "warn note" : "note" },
      isDecisive ? html("b", {}, "The decisive move: ") : null, text || changeText(change, isDecisive ? "it" : "This move"));
  }

  function lineButtons(at) {
    const [, , , , betterLine, refutation] = changeAt.get(at);
    const button = (label, kind, line) => line.length
      ? html("button", { type: "button", onclick: () => enter(variation(at, kind)) }, icon("play"), ` ${label} `, html("span", { class: "muted" }, shortLine(line)))
      : null;
    return html("p", { class: "lines" }, button("Refutation", "r", refutation), button("Better", "b", betterLine));
  }

  const shortLine = (line) => line.slice(0, 3).join(" ") + (line.length > 3 ? " …" : "");

  function ending() {
    const parts = [html("p", { class: "note" }, html("b", {}, outcome))];
    if (data.f) {
      parts.push(html("p", { class: "said", tabindex: 0 }, `${data.f.bot}${plies ? ` at move ${data.f.ply + 1}` : ""}: ${data.f.fault}, ${data.f.detail}`));
      if (data.f.line != null) parts.push(html("pre", { tabindex: 0 }, data.f.line));
    }
    if (decisive && decisive !== ply) {
      parts.push(html("p", { class: "lines" }, html("button", { type: "button", onclick: () => jump(decisive), title: "The last move that changed the result (d)" },
        icon("play"), ` The decisive move: move ${decisive}`)));
    }
    return parts;
  }

  function variationCard() {
    const move = !track.place && place(game.cells[track.ply - 1].name);
    const words = track.place ? "Your variation" : track.kind === "r" ? `Refutation of ${move}` : `Better than ${move}`;
    const line = track.cells.slice(track.from);
    return [
      html("p", { class: "what" }, html("b", {}, words), html("span", { class: "muted" }, `variation after move ${track.from}`)),
      html("p", { class: "steps" }, ...line.map((cell, i) => html("button", {
        type: "button", class: "p" + playerAt(track.from + i), "aria-current": ply === track.from + i + 1 ? "step" : false,
        "aria-label": `Step ${i + 1}: ${place(cell.name)}`, onclick: () => go(track.from + i + 1),
      }, cell.name))),
      !track.place && html("p", { class: "muted" }, "These moves were not played. In them, both players play their best, as the solver has found."),
      ...(more?.card() || []),
      html("p", { class: "lines" }, html("button", { type: "button", onclick: leave, title: "Back to the game (Escape)" }, "Back to the game")),
    ].filter(Boolean);
  }

  const withStart = (at) => (at > data.o && at <= data.o + 2 && timeAt(at) ? " with any start-up" : "");
  const timeAt = (at) => (data.ms[at - 1 - data.o] == null ? "" : time(data.ms[at - 1 - data.o]));
  const remarkAt = (at) => data.say?.[at - 1 - data.o] || "";

  // The list of moves

  const hasRemarks = Boolean(data.say);
  const rows = game.cells.map((cell, i) => moveRow(cell, i + 1));
  const list = html("ol", { class: hasRemarks ? "moves" : "moves pairs", "aria-label": "Moves", tabindex: 0 }, ...rows);
  let current = null;

  function moveRow(cell, at) {
    const change = changeAt.get(at);
    const about = change ? changeText(change) : at <= data.o ? "Opening: the referee made this move." : "";
    const thought = timeAt(at) && `Answered after ${timeAt(at)}${withStart(at)}.`;
    const link = html("a", { href: `#${at}`, title: [`Move ${at}.`, thought, about].filter(Boolean).join(" "), class: (at <= data.o ? "opening" : "") + (at === decisive ? " decisive" : "") },
      html("span", { class: "at" }, String(at)), html("span", { class: "p" + playerAt(at - 1) }, cell.name),
      html("b", {}, change ? mark(change) : ""), html("span", { class: "ms" }, timeAt(at)),
      remarkAt(at) ? html("q", {}, remarkAt(at)) : null,
      change ? html("i", {}, ...changeParts(change)) : null);
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      jump(at);
    });
    return html("li", {}, link);
  }

  function changeParts([, before, after, better]) {
    const change = `${outcomeOf(before)} → ${outcomeOf(after)}`;
    if (!better.length) return [change];
    return [html("span", {}, change + ","), " ", html("span", {}, `better: ${[...better].sort().join(" ")}`)];
  }

  function drawList() {
    if (current) current.removeAttribute("aria-current");
    const row = rows[(track === game ? ply : Math.min(ply, track.ply)) - 1];
    current = row ? row.firstChild : null;
    if (current) current.setAttribute("aria-current", "step");
    const before = list.scrollTop, height = list.clientHeight;
    const from = row ? row.offsetTop - list.offsetTop : 0, to = from + (row ? row.offsetHeight : 0);
    if (from < before || to > before + height) list.scrollTop = from - height / 2;
  }

  // The position in every notation

  const isLine8 = w === 8 && h === 8 && k === 4 && !g && String(data.d) === "horizontal,vertical";
  const isSolvable = isLine8 || (g && !data.d && w * (h + 1) <= 128); // bits of a board in c4-solve

  function precept(cells) {
    const columns = Array.from({ length: w }, () => Array(h).fill(0));
    cells.forEach(({ x, y }, i) => { columns[x][y] = playerAt(i); });
    return JSON.stringify({
      grid: columns, height: h, player: playerAt(cells.length), width: w,
      ...(k === 4 ? {} : { connect: k }), ...(g ? {} : { gravity: false }), ...(data.d ? { directions: data.d } : {}),
      ...(STEAL ? { steal: true } : {}),
    });
  }

  function solveCommand(moves) {
    const size = `${w}x${h}${k === 4 ? "" : "x" + k}${STEAL ? "+steal" : ""}`;
    const variant = isLine8 ? " --variant line8" : size === "7x6" ? "" : ` --variant ${size}`;
    return `echo ${moves.includes(" ") ? `"${moves}"` : moves}${moves ? " " : ""}| c4-solve${variant}${g ? " --all" : ""}`;
  }

  const movesOf = (cells) => cells.map((cell) => cell.name).join(g ? "" : " ");
  const NOTATIONS = [
    ["link", "Address of this position", () => address() + hash(), !inNotebook],
    ["moves", "Move string: the columns that were played", movesOf],
    ["precept", "Precept: what a referee sends to a bot that is to move", (cells) => (isOver(cells) ? "" : precept(cells))],
    ["c4-solve", "Command that computes the exact values", (cells) =>
      (isOver(cells) ? "" : solveCommand(movesOf(cells))), isSolvable],
  ];
  const notations = NOTATIONS.filter(([, , , isOffered = true]) => isOffered).map(([name, about, text]) => {
    const code = html("code");
    const copied = html("button", { type: "button", onclick: () => copy(code.textContent, copied) }, "copy");
    copied.setAttribute("aria-label", `Copy ${name}`);
    return { text, code, copied, row: html("div", {}, html("dt", { title: about }, name), html("dd", {}, copied, code)) };
  });

  function drawNotations() {
    const cells = shown();
    for (const { text, code, copied } of notations) {
      const value = text(cells);
      code.textContent = value || (cells.length ? "the game is over" : "the empty board");
      code.title = value;
      switchOff(copied, !value);
    }
  }

  async function copy(text, button) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const field = html("textarea", { class: "unseen" });
      field.value = text;
      document.body.append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
      button.focus({ preventScroll: true });
    }
    button.textContent = "copied";
    setTimeout(() => { button.textContent = "copy"; }, 1500);
  }

  // Announcements for screen readers

  const live = html("p", { class: "unseen", "aria-live": "polite" });

  function announcement() {
    if (track !== game) {
      const at = ply - track.from;
      const { by, name } = track.cells[ply - 1] ?? {};
      const made = at ? `Variation, move ${at}: ${by ? `${by}, ` : `${nameAt(ply - 1)} plays `}${place(name)}.` : "Start of the variation.";
      return [made, more?.ending()].filter(Boolean).join(" ");
    }
    if (ply === 0) return plies ? "Before the first move: the empty board." : outcome;
    const change = changeAt.get(ply);
    const made = `Move ${ply}, ${nameAt(ply - 1)} plays ${place(game.cells[ply - 1].name)}.`;
    return [made, change && changeText(change), ply === plies && outcome].filter(Boolean).join(" ");
  }

  // Options, help and keys

  const flipButton = html("button", { type: "button", "aria-pressed": "false", title: "Swap the colours of the stones (f)", onclick: flip }, "Swap colours");
  const valuesButton = chips && html("button", { type: "button", "aria-pressed": String(Boolean(scores)), title: "Show the values of all columns (v)", onclick: toggleValues }, "Values");
  const helpButton = html("button", { type: "button", title: "Keys and how to read this page (?)", onclick: () => help.showModal() }, "Help");

  function flip() {
    flipButton.setAttribute("aria-pressed", String(document.documentElement.classList.toggle("flipped")));
  }

  function toggleValues() {
    if (valuesButton) valuesButton.setAttribute("aria-pressed", String(!board.classList.toggle("plain")));
    more?.look();
    drawBoard();
  }

  const KEYS = [
    ...(more?.keys || []),
    ["←", "→", "back, forward"], ["Home", "End", "first, last position"], ["space", "play, pause"], ["d", "next move that changed the result"],
    ["v", "values on or off"], ["f", "swap colours"], ["Esc", "back to the game"], ["?", "this help"],
  ];
  const help = html("dialog", { "aria-label": "Help" },
    html("h2", {}, "Keys"),
    html("dl", { class: "keys" }, ...KEYS.flatMap((entry) => [
      html("dt", {}, ...entry.slice(0, -1).map((name) => html("kbd", {}, name))), html("dd", {}, entry[entry.length - 1])])),
    html("h2", {}, "Moves"),
    html("p", {}, "The moves of both players and of the opening are counted together. Move 17 is the 17th of them, and the position after it."),
    chips ? html("h2", {}, "Values") : null,
    chips ? html("p", {}, "Values are exact. They are those of the player to move: + is a win, 0 is a draw, − is a loss. The number is 1 plus " +
      "the stones that the winner will have left. So a larger number means that the game ends sooner.") : null,
    values ? html("p", {}, "? marks a move that turns a win into a draw. ?? marks a move that turns a win or a draw into a loss. " +
      "The last of these moves is the decisive move.") : null,
    html("form", { method: "dialog" }, html("button", {}, "Close")));

  const ACTIONS = {
    ArrowLeft: back, ArrowRight: forward, Home: () => go(track.from), End: () => go(track.cells.length), " ": toggle,
    d: nextChange, v: toggleValues, f: flip, "?": () => help.showModal(), Escape: leave,
  };

  function pressed(event) {
    const { target } = event;
    const action = ACTIONS[event.key] || more?.action(event.key);
    if (!action || event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    if (event.key === " " && target.closest("button, a, summary")) return;
    if (target.closest("select") && !more.action(event.key)) return;
    event.preventDefault();
    if (!event.repeat || event.key.length > 1) action();
  }

  // Paper: the moves that changed the result as small boards

  const keyPositions = changes.slice(-6).map((change) => html("figure", {},
    smallBoard(game.cells.slice(0, change[0] + 1), betterCell(change[0] + 1)),
    html("figcaption", {}, `Move ${change[0] + 1}: ${nameAt(change[0])} plays ${game.cells[change[0]].name}. ${changeText(change)}`)));

  // Put together

  const root = document.getElementById("game");
  root.style.setProperty("--ratio", String(box[2] / box[3]));
  root.className = "replay";
  root.addEventListener("click", ignoreSwitchedOff, true);
  root.replaceChildren(
    html("div", { class: "stage" }, board, more?.columns, html("div", { class: "unseen" }, grid), controls),
    html("div", { class: "side" }, curve || null, card, plies ? list : null),
    html("div", { class: "tools" }, html("dl", { class: "notations" }, ...notations.map(({ row }) => row)),
      html("div", { class: "options" }, valuesButton || null, flipButton, helpButton, saveCurve || null)),
    html("div", { class: "paper" }, ...keyPositions), live, help);
  if (inNotebook || location.search === "?embed") document.documentElement.classList.add("embed");

  function open() {
    const found = /^#(\d+)(?:([rb])(\d+))?/.exec(location.hash);
    const line = found?.[2] ? variation(+found[1], found[2]) : null;
    const played = more?.read(location.hash);
    stop();
    if (played) show(...played);
    else if (line) show(line, line.from + +found[3]);
    else show(game, found ? +found[1] : decisive || plies);
  }

  setSpeed(speed);
  open();
  began = true;
  addEventListener("hashchange", open);
  document.addEventListener("keydown", pressed);
})();
