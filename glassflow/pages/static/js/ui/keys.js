// Keyboard shortcuts of a page: single keys, two keys one after the other ("g o"), and
// Ctrl or Command with a key ("ctrl+k").
import { isThai, latinKey } from "../scan/keyboard.js";

const SEQUENCE_MS = 1000;
const SCANNER_GAP_MS = 50; // a key that follows another one sooner is typed by a scanner

/**
 * Call the functions of `shortcuts` by their keys; returns how to stop that. They are
 * inert while somebody types into a field, or a dialog is open. Letters mean the same on
 * a Thai keyboard.
 */
export function onKeys(shortcuts, target = window) {
  let before = { key: "", at: -Infinity };
  const onKeyDown = (event) => {
    const key = isThai(event) ? latinKey(event) : event.key;
    const ctrl = event.ctrlKey || event.metaKey;
    if (event.altKey || isDialogOpen() || (!ctrl && (isTyping(event.target) || key.length > 1))) return;
    const since = event.timeStamp - before.at;
    const sequence = since < SEQUENCE_MS ? `${before.key} ${key}` : "";
    before = { key, at: event.timeStamp };
    if (since < SCANNER_GAP_MS && !event.repeat && !ctrl) return;
    const run = shortcuts[sequence] ?? shortcuts[ctrl ? `ctrl+${key.toLowerCase()}` : key];
    if (!run) return;
    event.preventDefault();
    run();
  };
  target.addEventListener("keydown", onKeyDown);
  return () => target.removeEventListener("keydown", onKeyDown);
}

function isDialogOpen() {
  return Boolean(document.querySelector("dialog[open]"));
}

function isTyping(element) {
  return Boolean(element?.closest?.("input:not([type=checkbox]), textarea, select, [contenteditable]"));
}
