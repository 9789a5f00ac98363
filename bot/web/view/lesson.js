// @ts-check
// What to learn: the title and the text of the exercise on the board, and below it all others.
import { TEXTS } from "../texts/language.js";
import { announce } from "./announce.js";
import { button, html, resize, write } from "../../../protocol/web/dom.js";
import { say } from "./words.js";

/** @import { Room, Shelf } from "../learn/room.js" */
/** @typedef {{open(lesson: string, isNew?: boolean): void, changed(): void}} Actions */

/** @param {string} lesson */
function nameOf(lesson) {
  const [kind, number] = lesson.split("=");
  if (kind === "step") return `${number}. ${TEXTS.steps[Number(number) - 1].title}`;
  return say(kind === "turn" ? "turn" : "puzzle", { number });
}

export class LessonView {
  /** @param {HTMLElement} place @param {HTMLElement} shelves @param {Room} room @param {Actions} actions */
  constructor(place, shelves, room, actions) {
    this.place = place;
    this.shelves = shelves;
    this.room = room;
    this.actions = actions;
    this.title = html("h2");
    this.text = html("p");
    place.append(this.title, this.text);
    this.list = html("ul", { class: "shelves" });
    const onchange = () => actions.open(this.choice.value, false);
    this.choice = html("select", { onchange, "aria-label": say("go to") });
    this.file = html("input", { type: "file", accept: ".json", hidden: "", onchange: () => this.#load() });
    this.about = html("p", { class: "muted" }, say("progress about"));
    const save = button(say("save progress"), () => this.#save());
    const load = button(say("load progress"), () => this.file.click());
    const progress = html("details", {}, html("summary", {}, say("progress")), this.about);
    progress.append(html("div", { class: "buttons more" }, save, load, this.file));
    shelves.append(this.list, this.choice, progress);
  }

  /** @param {boolean} hasAnswer which stands in place of the text */
  draw(hasAnswer) {
    const { exercise } = this.room;
    this.place.hidden = this.shelves.hidden = !exercise;
    if (!exercise) return;
    write(this.title, exercise.about.title);
    write(this.text, exercise.about.text);
    this.text.hidden = !exercise.about.text || hasAnswer;
    const { shelves, shelf } = this.room;
    resize(this.list, shelves.length, () => html("li", {}, html("button", { type: "button" }))).forEach((item, i) => {
      this.#drawShelf(/** @type {HTMLElement} */ (item.firstElementChild), shelves[i], shelves[i].key === shelf?.key);
    });
    this.#drawChoice(shelf?.lessons ?? [], exercise.about.lesson);
  }

  /** @param {HTMLElement} node @param {Shelf} shelf @param {boolean} isCurrent */
  #drawShelf(node, { key, lessons }, isCurrent) {
    const solved = lessons.filter((lesson) => this.room.isSolved(lesson)).length;
    const count = lessons.length > 1 ? `${solved}/${lessons.length}` : solved ? "✓" : "";
    node.onclick = () => this.actions.open(this.room.firstOf(lessons));
    node.setAttribute("aria-current", String(isCurrent));
    node.replaceChildren(say(key), html("span", { class: "muted" }, key === "turns" ? `${lessons.length}` : count));
  }

  /** @param {string[]} lessons @param {string} current */
  #drawChoice(lessons, current) {
    this.choice.hidden = lessons.length < 2;
    resize(this.choice, lessons.length, () => html("option")).forEach((option, i) => {
      option.setAttribute("value", lessons[i]);
      write(option, `${nameOf(lessons[i])}${this.room.isSolved(lessons[i]) ? " ✓" : ""}`);
    });
    this.choice.value = current;
  }

  #save() {
    const address = URL.createObjectURL(new Blob([this.room.progress.text], { type: "application/json" }));
    html("a", { href: address, download: "c4-arena-progress.json" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 0);
  }

  async #load() {
    const [file] = this.file.files ?? [];
    if (!file) return;
    try {
      this.room.progress.merge(await file.text());
      write(this.about, say("progress loaded"));
    } catch {
      write(this.about, say("progress problem", { name: file.name }));
    }
    announce(this.about.textContent ?? "");
    this.file.value = ""; // so that the same file can be chosen again
    this.actions.changed();
  }
}
