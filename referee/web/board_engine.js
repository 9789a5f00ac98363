// @ts-check
// The engine of the board, for a page beside it.
import { html } from "../../protocol/web/dom.js";
import { range } from "../../protocol/web/rules.js";

/** @import { Position } from "../../protocol/web/rules.js" */
/** @import { Value } from "./board_parts.js" */

export const OPEN = "…"; // a value that is not known yet
export const UNKNOWN = "?"; // a value that the engine has not found in its time
const VALUES_MS = 60_000;

/** Returns the class Engine of bot/web/engine/client.js, when it has begun.
    @param {string} folder the address of the folder of the board, with a slash at the end @returns {Promise<any>} */
export async function loadEngine(folder) {
  const src = `${folder}replays.js`;
  await new Promise((resolve, reject) => {
    document.head.append(html("script", { src, onload: resolve, onerror: () => reject(new Error(`cannot load ${src}`)) }));
  });
  const engine = new (/** @type {any} */ (globalThis).C4Engine)({ folder });
  await engine.ready;
  return engine;
}

/** Asks for the values of the columns. `use` gets what is known, the first time before the engine has found any.
    @param {any} engine @param {Position} position @param {AbortSignal} signal @param {(row: Value[]) => void} use */
export async function askValues(engine, position, signal, use) {
  const onBounds = (/** @type {any} */ values) => use(rowOf(position, values, OPEN));
  use(rowOf(position, await engine.values(position, { signal, ms: VALUES_MS, onBounds }), UNKNOWN));
}

/** Returns the values of the columns. @param {Position} position @param {Map<number, { low: number, high: number }>} values
    @param {string} open what stands for one that is not exact @returns {Value[]} */
export const rowOf = (position, values, open) =>
  range(position.variant.width).map((x) => {
    const cell = position.cellIn(x);
    if (cell === null) return null;
    const { low, high } = values.get(cell) ?? { low: 0, high: 1 };
    return low === high ? low : open;
  });
