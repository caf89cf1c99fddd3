// A scanner that types what it reads, as a keyboard does ("wedge"), ended by Enter or Tab.
import { fromCode, parse } from "./codes.js";
import { isThai, latinKey } from "./keyboard.js";

const LEAST = 4; // characters of a scan
const PAUSE_MS = 500; // what comes later is another scan
const GAP_MS = 100; // from key to key; fingers are slower
const NUMBER_GAP_MS = 50; // for a short code
const SECOND_SUFFIX_MS = 200; // some scanners end with CR and LF
const LONE_MS = 120; // a key that no other one follows is a shortcut

const MODIFIERS = ["Shift", "CapsLock", "Control", "Alt", "AltGraph", "Meta"];
const TEXT_TYPES = "text search tel url email password number date datetime-local month week time".split(" ");

const USES_ENTER = "button, a, input, select, textarea, summary, [contenteditable]";

/** Whether what is typed belongs to an element: a text, or the first letters of a choice. */
function isTypedInto(element) {
  if (element?.tagName === "INPUT") return TEXT_TYPES.includes(element.type);
  return ["TEXTAREA", "SELECT"].includes(element?.tagName) || Boolean(element?.isContentEditable);
}

/** The keys since the last pause; `thai` says that the keyboard is set to Thai. */
class Burst {
  keys = [];
  thai = false;
  slowest = 0; // the longest gap, in ms
  last = -Infinity;

  add(event) {
    if (this.keys.length) this.slowest = Math.max(this.slowest, event.timeStamp - this.last);
    this.keys.push([event.key, latinKey(event)]);
    this.thai ||= isThai(event);
    this.last = event.timeStamp;
  }

  get text() {
    return this.keys.map(([typed, meant]) => (this.thai ? meant : typed)).join("");
  }
}

/**
 * Call `onScan(text)` for each scan, and `onKey(key)` for each key that is part of none, as on
 * a US keyboard: the shortcuts of a page. Keys with a name, as Escape, belong to an element
 * with `data-own-keys` while it has the focus.
 *
 * Where no field has the focus, keys that follow each other are a scan. In a field they are
 * one only if they come as quickly as from a scanner and are a code of the workshop; the
 * field then gets back what it had. Returns what ends it.
 */
export function listen(onScan, { target = window, onKey = undefined } = {}) {
  let burst = new Burst();
  let field = null; // the focused field, and what it had before the burst
  let scannedAt = -Infinity;
  let lone;

  function forget() {
    clearTimeout(lone);
    burst = new Burst();
  }

  function onKeyDown(event) {
    if (event.repeat || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.timeStamp - burst.last > PAUSE_MS) forget();
    if (["Enter", "Tab"].includes(event.key)) onEnd(event);
    else if (event.key.length === 1) onCharacter(event);
    else if (!MODIFIERS.includes(event.key)) {
      forget();
      if (!isTypedInto(event.target) && !event.target?.closest?.("[data-own-keys]")) onKey?.(event.key);
    }
  }

  function onCharacter(event) {
    clearTimeout(lone);
    const element = isTypedInto(event.target) ? event.target : null;
    // a shortcut may have moved the focus into a field, where somebody types on
    if (burst.keys.length && element !== (field?.element ?? null)) forget();
    if (burst.keys.length === 0) begin(event);
    burst.add(event);
  }

  function begin(event) {
    const element = event.target;
    field = isTypedInto(element) ? { element, value: element.value } : null;
    const key = latinKey(event).toLowerCase();
    if (!field) lone = setTimeout(() => onKey?.(key), LONE_MS);
  }

  function onEnd(event) {
    const { text } = burst;
    const scanned = field ? scannedInField(event) : text;
    forget();
    if (scanned.length >= LEAST) {
      take(event);
      scannedAt = event.timeStamp;
      if (field) restore(field);
      // a shortcut may have been pressed just before
      onScan(fromCode(scanned) || scanned);
    } else if (event.timeStamp - scannedAt < SECOND_SUFFIX_MS) take(event);
    else if (text === "" && !event.target?.closest?.(USES_ENTER)) onKey?.(event.key);
  }

  function scannedInField(event) {
    const slowest = Math.max(burst.slowest, event.timeStamp - burst.last);
    const { text } = parse(burst.text);
    const gap = /^PNE/i.test(text) ? NUMBER_GAP_MS : GAP_MS;
    return slowest <= gap && fromCode(text) === text ? text : "";
  }

  target.addEventListener("keydown", onKeyDown, true);
  return () => {
    clearTimeout(lone);
    target.removeEventListener("keydown", onKeyDown, true);
  };
}

/** Keep a key from pressing a button, submitting, or moving the focus. */
function take(event) {
  event.preventDefault();
  event.stopPropagation();
}

function restore({ element, value }) {
  if (!("value" in element) || element.value === value) return;
  element.value = value;
  element.dispatchEvent(new Event(element.tagName === "SELECT" ? "change" : "input", { bubbles: true }));
}
