// @ts-check
// The texts of the page in the language of the reader.
import { EN } from "./en.js";

/** @typedef {typeof EN} Texts */

export const language = "en";

/** @type {Texts} */
export const TEXTS = EN;
