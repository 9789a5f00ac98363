(() => {
  // bot/c4_bot/web/source/rules.js
  function cellsOf(bits) {
    const cells = [];
    for (let cell = 0; bits; cell += 1, bits >>= 1n) if (bits & 1n) cells.push(cell);
    return cells;
  }
  var count = (bits) => cellsOf(bits).length;
  var bit = (cell) => 1n << BigInt(cell);
  var Variant = class {
    /** @param {number} width @param {number} height @param {number} connect */
    constructor(width, height, connect) {
      this.width = width;
      this.height = height;
      this.connect = connect;
      this.stride = height + 1;
      this.cells = width * height;
      this.column = (1n << BigInt(height)) - 1n;
      this.bottom = 0n;
      for (let x = 0; x < width; x += 1) this.bottom |= bit(x * this.stride);
      this.all = this.bottom * this.column;
      this.steps = [1, this.stride, this.stride + 1, this.stride - 1].map(BigInt);
      const fromCentre = (x) => Math.abs(2 * x - width + 1);
      this.columns = [...Array(width).keys()].sort((a, b) => fromCentre(a) - fromCentre(b));
    }
    /** Its name in links and files, such as 7x6x4. */
    get name() {
      return `${this.width}x${this.height}x${this.connect}`;
    }
    /** @param {number} column @param {number} row */
    cell(column, row) {
      return column * this.stride + row;
    }
    /** @param {number} cell */
    columnOf(cell) {
      return Math.floor(cell / this.stride);
    }
    /** @param {number} cell */
    rowOf(cell) {
      return cell % this.stride;
    }
    /** Returns the cells, taken or not, on which one more stone completes a line. @param {bigint} stones */
    completing(stones) {
      let found = 0n;
      for (const step2 of this.steps) {
        const before = [this.all];
        for (let i = 1; i < this.connect; i += 1) before.push((before[i - 1] & stones) << step2);
        let after = this.all;
        for (let i = this.connect - 1; i >= 0; i -= 1) {
          found |= before[i] & after;
          after = (after & stones) >> step2;
        }
      }
      return found & this.all;
    }
    /** Returns the cells of all complete lines. @param {bigint} stones */
    lines(stones) {
      let found = 0n;
      for (const step2 of this.steps) {
        let starts = stones;
        for (let i = 1; i < this.connect; i += 1) starts &= stones >> step2 * BigInt(i);
        for (let i = 0; i < this.connect; i += 1) found |= starts << step2 * BigInt(i);
      }
      return found;
    }
  };
  var STANDARD = new Variant(7, 6, 4);
  var Position = class _Position {
    /** @param {Variant} variant @param {bigint} first @param {bigint} second */
    constructor(variant, first = 0n, second = 0n) {
      this.variant = variant;
      this.first = first;
      this.second = second;
      this.ply = count(first | second);
      this.player = this.ply % 2 ? 2 : 1;
      this.own = this.player === 1 ? first : second;
      this.other = this.player === 1 ? second : first;
      this.occupied = first | second;
      this.playable = this.occupied + variant.bottom & variant.all;
    }
    /** The legal moves, the most central first. */
    get moves() {
      const { variant, playable } = this;
      const moves = variant.columns.map((x) => cellsOf(playable & variant.column << BigInt(x * variant.stride))[0]);
      return moves.filter((cell) => cell !== void 0);
    }
    /** The legal moves: wins, then moves that stop a line, then the others. */
    get urgentFirst() {
      const [wins, stops] = [this.winningCells, this.opponentWinningCells];
      const urgency = (cell) => wins & bit(cell) ? 0 : stops & bit(cell) ? 1 : 2;
      return this.moves.sort((a, b) => urgency(a) - urgency(b));
    }
    /** The cells on which the player to move completes a line now. */
    get winningCells() {
      return this.variant.completing(this.own) & this.playable;
    }
    /** The cells on which the other player would complete a line now. */
    get opponentWinningCells() {
      return this.variant.completing(this.other) & this.playable;
    }
    /** The cells of all complete lines. */
    get lines() {
      return this.variant.lines(this.first) | this.variant.lines(this.second);
    }
    /** The player with a complete line, or 0. @returns {0 | 1 | 2} */
    get winner() {
      return this.variant.lines(this.first) ? 1 : this.variant.lines(this.second) ? 2 : 0;
    }
    get isFull() {
      return this.occupied === this.variant.all;
    }
    get isOver() {
      return this.isFull || this.winner !== 0;
    }
    /** Returns the cell on which a stone in this column comes to rest, or null. @param {number} column */
    cellIn(column) {
      const { variant, playable } = this;
      if (column < 0 || column >= variant.width) return null;
      return cellsOf(playable & variant.column << BigInt(column * variant.stride))[0] ?? null;
    }
    /** Returns the position after a legal move. @param {number} cell */
    play(cell) {
      const { variant, first, second } = this;
      return this.player === 1 ? new _Position(variant, first | bit(cell), second) : new _Position(variant, first, second | bit(cell));
    }
    /** The owner of a cell: 0, 1 or 2. @param {number} cell @returns {0 | 1 | 2} */
    ownerOf(cell) {
      return this.first & bit(cell) ? 1 : this.second & bit(cell) ? 2 : 0;
    }
  };

  // bot/c4_bot/web/source/notation.js
  var COLUMN_NAMES = "123456789abcdefghijklmnopqrstuvwxyz";
  var MAX_WIDTH = 11;
  var MAX_HEIGHT = 10;
  var MAX_SHOWN = 20;
  var MAX_RULES = 90;
  var NotationError = class extends Error {
    /** @param {string} key @param {Record<string, string | number>} [values] */
    constructor(key2, values = {}) {
      super(`${key2} ${JSON.stringify(values)}`);
      this.name = "NotationError";
      this.key = key2;
      this.values = values;
    }
  };
  var shortened = (text) => text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\u2026` : text;
  var lastPosition = ({ variant, start, moves }) => moves.reduce((position, cell) => position.play(cell), start ?? new Position(variant));
  function parse(text, variant) {
    const plain = text.replace("\uFEFF", "").trim();
    if (!plain) throw new NotationError("empty");
    if (plain.startsWith("{")) return gameOfJson(plain, variant);
    if (/^\[\s*\w+\s*"|^%/.test(plain)) return gameOfPgn(plain, variant);
    const rows = rowsOfText(plain);
    if (rows) return gameFrom(positionOf(rows, connectOn(rows, variant)));
    return gameFrom(new Position(variant), [...movesIn(plain).join("")]);
  }
  function gameFrom(start, names = []) {
    const { moves, problem } = replay(start, names);
    if (problem) throw problem;
    return { variant: start.variant, start: start.ply ? start : null, moves };
  }
  function replay(start, names) {
    const moves = [];
    let position = start;
    for (const name of names) {
      const number = moves.length + 1;
      const found = position.isOver ? new NotationError("over", { number }) : moveNamed(position, name, number);
      if (found instanceof NotationError) return { moves, problem: found };
      moves.push(found);
      position = position.play(found);
    }
    return { moves, problem: null };
  }
  function moveNamed(position, name, number) {
    const { variant } = position;
    const square = SQUARE.exec(name);
    const column = square ? square[1].toLowerCase().charCodeAt(0) - 97 : COLUMN_NAMES.indexOf(name);
    const move = shortened(name);
    if (column < 0 || column >= variant.width)
      return new NotationError("noColumn", { number, move, last: COLUMN_NAMES[variant.width - 1] });
    const cell = position.cellIn(column);
    if (cell === null) return new NotationError("full", { number, move });
    return square && variant.rowOf(cell) !== Number(square[2]) - 1 ? new NotationError("square", { number, move }) : cell;
  }
  var SQUARE = /^(?:[Pp]?@)?([A-Za-z])([1-9][0-9]?)[+#!?]*$/;
  var NOT_A_MOVE = /\$\d+|\b\d+\.+|1-0|0-1|1\/2-1\/2|\*/g;
  var movesIn = (text) => text.replace(NOT_A_MOVE, " ").split(/\s+/).filter(Boolean);
  var writeMoves = (variant, cells) => cells.map((cell) => COLUMN_NAMES[variant.columnOf(cell)]).join("");
  function checkedVariant(width, height, connect) {
    const isBetween = (value, most2) => Number.isInteger(value) && value >= 3 && value <= most2;
    if (!isBetween(width, MAX_WIDTH) || !isBetween(height, MAX_HEIGHT))
      throw new NotationError("size", { width, height });
    const most = Math.max(width, height);
    if (!isBetween(connect, most)) throw new NotationError("connect", { width, height, most, connect });
    return new Variant(width, height, connect);
  }
  function variantNamed(name) {
    if (name === "standard" || name === "cfour") return STANDARD;
    const sizes = /^(\d{1,2})x(\d{1,2})(?:x(\d{1,2}))?$/.exec(name);
    if (!sizes) throw new NotationError("rules", { rules: shortened(name) });
    return checkedVariant(Number(sizes[1]), Number(sizes[2]), Number(sizes[3] ?? 4));
  }
  var connectOn = (rows, variant) => Math.min(variant.connect, Math.max(rows.length, rows[0].length));
  function positionOf(rows, connect, player) {
    const [height, width] = [rows.length, rows[0].length];
    const uneven = rows.findIndex((row) => row.length !== width);
    if (uneven >= 0) throw new NotationError("uneven", { row: uneven + 1, cells: rows[uneven].length, width });
    const variant = checkedVariant(width, height, connect);
    const stones = [0n, 0n, 0n];
    for (const [y, row] of rows.entries())
      for (const [x, owner] of row.entries()) stones[owner] |= bit(variant.cell(x, height - 1 - y));
    const position = new Position(variant, stones[1], stones[2]);
    checkStones(position, player ?? position.player);
    return position;
  }
  function checkStones({ variant, first, second, occupied, player: next }, player) {
    for (let x = 0; x < variant.width; x += 1) {
      const column = occupied >> BigInt(x * variant.stride) & variant.column;
      if (column & column + 1n) throw new NotationError("floating", { column: COLUMN_NAMES[x] });
    }
    const stones = { first: count(first), second: count(second) };
    if (![0, 1].includes(stones.first - stones.second)) throw new NotationError("stones", stones);
    if (player !== next) throw new NotationError("turn", { ...stones, player: String(player) });
    if (variant.lines(first) && variant.lines(second)) throw new NotationError("twoLines");
  }
  function rowsOf(position) {
    const { variant } = position;
    const columns = [...Array(variant.width).keys()];
    const rows = [...Array(variant.height).keys()].reverse();
    return rows.map((row) => columns.map((column) => position.ownerOf(variant.cell(column, row))));
  }
  var transposed = (rows) => rows[0].map((_, column) => rows.map((row) => row[column]));
  var MARKS = [
    { row: /^[.xo_*-]+$/, sign: /[.xo_*]/, first: "x", second: "o" },
    { row: /^[.012_-]+$/, sign: /[.0_]/, first: "1", second: "2" }
  ];
  function rowsOfText(text) {
    const lines2 = text.split(/[\r\n]+/).map((line) => line.replace(/[\s,|()[\]]/g, "").toLowerCase());
    for (const marks of MARKS) {
      const isRow = lines2.map((line) => marks.row.test(line));
      const rows = lines2.filter((_, i) => isRow[i]);
      if (rows.length < 2 || !rows.some((row) => marks.sign.test(row))) continue;
      checkOtherLines(lines2, isRow, marks.sign);
      return rows.map((row) => [...row].map((mark) => [marks.first, marks.second].indexOf(mark) + 1));
    }
    return null;
  }
  function checkOtherLines(lines2, isRow, sign) {
    const [top, bottom] = [isRow.indexOf(true), isRow.lastIndexOf(true)];
    const isWrong = (line, i) => {
      const isLikeRow = line.length === lines2[top].length && sign.test(line);
      return line && !isRow[i] && (top < i && i < bottom || isLikeRow);
    };
    const wrong = lines2.findIndex(isWrong);
    if (wrong < 0) return;
    const row = wrong < top ? 1 : isRow.slice(0, wrong).filter(Boolean).length + 1;
    throw new NotationError("row", { row, text: shortened(lines2[wrong]) });
  }
  function gameOfJson(text, current) {
    const { grid, moves, width, height, connect, player, ...rest } = objectIn(text);
    if (![width, height, connect, player].every((value) => typeof (value ?? 0) === "number"))
      throw new NotationError("numbers");
    checkRules(rest);
    if (typeof moves === "string") {
      const variant = checkedVariant(width ?? current.width, height ?? current.height, connect ?? current.connect);
      return gameFrom(new Position(variant), [...movesIn(moves).join("")]);
    }
    if (!grid) throw new NotationError("json");
    if (!isGrid(grid) || (width ?? grid.length) !== grid.length || (height ?? grid[0].length) !== grid[0].length)
      throw new NotationError("grid");
    return gameFrom(positionOf(transposed(grid), connect ?? 4, player));
  }
  function objectIn(text) {
    try {
      return JSON.parse(text);
    } catch {
      throw new NotationError("json");
    }
  }
  function checkRules({ gravity = true, steal = false, directions = ["horizontal", "vertical", "diagonal"] }) {
    if (gravity === true && steal === false && directions?.length === 3) return;
    throw new NotationError("rules", { rules: JSON.stringify({ gravity, steal, directions }).slice(0, MAX_RULES) });
  }
  function isGrid(grid) {
    const isColumn = (column) => Array.isArray(column) && column.length === grid[0].length && column.every((cell) => [0, 1, 2].includes(cell));
    return Array.isArray(grid) && grid.length > 0 && grid.every(isColumn) && grid[0].length > 0;
  }
  function writePrecept(game2) {
    const position = lastPosition(game2);
    const { width, height, connect } = game2.variant;
    const precept = { grid: transposed(rowsOf(position)), height, player: position.player, width };
    return JSON.stringify(connect === 4 ? precept : { ...precept, connect });
  }
  var TAG = /\[\s*(\w+)\s*"((?:[^"\\]|\\.)*)"\s*\]\s*/gy;
  var COMMENT = /\{[^}]*\}?|;.*/g;
  var NEXT_GAME = /^[ \t]*\[/m;
  function gameOfPgn(text, current) {
    const plain = text.replace(/^%.*$/gm, "").trim();
    const tags = [...plain.matchAll(TAG)];
    const tagged = (name2) => tags.find((tag) => tag[1] === name2)?.[2].trim();
    const body = plain.slice(tags.map((tag) => tag[0]).join("").length);
    const words = movesIn(body.replace(COMMENT, " ").split(NEXT_GAME)[0]);
    const areSquares = words.length > 0 && words.every((word) => SQUARE.test(word));
    const name = tagged("Variant");
    const start = startOfPgn(name ? variantNamed(name) : current, tagged("FEN"));
    return gameFrom(start, areSquares ? words : [...words.join("")]);
  }
  function startOfPgn(variant, fen) {
    if (!fen) return new Position(variant);
    const [board2, side] = fen.split(/\s+/);
    const rows = rowsOfShort("FEN", board2.split("[")[0].replaceAll("P", "x").replaceAll("p", "o"));
    return positionOf(rows, connectOn(rows, variant), { w: 1, b: 2 }[side]);
  }
  var DEFAULT_LINK = { variant: STANDARD, start: null, moves: [], level: 3, side: 1, mode: "play", problem: null };
  function rowsOfShort(name, text) {
    if (!/^[0-9xo/]{1,150}$/.test(text)) throw wrongField(name, text);
    return text.split("/").map(
      (row) => [...row.matchAll(/\d{1,2}|[xo]/g)].flatMap(([mark]) => {
        const owner = ["x", "o"].indexOf(mark) + 1;
        return owner ? [owner] : Array(Number(mark)).fill(0);
      })
    );
  }
  var wrongField = (name, value) => new NotationError("field", { name, value: shortened(value) });
  function shortOf(position) {
    const rows = rowsOf(position).map((row) => row.map((owner) => ".xo"[owner]).join(""));
    return rows.join("/").replace(/\.+/g, (free) => `${free.length}`);
  }
  function readLink(hash) {
    const link2 = { ...DEFAULT_LINK };
    const fields = new URLSearchParams(hash.replace(/^#/, ""));
    const read = (name, take) => {
      const value2 = fields.get(name);
      try {
        if (value2 !== null) take(value2);
      } catch (error) {
        if (!(error instanceof NotationError)) throw error;
        link2.problem ??= error;
      }
    };
    const choose2 = (name, values) => read(name, (value2) => {
      const found = values.find((one) => `${one}` === value2);
      if (found === void 0) throw wrongField(name, value2);
      Object.assign(link2, { [name]: found });
    });
    read("board", (value2) => {
      link2.variant = variantNamed(value2);
    });
    read("from", (value2) => {
      const start = positionOf(rowsOfShort("from", value2), link2.variant.connect);
      if (start.variant.name !== link2.variant.name) throw wrongField("from", value2);
      link2.start = start.ply ? start : null;
    });
    choose2("level", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    choose2("side", [1, 2, "both"]);
    choose2("mode", ["play", "analyse"]);
    const [[names, value] = ["", ""]] = fields;
    const { moves, problem } = replay(link2.start ?? new Position(link2.variant), value ? [] : [...names]);
    return { ...link2, moves, problem: link2.problem ?? problem };
  }
  function writeLink(link2) {
    const { variant, start, moves, level, side, mode } = { ...DEFAULT_LINK, ...link2 };
    const fields = { board: variant.name, level, side, mode };
    const usual = { ...DEFAULT_LINK, board: STANDARD.name };
    const keys = (
      /** @type {(keyof typeof fields)[]} */
      Object.keys(fields).filter((key2) => fields[key2] !== usual[key2])
    );
    const written = keys.map((key2) => `${key2}=${fields[key2]}`);
    if (start) written.push(`from=${shortOf(start)}`);
    return `#${[writeMoves(variant, moves), ...written].join("&")}`;
  }

  // bot/c4_bot/web/source/sentences.js
  var filled = (template, values) => template.replace(/\{(\w+)\}/g, (_, name) => `${values[name]}`);
  function lastPly(position, score) {
    const { cells } = position.variant;
    if (!score) return cells;
    const last = cells + 2 - 2 * Math.abs(score);
    const winnerMovesLast = (last - position.ply) % 2 === (score > 0 ? 1 : 0);
    return winnerMovesLast ? last : last - 1;
  }

  // bot/c4_bot/web/source/engine/answers.js
  var SEEDS = 2 ** 20;
  var packed = ({ variant, first, second }) => ({
    sizes: [variant.width, variant.height, variant.connect],
    first,
    second
  });

  // bot/c4_bot/web/source/engine/client.js
  var page = (
    /** @type {{ C4_ENGINE?: EngineData, C4_NETWORKS?: Record<string, PackedNetwork> }} */
    globalThis
  );
  function loadScript(name) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = name;
      script.onload = resolve;
      script.onerror = () => reject(new Error(`cannot load ${name}`));
      document.head.append(script);
    });
  }
  var Engine = class {
    constructor() {
      this.nextId = 1;
      this.open = /* @__PURE__ */ new Map();
      this.networks = /* @__PURE__ */ new Map();
      this.worker = this.#start();
      this.ready = this.worker.then(() => void 0);
    }
    /**
     * Returns the values of all moves. `onBounds` gets what is known while they are searched.
     * @param {Position} position
     * @param {{ signal?: AbortSignal, onBounds?: (values: Values) => void, ms?: number }} [options]
     * @returns {Promise<Values>}
     */
    values(position, { signal, onBounds, ms } = {}) {
      return this.#ask({ kind: "values", ms }, position, signal, onBounds);
    }
    /**
     * Returns the move of a level, 1 to 10.
     * @param {Position} position @param {number} level @param {{ signal?: AbortSignal, seed?: number }} [options]
     * @returns {Promise<number>}
     */
    move(position, level, { signal, seed } = {}) {
      return this.#ask({ kind: "move", level, seed }, position, signal);
    }
    /**
     * Returns why a move is good or a mistake; without a cell, why the best move is good.
     * @param {Position} position @param {number | null} cell @param {{ signal?: AbortSignal }} [options]
     * @returns {Promise<Explained>}
     */
    explain(position, cell, { signal } = {}) {
      return this.#ask({ kind: "explain", cell }, position, signal);
    }
    /** Returns best play. @param {Position} position @param {{ signal?: AbortSignal }} [options] @returns {Promise<number[]>} */
    bestLine(position, { signal } = {}) {
      return this.#ask({ kind: "bestLine" }, position, signal);
    }
    async #start() {
      if (!page.C4_ENGINE) await loadScript("engine.js");
      const data = (
        /** @type {EngineData} */
        page.C4_ENGINE
      );
      const address = URL.createObjectURL(new Blob([data.worker], { type: "text/javascript" }));
      const worker = new Worker(address);
      URL.revokeObjectURL(address);
      worker.postMessage({ load: { ...data, worker: "" } });
      worker.postMessage({ network: data.network });
      await new Promise((resolve) => {
        worker.onmessage = resolve;
      });
      worker.onmessage = ({ data: message }) => this.#receive(message);
      return worker;
    }
    /**
     * @param {Partial<Question>} question @param {Position} position @param {AbortSignal} [signal]
     * @param {(values: Values) => void} [onBounds]
     * @returns {Promise<any>}
     */
    async #ask(question, position, signal, onBounds) {
      const worker = await this.worker;
      await this.#provideNetwork(position.variant.name, worker);
      signal?.throwIfAborted();
      const id = this.nextId++;
      return new Promise((resolve, reject) => {
        this.open.set(id, { resolve, reject, onBounds });
        signal?.addEventListener("abort", () => {
          worker.postMessage({ abort: id });
          this.#receive({ id, error: "AbortError" });
        });
        worker.postMessage({ id, question: { ...question, position: packed(position) } });
      });
    }
    /** @param {string} variant @param {Worker} worker */
    #provideNetwork(variant, worker) {
      if (!page.C4_ENGINE?.networks.includes(variant)) return void 0;
      const load = async () => {
        await loadScript(`network-${variant}.js`);
        worker.postMessage({ network: page.C4_NETWORKS?.[variant] });
      };
      if (!this.networks.has(variant)) this.networks.set(variant, load());
      return this.networks.get(variant);
    }
    /** @param {{ id: number, bounds?: Values, answer?: unknown, error?: string }} message */
    #receive({ id, bounds, answer: answer2, error }) {
      const asked = this.open.get(id);
      if (bounds) return asked?.onBounds?.(bounds);
      this.open.delete(id);
      if (error) return asked?.reject(error === "AbortError" ? new DOMException("", error) : new Error(error));
      return asked?.resolve(answer2);
    }
  };

  // bot/c4_bot/web/source/game.js
  var MOST_CELLS = 42;
  var Game = class {
    /** @param {{start?: Position, moves?: number[], level?: number, side?: Side, mode?: Mode}} settings */
    constructor({ start = new Position(STANDARD), moves = [], level = 3, side = 1, mode = "play" } = {}) {
      this.start = start;
      this.main = moves;
      this.fork = null;
      this.inFork = false;
      this.cursor = moves.length;
      this.level = start.variant.cells > MOST_CELLS ? Math.min(level, 9) : level;
      this.side = side;
      this.mode = mode;
    }
    get variant() {
      return this.start.variant;
    }
    /** The cells of the current line: of the game, or of the variation with the moves before it. */
    get line() {
      if (!this.fork || !this.inFork) return this.main;
      return [...this.main.slice(0, this.fork.from), ...this.fork.cells];
    }
    /** The cells that were played up to the position on the board. */
    get played() {
      return this.line.slice(0, this.cursor);
    }
    /** The positions of the current line, the start first. */
    get positions() {
      const positions = [this.start];
      for (const cell of this.line) positions.push(positions[positions.length - 1].play(cell));
      return positions;
    }
    get position() {
      return this.played.reduce((position, cell) => position.play(cell), this.start);
    }
    /** @returns {number | null} */
    get last() {
      return this.cursor ? this.line[this.cursor - 1] : null;
    }
    get isVaried() {
      return this.inFork && this.fork !== null && this.cursor > this.fork.from;
    }
    /** Whether the person moves the stones of a player. @param {1 | 2} player */
    isPerson(player) {
      return this.mode === "analyse" || this.side === "both" || this.side === player;
    }
    /** Whether the level is to move. */
    get isAwaited() {
      return !this.position.isOver && !this.isPerson(this.position.player);
    }
    /** @param {number} cursor */
    go(cursor, inFork = this.inFork) {
      this.inFork = inFork && this.fork !== null;
      this.cursor = Math.max(0, Math.min(cursor, this.line.length));
    }
    /** Makes a legal move. While the person plays, it replaces the moves that were taken back. @param {number} cell */
    play(cell) {
      if (this.line[this.cursor] === cell) this.cursor += 1;
      else if (this.mode === "play" || this.isVaried || this.cursor === this.main.length) this.#extend(cell);
      else this.#vary(cell);
    }
    /** @param {number} cell */
    #extend(cell) {
      const cells = [...this.played, cell];
      if (this.isVaried && this.fork) this.fork = { from: this.fork.from, cells: cells.slice(this.fork.from) };
      else this.main = cells;
      this.cursor = cells.length;
      if (this.mode === "play") this.fork = null;
    }
    /** @param {number} cell */
    #vary(cell) {
      this.fork = { from: this.cursor, cells: [cell] };
      this.inFork = true;
      this.cursor += 1;
    }
    removeVariation() {
      const from = this.fork ? this.fork.from : 0;
      this.fork = null;
      this.go(Math.min(this.cursor, from), false);
    }
    /** Makes the variation the game. */
    promoteVariation() {
      const { cursor } = this;
      this.go(0, true);
      this.main = this.line;
      this.fork = null;
      this.go(cursor, false);
    }
    /** The cursor after taking back: at the last turn of the person, or -1 if there is none. */
    get backTo() {
      return this.positions.findLastIndex((position, at) => at < this.cursor && this.isPerson(position.player));
    }
    /** The cursor after going forward: at the next turn of the person, or at the end; -1 if it is there. */
    get forwardTo() {
      if (this.cursor === this.line.length) return -1;
      const found = this.positions.findIndex((position, at) => at > this.cursor && this.isPerson(position.player));
      return found < 0 ? this.line.length : found;
    }
  };
  function edited(position, column, stone) {
    const { variant, first, second } = position;
    const inColumn = position.occupied & variant.column << BigInt(column * variant.stride);
    const height = inColumn.toString(2).replaceAll("0", "").length;
    if (stone === 0) {
      const kept = ~bit(variant.cell(column, Math.max(0, height - 1)));
      return new Position(variant, first & kept, second & kept);
    }
    if (height === variant.height) return position;
    const added = bit(variant.cell(column, height));
    return new Position(variant, first | (stone === 1 ? added : 0n), second | (stone === 2 ? added : 0n));
  }

  // bot/c4_bot/web/source/texts.js
  var TEXTS = {
    page: {
      // Players and turns
      first: "Orange",
      second: "Yellow",
      free: "free",
      you: "You",
      level: "Level {level}",
      "your turn first": "Your turn. Choose a column.",
      "your turn": "Your turn",
      "turn of": "{who} to move",
      "thinking of": "{who} is thinking \u2026",
      thinking: "Thinking \u2026",
      loading: "The computer is loading \u2026",
      // Ends
      "you win": "You win with {count} {where}.",
      "other wins": "{who} wins with {count} {where}.",
      "in row": "in row {row}",
      "in column": "in column {column}",
      "on diagonal": "on a diagonal",
      draw: "A draw: the board is full.",
      3: "three",
      4: "four",
      5: "five",
      6: "six",
      again: "Play again",
      look: "Review game",
      // Values
      "best wins": "{who} wins on move {move}.",
      "will win": "{who} wins.",
      "best draws": "A draw with best play.",
      win: "win",
      loss: "loss",
      drawn: "draw",
      unknown: "not known yet",
      "value of": "column {column}: {value}, {outcome}",
      "values about": "Values hold for the player to move: + is a win, 0 is a draw, \u2212 is a loss. The number is 1 plus the stones that the winner will have left. So a larger number means that the game ends sooner.",
      // Buttons
      play: "Play",
      analyse: "Analyse",
      modes: "Pages",
      hint: "Hint",
      back: "Take back",
      forward: "Forward",
      "new game": "New game",
      why: "Why?",
      "why about": "Explain the last move",
      "about move": "Move {move}: {who}",
      "why before": "And the move before?",
      values: "Values",
      "play from here": "Play from here",
      "to start": "First position",
      "step back": "Back",
      "step forward": "Forward",
      "to end": "Last position",
      actions: "Game",
      steps: "Steps",
      // Settings
      summary: "Level {level} \xB7 {side} \xB7 {width} \xD7 {height}",
      "summary both": "{side} \xB7 {width} \xD7 {height}",
      "summary connect": "{summary} \xB7 {connect} in a row",
      "side 1": "you play first",
      "side 2": "you play second",
      "side both": "Two people",
      "level legend": "Level",
      "level about": "10 is perfect.",
      "level limit": "Level 10 plays on boards of up to 42 cells.",
      "side legend": "You play",
      "choose 1": "First",
      "choose 2": "Second",
      "choose both": "Both sides",
      columns: "Columns",
      rows: "Rows",
      connect: "In a row",
      "board legend": "Board",
      "board about": "A new size starts a new game.",
      // Board
      board: "Board",
      row: "row {row}",
      column: "column {column}",
      "play column": "Play column {column}",
      "full column": "Column {column} is full",
      "drop on": "Put a stone on column {column}",
      "take from": "Take a stone from column {column}",
      cell: "column {column}, row {row}: {stone}",
      // Analysis
      analysis: "Analysis",
      "best line": "Best play",
      "step of line": "Best play up to column {column}",
      curve: "Value after each move",
      "up wins": "\u2191 {who} wins",
      "down wins": "\u2193 {who} wins",
      "curve point": "Move {move}: {value}",
      "curve about": "{count} moves changed the result. The moves are in the list below.",
      moves: "Moves",
      variation: "Variation",
      "remove variation": "Remove",
      "promote variation": "Make it the game",
      "leave variation": "Back to the game",
      "move name": "Move {move}: column {column}",
      turned: "turned a {before} into a {after}",
      // Edit and paste
      edit: "Edit or paste",
      done: "Done",
      cancel: "Cancel",
      "edit legend": "Stone to put on the board",
      eraser: "Take away",
      "edit about": "Click columns to change the position.",
      "numbers do not fit": "{first} orange and {second} yellow stones. Orange needs as many stones as Yellow, or one more.",
      "both have lines": "Both players have a line. Only one of them can win.",
      paste: "Paste",
      "paste label": "Moves, a grid, a precept or PGN",
      open: "Open",
      // Copies
      copy: "Copy",
      "copy link": "Link",
      "copy moves": "Moves",
      "copy precept": "Precept",
      "copy svg": "SVG",
      "copy the link": "Copy link",
      copied: "Copied",
      "copied what": "{what} copied.",
      // Announcements
      "you play": "You play column {column}, row {row}.",
      "other plays": "{who} plays column {column}, row {row}.",
      "values on": "Values are shown.",
      "values off": "Values are hidden.",
      "move of": "Move {move} of {moves}.",
      failed: "The computer has stopped: {problem}",
      // Help
      help: "Help",
      keys: "Keys",
      close: "Close",
      "key columns": "Play this column",
      "key letters": "Play column 10 or 11, if there is one",
      "key arrows": "Move over the board",
      "key enter": "Play the column with the focus",
      "key steps": "In Analyse, outside the board: back and forward",
      "key u": "Take back",
      "key r": "Forward",
      "key h": "Hint",
      "key v": "Values on or off",
      "key w": "Explain the last move",
      "key n": "New game",
      "key a": "Play or analyse",
      "key ?": "This help"
    },
    notation: {
      empty: "There is nothing to read: paste moves such as 4453, a board, a precept, or a game in PGN.",
      noColumn: "Move {number} is \u201C{move}\u201D, but there is no such column: the columns are 1 to {last}.",
      full: "Move {number} is in column {move}, but the column is full.",
      over: "Move {number} comes after the end of the game.",
      square: "Move {number} is \u201C{move}\u201D, but a stone does not come to rest there.",
      size: "A board has 3 to 11 columns and 3 to 10 rows, but this one has {width} columns and {height} rows.",
      connect: "On a board of {width}x{height}, a line has 3 to {most} stones, not {connect}.",
      uneven: "Row {row} of the board has {cells} cells, but the first row has {width}.",
      row: "Row {row} of the board is \u201C{text}\u201D, but cells are . X O, or 0 1 2.",
      floating: "A stone in column {column} lies above a free cell.",
      stones: "The first player has {first} stones and the second {second}. The first player must have as many as the second, or one more.",
      turn: "It cannot be the turn of player {player}: the first player has {first} stones and the second {second}.",
      twoLines: "Both players have a complete line.",
      json: "The text begins like a line of JSON, but it has neither a grid nor moves.",
      grid: "The grid is not a list of equal columns with the cells 0, 1 and 2, or it has another size than the line says.",
      rules: "On this board, stones fall, lines count in all directions, and no stone is stolen. \u201C{rules}\u201D is another game.",
      numbers: "Width, height, connect and player have to be numbers.",
      field: "\u201C{name}\u201D cannot be \u201C{value}\u201D."
    },
    picture: {
      won: "{size} board with {stones} stones: player {player} has won",
      full: "{size} board with {stones} stones: the board is full",
      next: "{size} board with {stones} stones: player {player} moves next"
    }
  };

  // bot/c4_bot/web/source/picture.js
  var FRAME_WIDTH = 0.15;
  var PIXELS_PER_CELL = 40;
  var MAX_WIDTH2 = 480;
  var LABELS = 'fill="#d4e2f1" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="600"';
  var HOLES = 'stroke="#14304f" stroke-width=".82" stroke-dasharray="0 1"';
  var FIRST = 'stroke="#e8641b" stroke-width=".82"';
  var SECOND = [
    'stroke="#f4dd4b" stroke-width=".82"',
    'stroke="#6b5b00" stroke-width=".5"',
    'stroke="#f4dd4b" stroke-width=".36"'
  ];
  var LINE = ['stroke="#14202e" stroke-width=".16"', 'stroke="#fff" stroke-width=".08"'];
  var LAST = 'stroke="#14202e" stroke-width=".2"';
  function svgText(position, lastCell = null) {
    const { variant, first, second } = position;
    const dots = (stones) => cellsOf(stones).map((cell) => `M${centre(variant, cell)}h0`);
    const parts = [
      labels(variant),
      path(HOLES, holes(variant)),
      path(FIRST, dots(first)),
      ...SECOND.map((attributes) => path(attributes, dots(second))),
      ...LINE.map((attributes) => path(attributes, lines(position))),
      path(LAST, lastCell === null ? [] : dots(bit(lastCell)))
    ];
    return framed(position, parts.join(""));
  }
  function framed(position, content) {
    const { variant } = position;
    const left = 0.5 - FRAME_WIDTH;
    const [width, height] = [variant.width + 2 * FRAME_WIDTH, variant.height + 0.5 + FRAME_WIDTH];
    const pixels = Math.min(PIXELS_PER_CELL, MAX_WIDTH2 / width);
    const [x, y, w, h] = [left, 0, width, height].map(short);
    return `<svg class="bo" viewBox="${x} ${y} ${w} ${h}" role="img" aria-label="${description(position)}" xmlns="http://www.w3.org/2000/svg" width="${(width * pixels).toFixed(0)}" height="${(height * pixels).toFixed(0)}" fill="none" stroke-linecap="round"><rect x="${x}" y="${y}" width="${w}" height="${h}" rx=".2" fill="#2a5587"/>${content}</svg>`;
  }
  function description(position) {
    const { variant, winner } = position;
    const text = TEXTS.picture[winner ? "won" : position.isFull ? "full" : "next"];
    const size = `${variant.width}x${variant.height}`;
    return filled(text, { size, stones: `${position.ply}`, player: `${winner || position.player}` });
  }
  function labels({ width }) {
    const xs = [...Array(width).keys()].map((x) => x + 1).join(" ");
    return `<g font-size=".34" ${LABELS}><text x="${xs}" y=".37">${COLUMN_NAMES.slice(0, width)}</text></g>`;
  }
  var holes = ({ width, height }) => [...Array(height).keys()].map((y) => `M1 ${y + 1}h${short(width - 0.9)}`);
  function lines({ variant, first, second }) {
    const { stride, connect } = variant;
    const strokes = [];
    for (const stones of [first, second])
      for (const step2 of [stride, 1, stride + 1, stride - 1]) {
        let starts = stones;
        for (let i = 1; i < connect; i += 1) starts &= stones >> BigInt(i * step2);
        for (const cell of cellsOf(starts))
          strokes.push(`M${centre(variant, cell)}L${centre(variant, cell + (connect - 1) * step2)}`);
      }
    return strokes;
  }
  var centre = (variant, cell) => `${variant.columnOf(cell) + 1} ${variant.height - variant.rowOf(cell)}`;
  var path = (attributes, data) => data.length ? `<path ${attributes} d="${data.join("")}"/>` : "";
  var short = (value) => `${Number(value.toFixed(2))}`.replace(/^(-?)0\./, "$1.");

  // bot/c4_bot/web/source/study.js
  var MAX_MS = 5e3;
  var key = (position) => `${position.variant.name} ${position.first} ${position.second}`;
  var isExact = (values) => [...values.values()].every(({ low, high }) => low === high);
  function finalValue({ variant, winner, first, second }) {
    if (winner === 1) return 1 + Math.ceil(variant.cells / 2) - count(first);
    return winner === 2 ? count(second) - Math.floor(variant.cells / 2) - 1 : 0;
  }
  var Study = class {
    /** @param {import("./engine/client.js").Engine} engine @param {() => void} changed called when there is news
        @param {(error: Error) => void} failed */
    constructor(engine2, changed2, failed) {
      this.engine = engine2;
      this.changed = changed2;
      this.failed = failed;
      this.found = /* @__PURE__ */ new Map();
      this.lines = /* @__PURE__ */ new Map();
      this.tooHard = /* @__PURE__ */ new Set();
      this.task = new AbortController();
      this.wanted = "";
      this.isDone = false;
    }
    /** Looks at a position, in an analysis also at its best line and at other positions.
        @param {Position} position @param {Position[] | null} others */
    look(position, others = null) {
      const wanted = [position, ...others ?? []].map(key).join();
      if (wanted === this.wanted) return;
      this.stop();
      this.wanted = wanted;
      const { signal } = this.task;
      this.#work(position, others, signal).catch((error) => {
        if (!signal.aborted) this.failed(error);
      });
    }
    stop() {
      this.task.abort();
      this.task = new AbortController();
      this.wanted = "";
      this.isDone = false;
    }
    /** @param {Position} position @param {Position[] | null} others @param {AbortSignal} signal */
    async #work(position, others, signal) {
      await this.#solve(position, { signal, onBounds: (values) => this.#keep(position, values) });
      if (others && !position.isOver && !this.lineOf(position)) {
        this.lines.set(key(position), await this.engine.bestLine(position, { signal }));
        this.changed();
      }
      for (const other of [...others ?? []].reverse()) await this.#solve(other, { signal, ms: MAX_MS });
      this.isDone = true;
      this.changed();
    }
    /** @param {Position} position @param {Parameters<import("./engine/client.js").Engine["values"]>[1] & {}} how */
    async #solve(position, how) {
      const known = this.found.get(key(position));
      if (position.isOver || known && isExact(known) || how.ms && this.tooHard.has(key(position))) return;
      this.#keep(position, await this.engine.values(position, how));
      if (how.ms) this.tooHard.add(key(position));
    }
    /** @param {Position} position @param {Values} values */
    #keep(position, values) {
      this.found.set(key(position), values);
      this.changed();
    }
    /** The values of the moves as far as they are known, or null. @param {Position} position */
    valuesOf(position) {
      return this.found.get(key(position)) ?? null;
    }
    /** The best line, or null while it is not known. @param {Position} position */
    lineOf(position) {
      return this.lines.get(key(position)) ?? null;
    }
    /** Bounds of the value for the first player. @param {Position} position */
    boundsOf(position) {
      const values = [...this.valuesOf(position)?.values() ?? [{ low: -Infinity, high: Infinity }]];
      const [low, high] = [Math.max(...values.map(({ low: low2 }) => low2)), Math.max(...values.map(({ high: high2 }) => high2))];
      return position.player === 1 ? { low, high } : { low: 0 - high, high: 0 - low };
    }
    /** The exact value for the first player, or null. @param {Position} position */
    valueOf(position) {
      if (position.isOver) return finalValue(position);
      const { low, high } = this.boundsOf(position);
      return low === high ? low : null;
    }
    /** Returns the moves that changed the result for the worse. @param {Position[]} positions @returns {Turn[]} */
    turns(positions) {
      const values = positions.map((position) => this.valueOf(position));
      return positions.slice(1).flatMap((_, i) => {
        const [before, after] = [values[i], values[i + 1]];
        if (before === null || after === null) return [];
        const result = (value) => Math.sign(positions[i].player === 1 ? value : 0 - value);
        const turn2 = { at: i + 1, before: result(before), after: result(after) };
        return turn2.after < turn2.before ? [turn2] : [];
      });
    }
  };

  // bot/c4_bot/web/source/view/dom.js
  function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
      if (typeof value === "function") node.addEventListener(name.slice(2), value);
      else if (value !== false && value != null) node.setAttribute(name, value === true ? "" : String(value));
    }
    node.append(...children);
    return node;
  }
  var html = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
  var svg = (tag, attributes = {}, ...children) => fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
  var button = (text, onclick, attributes = {}) => html("button", { type: "button", onclick, ...attributes }, text);
  function place(id) {
    const found = document.getElementById(id);
    if (!found) throw new Error(`no element ${id}`);
    return found;
  }
  function write(node, text) {
    if (node.textContent !== text) node.textContent = text;
  }
  var switchOff = (node, isOff) => node.setAttribute("aria-disabled", String(isOff));
  function resize(list, length, make) {
    while (list.children.length > length) list.lastElementChild?.remove();
    while (list.children.length < length) list.append(make());
    return (
      /** @type {HTMLElement[]} */
      [...list.children]
    );
  }
  function ignoreSwitchedOff() {
    const stop = (event) => {
      if (event.target instanceof Element && event.target.closest("[aria-disabled=true]")) event.stopImmediatePropagation();
    };
    addEventListener("click", stop, true);
  }

  // bot/c4_bot/web/source/view/words.js
  var say = (key2, fields = {}) => filled(TEXTS.page[key2], fields);
  var signed = (value) => value > 0 ? `+${value}` : value < 0 ? `\u2212${-value}` : "0";
  function boundsText({ low, high }) {
    if (low === high) return signed(low);
    if (low >= 0) return `\u2265${low}`;
    return high <= 0 ? `\u2264${signed(high)}` : "\u2026";
  }
  function outcome({ low, high }) {
    if (low > 0) return "win";
    if (high < 0) return "loss";
    return low === 0 && high === 0 ? "drawn" : "unknown";
  }
  var colour = (player) => say(player === 1 ? "first" : "second");
  function nameOf(game2, player) {
    if (game2.side === "both" || game2.mode === "analyse") return colour(player);
    return game2.side === player ? say("you") : say("level", { level: game2.level });
  }
  function prospect(position, { low, high }) {
    if (low <= 0 && high >= 0) return low === high ? say("best draws") : "";
    const who = colour(low > 0 ? 1 : 2);
    if (low < high) return say("will win", { who });
    return say("best wins", { who, move: lastPly(position, position.player === 1 ? low : -low) });
  }
  function endOf(game2, position) {
    if (!position.winner) return say("draw");
    const { connect } = position.variant;
    const key2 = game2.mode === "play" && game2.side === position.winner ? "you win" : "other wins";
    const count2 = say(
      /** @type {Key} */
      /** @type {unknown} */
      String(connect)
    );
    return say(key2, { who: nameOf(game2, position.winner), count: count2, where: whereIs(position) });
  }
  function whereIs(position) {
    const { variant } = position;
    const cells = cellsOf(position.lines);
    const [x, y] = [cells.map((cell) => variant.columnOf(cell)), cells.map((cell) => variant.rowOf(cell))];
    if (y.every((row) => row === y[0])) return say("in row", { row: y[0] + 1 });
    return x.every((column) => column === x[0]) ? say("in column", { column: COLUMN_NAMES[x[0]] }) : say("on diagonal");
  }

  // bot/c4_bot/web/source/view/curve.js
  var HALF = 50;
  var CurveView = class {
    /** @param {(at: number) => void} go */
    constructor(go2) {
      this.cursor = svg("rect", { class: "cursor", y: 0, width: 1, height: 2 * HALF });
      this.shapes = svg("g");
      this.cells = svg("g");
      this.svg = svg("svg", { preserveAspectRatio: "none", role: "img" });
      this.svg.addEventListener("click", (event) => go2(this.#clicked(event)));
      this.svg.append(this.cursor, this.shapes, this.cells);
      const up = html("span", { class: "p1" }, say("up wins", { who: colour(1) }));
      const down = html("span", { class: "p2" }, say("down wins", { who: colour(2) }));
      this.wait = html("span");
      this.node = html("figure", { class: "curve" }, html("figcaption", {}, up, this.wait, down), this.svg);
      this.length = 0;
      this.drawn = "";
    }
    /** @param {(number | null)[]} values for the first player @param {number} cursor @param {number[]} turns @param {number} most */
    draw(values, cursor, turns, most) {
      this.cursor.setAttribute("x", String(cursor));
      const drawn = JSON.stringify([values, turns, most]);
      if (drawn === this.drawn) return;
      this.drawn = drawn;
      this.length = values.length;
      const y = (value) => HALF - Math.sign(value) * (14 + (HALF - 18) * Math.abs(value) / most);
      const mark = (at) => {
        const name = at === turns[turns.length - 1] ? "mark decisive" : "mark";
        return svg("path", { class: name, d: `M${at + 0.5} ${y(values[at] ?? 0)}h0` });
      };
      this.svg.setAttribute("viewBox", `0 0 ${values.length} ${2 * HALF}`);
      this.svg.setAttribute("aria-label", `${say("curve")}. ${say("curve about", { count: turns.length })}`);
      const axis = svg("path", { class: "axis", d: `M0 ${HALF}H${values.length}` });
      const [up, down] = [1, -1].map((sign) => svg("path", { class: sign > 0 ? "up" : "down", d: area(values, sign, y) }));
      this.shapes.replaceChildren(up, down, axis, svg("path", { class: "trace", d: trace(values, y) }), ...turns.map(mark));
      this.cells.replaceChildren(...values.map((value, at) => this.#cell(value, at)));
    }
    /** @param {number | null} value @param {number} at */
    #cell(value, at) {
      const title = svg("title");
      write(title, say("curve point", { move: at, value: value === null ? say("unknown") : signed(value) }));
      return svg("rect", { class: "cell", x: at, y: 0, width: 1, height: 2 * HALF }, title);
    }
    /** @param {MouseEvent} event */
    #clicked(event) {
      const { left, width } = this.svg.getBoundingClientRect();
      return Math.min(this.length - 1, Math.max(0, Math.floor((event.clientX - left) / width * this.length)));
    }
  };
  function area(values, sign, y) {
    const step2 = (value, at) => value !== null && Math.sign(value) === sign ? `M${at} ${HALF}V${y(value)}h1V${HALF}z` : "";
    return values.map(step2).join("");
  }
  function trace(values, y) {
    const step2 = (value, at) => {
      if (value === null) return "";
      return `${(values[at - 1] ?? null) === null ? `M${at} ` : "V"}${y(value)}h1`;
    };
    return values.map(step2).join("");
  }

  // bot/c4_bot/web/source/view/analysis.js
  var AnalysisView = class {
    /** @param {HTMLElement} place @param {{go(at: number): void, follow(cells: number[]): void}} actions */
    constructor(place2, actions) {
      this.place = place2;
      this.curve = new CurveView(actions.go);
      this.steps = html("ol", { class: "steps" });
      this.wait = html("span", { class: "muted late" });
      const title = html("h2", {}, say("best line"));
      this.best = html("div", { class: "best-line" }, title, this.steps, this.wait);
      place2.append(this.curve.node, this.best);
      this.line = [];
      this.follow = actions.follow;
    }
    /** @param {Game} game @param {Study} study @param {string} waiting what to say while the line is not known */
    draw(game2, study2, waiting2) {
      this.place.hidden = game2.mode === "play";
      if (this.place.hidden) return;
      const { positions, variant } = game2;
      const turns = study2.turns(positions).map(({ at }) => at);
      const values = positions.map((position) => study2.valueOf(position));
      const most = Math.ceil((variant.cells + 1) / 2);
      this.curve.draw(values, game2.cursor, turns, most);
      write(this.curve.wait, values.includes(null) && !study2.isDone ? waiting2 : "");
      this.best.hidden = game2.position.isOver;
      this.line = study2.lineOf(game2.position) ?? [];
      write(this.wait, this.line.length ? "" : waiting2);
      resize(this.steps, this.line.length, () => this.#step(this.steps.children.length));
      [...this.steps.children].forEach((item, i) => {
        const column = COLUMN_NAMES[variant.columnOf(this.line[i])];
        const node = (
          /** @type {HTMLElement} */
          item.firstElementChild
        );
        write(node, column);
        node.className = (game2.position.ply + i) % 2 ? "p2" : "p1";
        node.setAttribute("aria-label", say("step of line", { column }));
      });
    }
    /** @param {number} i */
    #step(i) {
      return html("li", {}, button("", () => this.follow(this.line.slice(0, i + 1))));
    }
  };

  // bot/c4_bot/web/source/view/announce.js
  var regions = [0, 1].map(() => html("p", { class: "unseen", "aria-live": "polite" }));
  document.body.append(...regions);
  var turn = 0;
  function announce(text) {
    regions[turn].textContent = "";
    turn = 1 - turn;
    regions[turn].textContent = text;
  }

  // bot/c4_bot/web/source/view/answer.js
  var AnswerView = class {
    /** @param {HTMLElement} place @param {{again(): void, look(): void, link(source: HTMLElement): void, before(): void}} actions */
    constructor(place2, actions) {
      this.place = place2;
      this.title = html("p", { class: "muted" });
      this.text = html("p");
      this.before = button(say("why before"), actions.before, { class: "plain" });
      const link2 = button(say("copy the link"), () => actions.link(link2));
      this.end = html("div", { class: "buttons" }, button(say("again"), actions.again, { class: "first" }));
      this.end.append(button(say("look"), actions.look), link2);
      this.card = html("div", {}, this.title, this.text, this.before);
      place2.append(this.card, this.end);
    }
    /** @param {Answer | null} answer @param {{isOver: boolean, isFirst: boolean, waiting: string}} shown */
    draw(answer2, { isOver, isFirst, waiting: waiting2 }) {
      const text = answer2 ? answer2.isDone ? answer2.text : waiting2 : "";
      write(this.title, answer2?.title ?? "");
      write(this.text, text);
      this.card.hidden = !text;
      this.text.classList.toggle("muted", !answer2?.isDone);
      this.before.hidden = !answer2?.isDone || answer2.back < 0 || isFirst;
      this.end.hidden = !isOver;
      this.place.hidden = !text && !isOver;
    }
  };

  // bot/c4_bot/web/source/view/bar.js
  var ICONS = {
    "to start": "M3 3v10M13 3 6 8l7 5z",
    "step back": "M11 3 4 8l7 5z",
    "step forward": "M5 3l7 5-7 5z",
    "to end": "M13 3v10M3 3l7 5-7 5z"
  };
  function step(key2, action) {
    const node = button("", action, { "aria-label": say(key2), title: say(key2) });
    node.append(svg("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: ICONS[key2] })));
    return node;
  }
  var BarView = class {
    /** @param {HTMLElement} place @param {Record<string, () => void>} actions */
    constructor(place2, actions) {
      this.players = [1, 2].map((player) => html("span", { class: `player p${player}` }));
      this.status = html("p", { class: "status" });
      this.hint = button(say("hint"), actions.hint, { title: `${say("hint")} (h)` });
      this.back = button(say("back"), actions.back, { title: `${say("back")} (u)` });
      this.fresh = button(say("new game"), actions.fresh, { title: `${say("new game")} (n)` });
      this.why = button(say("why"), actions.why, { title: `${say("why about")} (w)` });
      this.forward = button(say("forward"), actions.forward, { title: `${say("forward")} (r)` });
      this.values = button(say("values"), actions.values, { title: `${say("values about")} (v)`, class: "switch", role: "switch" });
      this.from = button(say("play from here"), actions.playFromHere);
      this.edit = button(say("edit"), actions.edit, { "aria-expanded": "false" });
      this.ends = [step("to start", actions.toStart), step("step back", actions.back)];
      this.nexts = [step("step forward", actions.forward), step("to end", actions.toEnd)];
      this.main = html("div", { class: "buttons", role: "group", "aria-label": say("actions") });
      this.main.append(this.hint, this.back, this.fresh);
      this.steps = html("div", { class: "buttons", role: "group", "aria-label": say("steps") });
      this.steps.append(...this.ends, ...this.nexts);
      this.more = html("div", { class: "buttons more" }, this.why, this.forward, this.from, this.edit, this.values);
      place2.append(html("div", { class: "players" }, ...this.players), this.status, this.main, this.steps, this.more);
    }
    /** @param {Game} game @param {{status: string, isOver: boolean, showsValues: boolean, isEdit: boolean}} shown */
    draw(game2, { status: status2, isOver, showsValues: showsValues2, isEdit }) {
      const isPlay = game2.mode === "play";
      const isAlone = isPlay && game2.side === "both";
      this.players.forEach((node, i) => {
        const player = (
          /** @type {1 | 2} */
          i + 1
        );
        write(node, nameOf(game2, player));
        node.classList.toggle("turn", !isOver && !isEdit && game2.position.player === player);
      });
      write(this.status, status2);
      for (const node of [this.main, this.forward]) node.hidden = !isPlay;
      for (const node of [this.steps, this.from, this.edit]) node.hidden = isPlay;
      for (const node of [this.hint, this.why]) node.hidden = isAlone;
      this.values.hidden = isAlone || !isPlay;
      if (isAlone) this.fresh.before(this.forward);
      else if (this.forward.parentElement === this.main) this.why.after(this.forward);
      switchOff(this.hint, isOver || game2.isAwaited);
      switchOff(this.back, game2.backTo < 0);
      switchOff(this.fresh, game2.line.length === 0);
      switchOff(this.why, game2.cursor === 0 || isEdit);
      for (const node of [this.forward, ...this.nexts]) switchOff(node, game2.forwardTo < 0 || isEdit);
      for (const node of this.ends) switchOff(node, game2.cursor === 0 || isEdit);
      switchOff(this.from, isOver || isEdit);
      this.edit.setAttribute("aria-expanded", String(isEdit));
      this.values.setAttribute("aria-checked", String(showsValues2));
    }
  };

  // bot/c4_bot/web/source/view/board.js
  var calm = matchMedia("(prefers-reduced-motion: reduce)");
  var FALL_MS = 300;
  var ABOVE = 0.94;
  function front({ width, height }) {
    let path2 = `M.35 .2a.2.2 0 0 1 .2-.2h${width - 0.1}a.2.2 0 0 1 .2.2v${height + 0.25}a.2.2 0 0 1-.2.2h${0.1 - width}a.2.2 0 0 1-.2-.2z`;
    for (let y = 1; y <= height; y += 1) {
      for (let x = 1; x <= width; x += 1) path2 += `M${x - 0.41} ${y}a.41.41 0 1 0 .82 0a.41.41 0 1 0-.82 0z`;
    }
    return svg("path", { class: "bf", d: path2, "fill-rule": "evenodd" });
  }
  var dot = (name, { x, y }) => svg("path", { class: name, d: `M${x} ${y}h0` });
  var BoardView = class {
    /** @param {HTMLElement} place @param {(column: number) => void} choose */
    constructor(place2, choose2) {
      this.place = place2;
      this.choose = choose2;
      this.variant = null;
      this.stones = svg("g");
      this.marks = svg("g");
      this.drawn = /* @__PURE__ */ new Map();
      this.targets = [];
      this.values = [];
      place2.addEventListener("keydown", (event) => this.#move(event));
      place2.addEventListener("focusin", (event) => this.#keepTab(event));
      place2.addEventListener("pointerover", (event) => this.#hold(event.target));
    }
    /** @param {Scene} scene */
    draw(scene) {
      if (this.variant?.name !== scene.position.variant.name) this.#build(scene.position.variant);
      this.place.dataset.stone = String(scene.stone ?? "");
      this.#drawStones(scene.position);
      this.#drawMarks(scene);
      this.#drawColumns(scene);
      this.#drawCells(scene.position);
    }
    focus() {
      this.targets.flat().find(({ tabIndex }) => tabIndex === 0)?.focus();
    }
    // Building, when the size changes
    /** @param {Variant} variant */
    #build(variant) {
      const { width, height } = variant;
      const hadFocus = this.place.contains(document.activeElement);
      this.variant = variant;
      this.drawn.clear();
      this.stones.replaceChildren();
      const root = document.documentElement.style;
      root.setProperty("--w", String(width));
      root.setProperty("--h", String(height));
      const box = `.35 ${-ABOVE} ${width + 0.3} ${height + 0.65 + ABOVE}`;
      const hole = svg("rect", { class: "bk", x: 0.45, y: 0.1, width: width + 0.1, height: height + 0.45 });
      const picture = svg("svg", { class: "bo", viewBox: box, "aria-hidden": "true" });
      picture.append(hole, this.stones, front(variant), this.marks);
      this.place.replaceChildren(picture, this.#grid(variant));
      const middle = this.targets[0][Math.floor(width / 2)];
      middle.tabIndex = 0;
      this.#hold(middle);
      if (hadFocus) middle.focus();
    }
    /** @param {Variant} variant */
    #grid({ width, height }) {
      const columns = [...Array(width).keys()];
      const buttons = columns.map((x) => this.#columnButton(x));
      this.values = columns.map(() => html("span", { "aria-hidden": "true" }));
      const heads = buttons.map((node, x) => html("div", { role: "columnheader" }, node, this.values[x]));
      const cells = Array.from({ length: height }, () => columns.map((x) => this.#cell(x)));
      this.targets = [buttons, ...cells];
      const rows = cells.map((row, i) => {
        const head = html("div", { role: "rowheader", class: "unseen" }, say("row", { row: height - i }));
        return html("div", { role: "row" }, head, ...row);
      });
      const corner = html("div", { role: "columnheader", class: "unseen" }, say("board"));
      const first = html("div", { role: "row", class: "heads" }, corner, ...heads);
      return html("div", { role: "grid", "aria-label": say("board"), class: "grid" }, first, ...rows);
    }
    /** @param {number} x */
    #columnButton(x) {
      const [held, name] = ["held", "name"].map((part) => html("span", { class: part }));
      name.textContent = COLUMN_NAMES[x];
      return html("button", { type: "button", tabindex: -1, class: "column", onclick: () => this.choose(x) }, held, name);
    }
    /** @param {number} x */
    #cell(x) {
      const onkeydown = (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        this.targets[0][x].click();
      };
      return html("div", { role: "gridcell", tabindex: -1, onkeydown });
    }
    // Moving the focus with the arrow keys; only one element of the grid is reached with Tab
    /** @param {KeyboardEvent} event */
    #move(event) {
      const row = this.targets.findIndex((targets) => targets.includes(
        /** @type {any} */
        event.target
      ));
      if (row < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
      const column = this.targets[row].indexOf(
        /** @type {any} */
        event.target
      );
      const last = this.targets[row].length - 1;
      const steps2 = {
        ArrowLeft: [row, column - 1],
        ArrowRight: [row, column + 1],
        ArrowUp: [row - 1, column],
        ArrowDown: [row + 1, column],
        Home: [row, 0],
        End: [row, last]
      };
      const to = steps2[event.key];
      if (!to) return;
      event.preventDefault();
      event.stopPropagation();
      this.targets[to[0]]?.[to[1]]?.focus();
    }
    /** @param {FocusEvent} event */
    #keepTab(event) {
      this.#hold(event.target);
      for (const target of this.targets.flat()) target.tabIndex = target === event.target ? 0 : -1;
    }
    /** The next stone is held above one column: where the pointer or the focus was last. @param {EventTarget | null} target */
    #hold(target) {
      const row = this.targets.find((targets) => targets.includes(
        /** @type {any} */
        target
      ));
      const column = row?.indexOf(
        /** @type {any} */
        target
      ) ?? -1;
      if (column < 0) return;
      for (const [x, node] of this.targets[0].entries()) node.classList.toggle("here", x === column);
    }
    // Drawing
    /** @param {number} cell */
    #centre(cell) {
      const variant = (
        /** @type {Variant} */
        this.variant
      );
      return { x: variant.columnOf(cell) + 1, y: variant.height - variant.rowOf(cell) };
    }
    /** @param {Position} position */
    #drawStones(position) {
      const wasEmpty = this.drawn.size === 0;
      let removed = 0;
      for (const [cell, { owner, node }] of this.drawn) {
        if (position.ownerOf(cell) === owner) continue;
        node.remove();
        this.drawn.delete(cell);
        removed += 1;
      }
      const added = cellsOf(position.occupied).filter((cell) => !this.drawn.has(cell));
      for (const cell of added) this.#addStone(cell, position.ownerOf(cell));
      if (added.length === 1 && !removed && (!wasEmpty || position.ply === 1)) this.#drop(added[0]);
    }
    /** @param {number} cell @param {number} owner */
    #addStone(cell, owner) {
      const names = owner === 1 ? ["b1"] : ["b2", "br", "bi"];
      const node = svg("g", {}, ...names.map((name) => dot(name, this.#centre(cell))));
      this.stones.append(node);
      this.drawn.set(cell, { owner, node });
    }
    /** A stone accelerates: way grows with the square of time, which is exactly this curve. @param {number} cell */
    #drop(cell) {
      const node = this.drawn.get(cell)?.node;
      if (!node || calm.matches || !this.variant) return;
      const way = this.#centre(cell).y + 0.47;
      const duration = FALL_MS * Math.sqrt(way / (this.variant.height + 0.47));
      const easing = "cubic-bezier(.333, 0, .667, .333)";
      node.animate([{ transform: `translateY(${-way}px)` }, { transform: "none" }], { duration, easing });
    }
    /** @param {Scene} scene */
    #drawMarks({ position, last, marks, hint: hint2 }) {
      const shapes = this.#stroke(position);
      if (last !== null) shapes.push(dot("bl", this.#centre(last)));
      for (const cell of marks) shapes.push(...this.#rings(cell, "mark"));
      if (hint2 !== null) shapes.push(...this.#rings(hint2, "hint"));
      this.marks.replaceChildren(...shapes);
    }
    /** @param {number} cell @param {string} kind */
    #rings(cell, kind) {
      const { x, y } = this.#centre(cell);
      return ["under", "over"].map((name) => svg("circle", { class: `${kind} ${name}`, cx: x, cy: y, r: kind === "hint" ? 0.3 : 0.41 }));
    }
    /** A stroke through each complete line. @param {Position} position */
    #stroke({ lines: lines2, variant: { steps: steps2, connect } }) {
      const ways = steps2.flatMap((step2) => {
        let starts = lines2;
        for (let i = 1; i < connect; i += 1) starts &= lines2 >> step2 * BigInt(i);
        return cellsOf(starts).map((start) => this.#between(start, start + Number(step2) * (connect - 1)));
      });
      return ["bs", "bw"].flatMap((name) => ways.map((d) => svg("path", { class: name, d })));
    }
    /** @param {number} from @param {number} to */
    #between(from, to) {
      const [a, b] = [this.#centre(from), this.#centre(to)];
      return `M${a.x} ${a.y}L${b.x} ${b.y}`;
    }
    /** @param {Scene} scene */
    #drawColumns({ position, stone, isEdit, values }) {
      const best = values && isExact(values) ? Math.max(...[...values.values()].map(({ low }) => low)) : null;
      this.targets[0].forEach((node, x) => {
        const cell = position.cellIn(x);
        const bounds = cell !== null && values?.get(cell) || null;
        switchOff(node, stone === null || stone !== 0 && cell === null);
        node.setAttribute("aria-label", this.#nameOf(x, cell, bounds, isEdit ? stone : null));
        const value = this.values[x];
        write(value, bounds ? boundsText(bounds) : "");
        value.className = `value ${bounds ? outcome(bounds) : ""}`;
        value.classList.toggle("best", bounds !== null && bounds.low === best);
      });
    }
    /** @param {number} x @param {number | null} cell @param {import("./words.js").Bounds | null} bounds @param {0 | 1 | 2 | null} stone */
    #nameOf(x, cell, bounds, stone) {
      const column = COLUMN_NAMES[x];
      if (stone === 0) return say("take from", { column });
      if (cell === null) return say("full column", { column });
      if (stone) return say("drop on", { column });
      if (!bounds) return say("play column", { column });
      return say("value of", { column, value: boundsText(bounds), outcome: say(outcome(bounds)) });
    }
    /** @param {Position} position */
    #drawCells(position) {
      const { height } = position.variant;
      this.targets.slice(1).forEach((row, i) => {
        row.forEach((node, x) => {
          const owner = position.ownerOf(position.variant.cell(x, height - 1 - i));
          const stone = owner ? colour(owner).toLowerCase() : say("free");
          const name = say("cell", { column: COLUMN_NAMES[x], row: height - i, stone });
          if (node.getAttribute("aria-label") !== name) node.setAttribute("aria-label", name);
        });
      });
    }
  };

  // bot/c4_bot/web/source/view/copies.js
  async function copy(text, source) {
    const label = source.dataset.label ?? source.textContent ?? "";
    source.dataset.label = label;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      copySelected(text);
      source.focus({ preventScroll: true });
    }
    source.textContent = say("copied");
    announce(say("copied what", { what: label }));
    setTimeout(() => {
      source.textContent = label;
    }, 1500);
  }
  function copySelected(text) {
    const field = html("textarea", { class: "unseen" });
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  function addCopies(place2, texts) {
    const buttons = Object.entries(texts).map(([name, text]) => {
      const node = button(say(
        /** @type {Key} */
        `copy ${name}`
      ), () => copy(text(), node));
      return node;
    });
    place2.append(html("div", { class: "copies", role: "group", "aria-label": say("copy") }, html("span", { class: "muted" }, say("copy")), ...buttons));
  }

  // bot/c4_bot/web/source/view/edit.js
  function problemOf({ first, second, variant }) {
    const [ones, twos] = [count(first), count(second)];
    if (ones !== twos && ones !== twos + 1) return say("numbers do not fit", { first: ones, second: twos });
    return variant.lines(first) && variant.lines(second) ? say("both have lines") : "";
  }
  var EditView = class {
    /** @param {HTMLElement} place @param {{done(): void, cancel(): void, paste(text: string): string}} actions */
    constructor(place2, actions) {
      this.place = place2;
      this.stone = 1;
      this.chosen = () => {
      };
      const choices = (
        /** @type {(0 | 1 | 2)[]} */
        [1, 2, 0].map((stone) => this.#choice(stone))
      );
      this.problem = html("p", { class: "problem", role: "alert" });
      const legend = html("legend", {}, say("edit legend"));
      const stones = html("fieldset", { class: "radios" }, legend, html("div", {}, ...choices));
      const buttons = html("div", { class: "buttons" }, button(say("done"), actions.done, { class: "first" }));
      buttons.append(button(say("cancel"), actions.cancel));
      this.text = html("textarea", { rows: 3, spellcheck: "false" });
      const refused = html("p", { class: "problem", role: "alert" });
      const open2 = button(say("open"), () => write(refused, actions.paste(this.text.value)));
      const label = html("label", { class: "paste" }, say("paste label"), this.text);
      place2.append(stones, this.problem, buttons, label, open2, refused);
    }
    /** @param {0 | 1 | 2} stone */
    #choice(stone) {
      const onchange = () => {
        this.stone = stone;
        this.chosen();
      };
      const input = html("input", { type: "radio", name: "stone", value: stone, checked: stone === 1, onchange });
      const text = stone ? colour(stone) : say("eraser");
      return html("label", {}, input, html("span", { class: stone ? `p${stone}` : "" }, text));
    }
    /** @param {Position | null} draft null while nothing is changed by hand */
    draw(draft2) {
      this.place.hidden = !draft2;
      if (draft2) write(this.problem, problemOf(draft2));
    }
  };

  // bot/c4_bot/web/source/view/keys.js
  var LIST = [
    [["1", "\u2026", "9"], "key columns"],
    [["a", "b"], "key letters"],
    [["\u2190", "\u2192", "\u2191", "\u2193"], "key arrows"],
    [["Enter", "Space"], "key enter"],
    [["\u2190", "\u2192", "Home", "End"], "key steps"],
    ...["u", "r", "h", "v", "w", "n", "a", "?"].map((key2) => (
      /** @type {[string[], Key]} */
      [[key2], `key ${key2}`]
    ))
  ];
  var ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];
  function listenToKeys({ column, width, letters, arrow }) {
    document.addEventListener("keydown", (event) => {
      const { key: key2, target } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof Element)) return;
      if (target.closest("textarea, select, dialog") || key2.length > 1 && target.matches("input")) return;
      const x = COLUMN_NAMES.indexOf(key2);
      const action = x >= 0 && x < width() ? () => column(x) : letters[key2] ?? (ARROWS.includes(key2) ? () => arrow(key2) : null);
      if (!action) return;
      event.preventDefault();
      action();
    });
  }
  function helpOf() {
    const rows = LIST.flatMap(([keys, text]) => [html("dt", {}, ...keys.map((key2) => html("kbd", {}, key2))), html("dd", {}, say(text))]);
    const close = html("form", { method: "dialog" }, html("button", {}, say("close")));
    const dialog = html("dialog", { "aria-label": say("help") }, html("h2", {}, say("keys")), html("dl", { class: "keys" }, ...rows));
    dialog.append(html("h2", {}, say("values")), html("p", {}, say("values about")), close);
    const open2 = button("?", () => dialog.showModal(), { "aria-label": say("help"), title: `${say("help")} (?)`, class: "help" });
    return { open: open2, dialog };
  }

  // bot/c4_bot/web/source/view/record.js
  var OUTCOMES = (
    /** @type {Key[]} */
    ["loss", "drawn", "win"]
  );
  var outcome2 = (sign) => say(OUTCOMES[sign + 1]);
  var RecordView = class {
    /** @param {HTMLElement} place @param {{go(at: number, inFork: boolean): void, remove(): void, promote(): void}} actions */
    constructor(place2, actions) {
      this.place = place2;
      this.actions = actions;
      this.main = html("ol", { class: "moves", "aria-label": say("moves") });
      this.fork = html("ol", { class: "moves", "aria-label": say("variation") });
      this.leave = button(say("leave variation"), () => actions.go(this.from, false));
      const buttons = html("div", { class: "buttons" }, this.leave);
      buttons.append(button(say("promote variation"), actions.promote), button(say("remove variation"), actions.remove));
      this.variation = html("div", { class: "variation" }, html("h2", {}, say("variation")), this.fork, buttons);
      this.from = 0;
      this.decisive = void 0;
      place2.append(this.main, this.variation);
    }
    /** @param {Game} game @param {Turn[]} turns of the current line; none while values are hidden */
    draw(game2, turns) {
      const { fork, isVaried } = game2;
      this.place.hidden = !game2.main.length && !fork;
      this.from = fork?.from ?? 0;
      const first = game2.start.ply;
      const inMain = turns.filter(({ at }) => !isVaried || at <= this.from);
      this.decisive = turns[turns.length - 1];
      this.#list(this.main, game2, game2.main, 0, first, isVaried ? -1 : game2.cursor, inMain);
      this.variation.hidden = !fork;
      this.#list(this.fork, game2, fork?.cells ?? [], this.from, first, isVaried ? game2.cursor : -1, isVaried ? turns : []);
      this.leave.hidden = !isVaried;
    }
    /**
     * @param {HTMLElement} list @param {Game} game @param {number[]} cells @param {number} from moves before the list
     * @param {number} stones on the board at the start @param {number} cursor @param {Turn[]} turns
     */
    #list(list, game2, cells, from, stones, cursor, turns) {
      const items = resize(list, cells.length, () => this.#item(list));
      items.forEach((item, i) => {
        const at = from + i + 1;
        const number = stones + at;
        const turn2 = turns.find((found) => found.at === at);
        const node = (
          /** @type {HTMLElement} */
          item.lastElementChild
        );
        const column = COLUMN_NAMES[game2.variant.columnOf(cells[i])];
        const sign = turn2 ? turn2.after < 0 ? "??" : "?" : "";
        const change2 = turn2 ? say("turned", { before: outcome2(turn2.before), after: outcome2(turn2.after) }) : "";
        node.dataset.at = String(at);
        write(
          /** @type {Element} */
          item.firstElementChild,
          number % 2 ? `${(number + 1) / 2}.` : i ? "" : `${number / 2}. \u2026`
        );
        write(node, column + sign);
        node.className = `p${2 - number % 2} ${turn2 ? turn2 === this.decisive ? "decisive" : "turned" : ""}`;
        node.setAttribute("aria-label", [say("move name", { move: number, column }), change2].filter(Boolean).join(", "));
        node.title = change2;
        this.#mark(list, item, node, at === cursor);
      });
    }
    /** @param {HTMLElement} list */
    #item(list) {
      const go2 = (event) => {
        const { at } = (
          /** @type {HTMLElement} */
          event.currentTarget.dataset
        );
        this.actions.go(Number(at), list === this.fork);
      };
      return html("li", {}, html("span", { class: "number", "aria-hidden": "true" }), button("", go2));
    }
    /** @param {HTMLElement} list @param {HTMLElement} item @param {HTMLElement} node @param {boolean} isHere */
    #mark(list, item, node, isHere) {
      const was = node.hasAttribute("aria-current");
      if (isHere === was) return;
      node.toggleAttribute("aria-current", isHere);
      if (!isHere) return;
      node.setAttribute("aria-current", "step");
      const frame = list === this.main ? list : this.variation;
      const top = item.offsetTop - frame.offsetTop;
      if (top < frame.scrollTop || top + item.offsetHeight > frame.scrollTop + frame.clientHeight) {
        frame.scrollTop = top - frame.clientHeight / 2;
      }
    }
  };

  // bot/c4_bot/web/source/view/settings.js
  var LEVELS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  function radios(name, legend, choices, chosen) {
    const labels2 = choices.map(([value, text]) => {
      const input = html("input", { type: "radio", name, value, onchange: () => chosen(value) });
      return html("label", {}, input, html("span", { class: name === "side" ? `p${value}` : null }, text));
    });
    return html("fieldset", { class: "radios" }, html("legend", {}, legend), html("div", {}, ...labels2));
  }
  function select(key2, from, to, onchange) {
    const numbers = Array.from({ length: to - from + 1 }, (_, i) => String(from + i));
    const node = html("select", { onchange }, ...numbers.map((value) => html("option", { value }, value)));
    return { node, label: html("label", {}, say(key2), node) };
  }
  var SettingsView = class {
    /**
     * @param {HTMLElement} place
     * @param {{level(level: number): void, side(side: any): void, size(width: number, height: number, connect: number): void}} set
     */
    constructor(place2, set) {
      this.place = place2;
      this.summary = html("summary");
      const levels = LEVELS.map((level) => (
        /** @type {[string, string]} */
        [String(level), String(level)]
      ));
      const sides = ["1", "2", "both"].map((side) => (
        /** @type {[string, string]} */
        [side, say(
          /** @type {Key} */
          `choose ${side}`
        )]
      ));
      this.level = radios("level", say("level legend"), levels, (value) => set.level(Number(value)));
      this.about = html("p", { class: "muted" });
      this.side = radios("side", say("side legend"), sides, (value) => set.side(value === "both" ? value : Number(value)));
      const sized = () => {
        const [width, height, connect] = this.sizes.map(({ node }) => Number(node.value));
        set.size(width, height, Math.min(connect, Math.max(width, height)));
      };
      this.sizes = [select("columns", 3, 11, sized), select("rows", 3, 10, sized), select("connect", 3, 6, sized)];
      const sizes = html("fieldset", { class: "sizes" }, html("legend", {}, say("board legend")));
      sizes.append(...this.sizes.map(({ label }) => label), html("p", { class: "muted" }, say("board about")));
      place2.append(html("details", {}, this.summary, this.side, this.level, this.about, sizes));
    }
    /** @param {Game} game */
    draw(game2) {
      this.place.hidden = game2.mode !== "play";
      const { width, height, connect, cells } = game2.variant;
      write(this.summary, this.#summary(game2));
      this.#check(this.level, String(game2.level), (value) => value === "10" && cells > MOST_CELLS);
      write(this.about, say(cells > MOST_CELLS ? "level limit" : "level about"));
      this.#check(this.side, String(game2.side), () => false);
      this.level.hidden = this.about.hidden = game2.side === "both";
      [width, height, connect].forEach((value, i) => {
        this.sizes[i].node.value = String(value);
      });
      for (const option of this.sizes[2].node.options) option.disabled = Number(option.value) > Math.max(width, height);
    }
    /** @param {Game} game */
    #summary({ level, side, variant: { width, height, connect } }) {
      const key2 = side === "both" ? "summary both" : "summary";
      const summary = say(key2, { level, side: say(
        /** @type {Key} */
        `side ${side}`
      ), width, height });
      return connect === 4 ? summary : say("summary connect", { summary, connect });
    }
    /** @param {HTMLElement} group @param {string} chosen @param {(value: string) => boolean} isOff */
    #check(group, chosen, isOff) {
      for (const input of group.querySelectorAll("input")) {
        input.checked = input.value === chosen;
        input.disabled = isOff(input.value);
      }
    }
  };

  // bot/c4_bot/web/source/main.js
  var LEAST_MS = 400;
  var LATE_MS = 300;
  var engine = new Engine();
  var study = new Study(engine, studied, fail);
  var game = new Game();
  var showsValues = false;
  var isReady = false;
  var draft = null;
  var answer = null;
  var isLate = false;
  var notice = "";
  var owesStatus = false;
  var seeksTurn = false;
  var task = new AbortController();
  var lateness;
  var isSolo = () => game.mode === "play" && game.side === "both";
  var needsValues = () => !draft && !game.isAwaited && !isSolo() && (game.mode === "analyse" || showsValues);
  var waiting = () => isLate ? say(isReady ? "thinking" : "loading") : "";
  function status() {
    if (draft) return say("edit about");
    const { position } = game;
    if (notice) return notice;
    if (position.isOver) return endOf(game, position);
    if (game.mode === "analyse") return prospect(position, study.boundsOf(position)) || waiting();
    const who = nameOf(game, position.player);
    if (game.isAwaited) return isLate ? isReady ? say("thinking of", { who }) : say("loading") : say("turn of", { who });
    if (game.side === "both") return say("turn of", { who });
    return say(game.cursor ? "your turn" : "your turn first");
  }
  function draw() {
    const focused = document.activeElement;
    const { position } = game;
    const canPlay = !position.isOver && !game.isAwaited;
    const values = needsValues() && canPlay ? study.valuesOf(position) ?? unknownValues(position) : null;
    board.draw({
      position: draft ?? position,
      last: draft ? null : game.last,
      stone: draft ? edit.stone : canPlay ? position.player : null,
      isEdit: draft !== null,
      marks: answer?.cells ?? [],
      hint: answer?.hint ?? null,
      values
    });
    bar.draw(game, { status: status(), isOver: position.isOver, showsValues, isEdit: draft !== null });
    settings.draw(game);
    answerView.draw(answer, {
      isOver: position.isOver && game.mode === "play",
      isFirst: game.cursor - 1 === answer?.back,
      waiting: waiting()
    });
    analysis.draw(game, study, waiting());
    record.draw(game, game.mode === "analyse" ? study.turns(game.positions) : []);
    edit.draw(draft);
    for (const name of ["analysis", "record"]) place(name).hidden ||= draft !== null;
    place("tools").hidden = draft !== null;
    for (const [mode, node] of Object.entries(modes)) node.setAttribute("aria-pressed", String(mode === game.mode));
    if (focused?.getClientRects().length === 0) board.focus();
  }
  var unknownValues = ({ moves }) => new Map(isLate ? moves.map((cell) => [cell, { low: -Infinity, high: Infinity }]) : []);
  function changed({ isNew = false } = {}) {
    answer = null;
    notice = "";
    seeksTurn = false;
    history[isNew ? "pushState" : "replaceState"](null, "", link());
    work();
  }
  function work() {
    task.abort();
    task = new AbortController();
    clearTimeout(lateness);
    isLate = false;
    if (!answer?.isDone) answer = null;
    lateness = setTimeout(() => {
      isLate = true;
      draw();
    }, LATE_MS);
    if (game.isAwaited) letLevelMove(task.signal);
    if (needsValues()) study.look(game.position, game.mode === "analyse" ? game.positions : null);
    else study.stop();
    draw();
  }
  async function when(promise, use) {
    const { signal } = task;
    try {
      const found = await promise;
      if (!signal.aborted) use(found);
    } catch (error) {
      if (!signal.aborted) fail(
        /** @type {Error} */
        error
      );
    }
  }
  function fail(error) {
    notice = say("failed", { problem: error.message });
    draw();
  }
  function studied() {
    const [first] = seeksTurn && study.isDone ? study.turns(game.positions) : [];
    if (first) go(first.at);
    else draw();
    if (owesStatus && study.valueOf(game.position) !== null) announce(status());
    owesStatus &&= study.valueOf(game.position) === null;
  }
  function letLevelMove(signal) {
    const pause = new Promise((resolve) => setTimeout(resolve, LEAST_MS));
    const move = engine.move(game.position, game.level, { signal }).finally(() => !signal.aborted && clearTimeout(lateness));
    when(Promise.all([move, pause]), ([cell]) => makeMove(cell));
  }
  function makeMove(cell) {
    const { player } = game.position;
    const where = { column: COLUMN_NAMES[game.variant.columnOf(cell)], row: game.variant.rowOf(cell) + 1 };
    const said = say(game.side === player ? "you play" : "other plays", { who: nameOf(game, player), ...where });
    game.play(cell);
    changed();
    announce(`${said} ${status()}`);
  }
  function choose(x) {
    if (draft) {
      draft = edited(draft, x, edit.stone);
      draw();
      return;
    }
    const cell = game.position.cellIn(x);
    if (cell === null || game.position.isOver || game.isAwaited) return;
    makeMove(cell);
  }
  function go(cursor, inFork = game.inFork) {
    if (cursor < 0 || draft) return;
    game.go(cursor, inFork);
    changed();
    announce(`${say("move of", { move: game.cursor, moves: game.line.length })} ${status()}`);
    owesStatus = !status();
  }
  function open(settings2) {
    const { level, side, mode } = game;
    game = new Game({ level, side, mode, ...settings2 });
    draft = null;
    changed({ isNew: true });
    announce(status());
  }
  var newGame = () => open({ start: new Position(game.variant), mode: "play" });
  function setMode(mode) {
    if (mode === game.mode) return;
    game.mode = mode;
    draft = null;
    if (mode === "play") game.go(game.main.length, false);
    changed();
    announce(`${say(mode)}. ${status()}`);
  }
  function toggleValues() {
    if (isSolo() || game.mode === "analyse") return;
    showsValues = !showsValues;
    work();
    announce(say(showsValues ? "values on" : "values off"));
  }
  function hint() {
    if (isSolo() || game.position.isOver || game.isAwaited || draft) return;
    explain(game.position, null, -1);
  }
  function why(back2 = 0) {
    const at = game.cursor - 1 - back2;
    if (isSolo() || at < 0 || draft) return;
    explain(game.positions[at], game.line[at], back2);
  }
  function explain(position, cell, back2) {
    work();
    const move = position.ply + 1;
    const title = back2 < 0 ? say("hint") : say("about move", { move, who: nameOf(game, position.player) });
    answer = { title, text: "", cells: [], hint: null, isDone: false, back: back2 };
    when(engine.explain(position, cell, { signal: task.signal }), (found) => {
      const isHint = cell === null;
      const cells = isHint ? [] : back2 ? [found.cell, ...found.cells] : found.cells;
      answer = { title, text: found.text, cells, hint: isHint ? found.cell : null, isDone: true, back: back2 };
      draw();
      announce(`${title}. ${found.text}`);
    });
  }
  function linkData() {
    const { variant, start, played: moves, level, side, mode } = game;
    return { variant, start: start.ply ? start : null, moves, level, side, mode };
  }
  var link = () => writeLink(linkData());
  function openLink() {
    const found = readLink(location.hash);
    const start = found.start ?? new Position(found.variant);
    draft = null;
    game = new Game({ ...found, start, mode: found.mode === "analyse" ? "analyse" : "play" });
    changed();
    if (found.problem) notice = textOf(found.problem);
    draw();
  }
  var textOf = ({ key: key2, values }) => filled(
    /** @type {Record<string, string>} */
    TEXTS.notation[key2],
    values
  );
  function paste(text) {
    try {
      const { variant, start, moves } = parse(text, game.variant);
      open({ start: start ?? new Position(variant), moves, mode: "analyse" });
      return "";
    } catch (error) {
      if (error instanceof NotationError) return textOf(error);
      throw error;
    }
  }
  var change = (make) => {
    make();
    changed();
  };
  var board = new BoardView(place("board"), choose);
  var back = () => go(game.backTo);
  var forward = () => go(game.forwardTo);
  var toggleEdit = () => {
    draft = draft ? null : game.position;
    work();
  };
  var bar = new BarView(place("bar"), {
    hint,
    back,
    forward,
    fresh: newGame,
    why: () => why(),
    values: toggleValues,
    edit: toggleEdit,
    playFromHere: () => open({ start: game.start, moves: game.played, mode: "play" }),
    toStart: () => go(0),
    toEnd: () => go(game.line.length)
  });
  var settings = new SettingsView(place("settings"), {
    level: (level) => change(() => Object.assign(game, { level })),
    side: (side) => change(() => Object.assign(game, { side })),
    size: (width, height, connect) => open({ start: new Position(new Variant(width, height, connect)) })
  });
  var answerView = new AnswerView(place("answer"), {
    again: newGame,
    look: () => {
      game.mode = "analyse";
      changed();
      seeksTurn = true;
      studied();
    },
    link: (source) => copy(location.href, source),
    before: () => why((answer?.back ?? 0) + 1)
  });
  var analysis = new AnalysisView(place("analysis"), {
    go: (at) => go(at),
    follow: (cells) => change(() => cells.map((cell) => game.play(cell)))
  });
  var record = new RecordView(place("record"), {
    go,
    remove: () => change(() => game.removeVariation()),
    promote: () => change(() => game.promoteVariation())
  });
  var edit = new EditView(place("edit"), {
    done: () => draft && !problemOf(draft) && open({ start: draft, mode: "analyse" }),
    cancel: toggleEdit,
    paste
  });
  edit.chosen = draw;
  var modes = {
    play: button(say("play"), () => setMode("play")),
    analyse: button(say("analyse"), () => setMode("analyse"))
  };
  var help = helpOf();
  place("modes").append(modes.play, modes.analyse, help.open);
  place("modes").setAttribute("aria-label", say("modes"));
  document.body.append(help.dialog);
  addCopies(place("tools"), {
    link: () => location.href,
    moves: () => writeMoves(game.variant, game.played),
    precept: () => writePrecept(linkData()),
    svg: () => svgText(game.position, game.last)
  });
  var steps = { ArrowLeft: back, ArrowRight: forward, Home: () => go(0), End: () => go(game.line.length) };
  ignoreSwitchedOff();
  listenToKeys({
    column: choose,
    width: () => game.variant.width,
    letters: {
      u: back,
      r: forward,
      h: hint,
      v: toggleValues,
      w: () => why(),
      n: newGame,
      "?": () => help.dialog.showModal(),
      a: () => setMode(game.mode === "play" ? "analyse" : "play")
    },
    arrow: (name) => {
      if (game.mode === "play") board.focus();
      else steps[name]?.();
    }
  });
  engine.ready.then(() => {
    isReady = true;
    draw();
  }, fail);
  addEventListener("popstate", openLink);
  openLink();
})();
