// @ts-check
// The texts of the page in the language of the reader: the one that was chosen before, or else that of the browser.
import { DE } from "./de.js";
import { EN } from "./en.js";

/** @typedef {typeof EN} Texts */
/** @typedef {keyof typeof LANGUAGES} Language */

const LANGUAGES = { en: EN, de: DE };
const KEY = "c4-language";

/** Returns the language that was stored, if there is one. */
function stored() {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

function preferred() {
  if (typeof document === "undefined") return "en"; // tests run in Node
  const wishes = [window.name, stored(), ...navigator.languages].map((name) => name.split("-")[0]);
  return /** @type {Language} */ (wishes.find((name) => Object.hasOwn(LANGUAGES, name)) ?? "en");
}

export const language = preferred();
export const otherLanguage = language === "de" ? "en" : "de";

/** @type {Texts} */
export const TEXTS = LANGUAGES[language];

/** Opens the page in the other language, from now on. Browsers may refuse to store the choice, or have no room for it.
    The name of the window then keeps it until the tab is closed. */
export function useOtherLanguage() {
  try {
    localStorage.setItem(KEY, otherLanguage);
    window.name = "";
  } catch {
    window.name = otherLanguage;
  }
  location.reload();
}
