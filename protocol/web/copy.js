// @ts-check
// Copies a text.
import { html } from "./dom.js";

/** Returns whether a text was copied. @param {string} text */
export async function isCopied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

/** For browsers that have no clipboard for a page from a file. @param {string} text */
function copySelected(text) {
  const field = html("textarea", { class: "unseen" });
  field.value = text;
  document.body.append(field);
  field.select();
  const isDone = document.execCommand("copy");
  field.remove();
  return isDone;
}
