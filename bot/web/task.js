// @ts-check
// What the engine is asked now: a new question ends the one before. If an answer takes long, the page says so.

const LATE_MS = 300;

export class Task {
  /** @param {Promise<void>} ready @param {() => void} changed @param {(error: Error) => void} failed */
  constructor(ready, changed, failed) {
    this.changed = changed;
    this.failed = failed;
    this.isReady = false;
    this.isLate = false;
    this.task = new AbortController();
    this.timer = 0;
    ready.then(() => {
      this.isReady = true;
      changed();
    }, failed);
  }

  /** What the page has waited for so long that it says so. @returns {"thinking" | "loading" | null} */
  get late() {
    return this.isLate ? (this.isReady ? "thinking" : "loading") : null;
  }

  /** Ends the question before, and begins to wait for what the page needs now. */
  begin() {
    this.task.abort();
    this.task = new AbortController();
    this.wait();
  }

  wait() {
    clearTimeout(this.timer);
    this.isLate = false;
    this.timer = setTimeout(() => {
      this.isLate = true;
      this.changed();
    }, LATE_MS);
  }

  /** Asks, and uses the answer if it is still wanted. It is kept back for `least` ms, which is no waiting.
      @template T @param {(signal: AbortSignal) => Promise<T>} question @param {(answer: T) => void} use */
  async ask(question, use, least = 0) {
    this.begin();
    const { signal } = this.task;
    const pause = new Promise((resolve) => setTimeout(resolve, least));
    try {
      const answer = await question(signal);
      if (least && !signal.aborted) clearTimeout(this.timer);
      await pause;
      if (!signal.aborted) use(answer);
    } catch (error) {
      if (!signal.aborted) this.failed(/** @type {Error} */ (error));
    }
  }
}
