// @ts-check
// The exercises that the person has solved. They are kept on the device and nowhere else, and can be saved as a file.

const KEY = "c4-progress";

export class Progress {
  constructor() {
    /** @type {Set<string>} names as in links, such as "puzzle=17" */
    this.solved = new Set();
    this.load();
  }

  /** @param {string} lesson */
  has(lesson) {
    return this.solved.has(lesson);
  }

  /** @param {string} lesson */
  add(lesson) {
    this.load(); // another window may have added some
    this.solved.add(lesson);
    this.#keep();
  }

  get text() {
    return JSON.stringify([...this.solved].sort());
  }

  load() {
    try {
      this.#read(localStorage.getItem(KEY) ?? "[]");
    } catch {
      // The browser keeps nothing, or something else. The page goes on with what it knows.
    }
  }

  /** Adds what was saved; throws an error if the text is something else. @param {string} text */
  merge(text) {
    this.#read(text);
    this.#keep();
  }

  /** @param {string} text */
  #read(text) {
    const lessons = JSON.parse(text);
    const isLesson = (/** @type {unknown} */ name) => typeof name === "string" && /^(step|puzzle)=\d{1,3}$/.test(name);
    if (!Array.isArray(lessons) || !lessons.every(isLesson)) throw new Error("not a list of exercises");
    for (const lesson of lessons) this.solved.add(lesson);
  }

  #keep() {
    try {
      localStorage.setItem(KEY, this.text);
    } catch {
      // The browser keeps nothing.
    }
  }
}
