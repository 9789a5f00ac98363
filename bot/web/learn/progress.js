// @ts-check
// The exercises that the person has solved. They are kept on the device and nowhere else, and can be saved as a file.

const KEY = "c4-progress";

const NAME = /^[a-z]+=\d+$/;

/** @param {string} text @returns {string[]} names of exercises */
function namesIn(text) {
  const found = JSON.parse(text);
  if (!Array.isArray(found)) throw new Error("not a list");
  return found.filter((name) => typeof name === "string" && NAME.test(name));
}

export class Progress {
  /** @type {Set<string>} names such as "puzzle=17" */
  solved = new Set();

  constructor() {
    this.load();
  }

  get text() {
    return JSON.stringify([...this.solved].sort());
  }

  /** Adds what was stored, perhaps by another window. */
  load() {
    try {
      for (const name of namesIn(localStorage.getItem(KEY) ?? "[]")) this.solved.add(name);
    } catch {
      // The browser keeps nothing, or something else. The page goes on with what it knows.
    }
  }

  /** @param {string[]} names */
  add(...names) {
    this.load();
    for (const name of names) this.solved.add(name);
    try {
      localStorage.setItem(KEY, this.text);
    } catch {
      // The browser keeps nothing.
    }
  }

  /** Adds what was saved in a file; throws an error if the text is something else. @param {string} text */
  merge(text) {
    const names = namesIn(text);
    if (!names.length && text.trim() !== "[]") throw new Error("no exercise");
    this.add(...names);
  }
}
