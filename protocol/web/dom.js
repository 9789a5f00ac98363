// @ts-check
// Makes and updates elements. Elements are kept when the page changes, so that the focus stays where it is.

/** @typedef {Record<string, string | number | false | undefined | ((event: any) => void)>} Attributes */
/** What an element holds; nothing in place of null and false. @typedef {Node | string | null | false} Child */

/** @template {Element} T @param {T} node @param {Attributes} attributes @param {Child[]} children */
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) node.setAttribute(name, String(value));
  }
  node.append(...children.filter((child) => child !== null && child !== false));
  return node;
}

/** @template {keyof HTMLElementTagNameMap} K
    @param {K} tag @param {Attributes} attributes @param {Child[]} children */
export const html = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

/** @template {keyof SVGElementTagNameMap} K @param {K} tag @param {Attributes} attributes @param {Child[]} children */
export const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

/** @param {string} text @param {(event: any) => void} onclick @param {Attributes} attributes */
export const button = (text, onclick, attributes = {}) =>
  html("button", { type: "button", onclick, ...attributes }, text);

const ICONS = {
  first: "M3 3v10M13 3 6 8l7 5z", back: "M11 3 4 8l7 5z", play: "M4 2.5 13 8l-9 5.5z", pause: "M4 3h2.5v10H4zM9.5 3H12v10H9.5z",
  forward: "M5 3l7 5-7 5z", last: "M13 3v10M3 3l7 5-7 5z", pin: "M5 2h6l-1 5 2 2H4l2-2zM8 9v5",
};

/** @param {keyof typeof ICONS} name */
export const icon = (name) =>
  svg("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));

/** @param {keyof typeof ICONS} name @param {string} label @param {() => void} action @param {Attributes} [more] */
export function iconButton(name, label, action, more) {
  const node = button("", action, { "aria-label": label, title: label, ...more });
  node.append(icon(name));
  return node;
}

/** @template {string | number} T @param {string} name @param {string} legend @param {(value: T) => void} chosen
    @param {[value: T, text: string, className?: string][]} choices */
export function radios(name, legend, chosen, ...choices) {
  const labels = choices.map(([value, text, className]) => {
    const input = html("input", { type: "radio", name, value, onchange: () => chosen(value) });
    return html("label", {}, input, html("span", { class: className }, text));
  });
  return html("fieldset", { class: "radios" }, html("legend", {}, legend), html("div", {}, ...labels));
}

/** Checks one of a group of choices. @param {Element} group @param {string | number} chosen */
export function check(group, chosen) {
  for (const input of group.querySelectorAll("input")) input.checked = input.value === String(chosen);
}

/** @param {string} id */
export function place(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element ${id}`);
  return found;
}

/** Sets a text if it is a new one. @param {Element} node @param {string} text */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** A button with the attribute `disabled` would lose the focus. @param {Element} node @param {boolean} isOff */
export const switchOff = (node, isOff) => node.setAttribute("aria-disabled", String(isOff));

/** Gives a list a number of elements; returns them.
    @param {Element} list @param {number} length @param {(at: number) => Element} make */
export function resize(list, length, make) {
  while (list.children.length > length) list.lastElementChild?.remove();
  while (list.children.length < length) list.append(make(list.children.length));
  return /** @type {HTMLElement[]} */ ([...list.children]);
}

/** Tab reaches only one button of a list. @param {Element} list @param {Element | null} stop */
function stopAt(list, stop) {
  for (const node of list.querySelectorAll("button")) node.tabIndex = node === stop ? 0 : -1;
}

/** Lets Tab reach the current button or the first one, unless the focus is in the list. @param {Element} list */
export function keepStop(list) {
  const current = list.querySelector("[aria-current=step]") ?? list.querySelector("button");
  if (!list.contains(document.activeElement)) stopAt(list, current);
}

/** Returns whether a key or a button is pressed together with a key that makes it a command of the browser.
    @param {KeyboardEvent | MouseEvent} event */
export const isCommand = ({ ctrlKey, metaKey, altKey }) => ctrlKey || metaKey || altKey;

/** Makes a list for buttons that arrow keys reach. A click takes the focus away, so that arrow keys then go through the
    game. @param {Attributes} attributes */
export function listOfButtons(attributes) {
  const list = html("ol", attributes);
  list.addEventListener("mousedown", (event) => {
    event.preventDefault();
    /** @type {HTMLElement | null} */ (document.activeElement)?.blur();
  });
  list.addEventListener("focusin", ({ target }) => stopAt(list, /** @type {Element} */ (target)));
  list.addEventListener("keydown", (event) => {
    const nodes = [...list.querySelectorAll("button")];
    const at = nodes.indexOf(/** @type {any} */ (event.target));
    /** @type {Record<string, number>} */
    const steps = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: nodes.length - 1 };
    const to = steps[event.key];
    if (to === undefined || isCommand(event)) return;
    event.preventDefault();
    event.stopPropagation();
    nodes[to]?.focus();
  });
  return list;
}

/** Ignores clicks on what is switched off. Columns say why they cannot be played. */
export function ignoreSwitchedOff() {
  const selector = "[aria-disabled=true]:not(.column)";
  addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest(selector)) event.stopImmediatePropagation();
  }, true);
}
