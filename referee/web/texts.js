// @ts-check
// Numbers as texts: c4_referee/report/texts.py again.

/** @param {number} ms */
export function time(ms) {
  if (ms < 1000) return `${ms.toFixed(ms < 1 ? 2 : ms < 10 ? 1 : 0)} ms`;
  return ms < 60000 ? `${(ms / 1000).toFixed(ms < 10000 ? 2 : 1)} s` : `${(ms / 60000).toFixed(1)} min`;
}

/** @param {number} count @param {string} noun */
export const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
