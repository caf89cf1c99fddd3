// A scanner that types what it reads, as a keyboard does ("wedge"), ended by Enter or Tab; on a
// device whose scanner has never sent an end mark, by silence.
import { save, saved } from "../core/preferences.js";
import { codesIn, parse } from "./codes.js";
import { isThai, latinKey } from "./keyboard.js";

const LEAST = 4; // characters of a scan
const PAUSE_MS = 500; // what comes later is another scan
const GAP_MS = 100; // from key to key; fingers are slower
const NUMBER_GAP_MS = 50; // for a short code
const SECOND_SUFFIX_MS = 200; // some scanners end with CR and LF
const SILENCE_MS = 150; // ends a code without an end mark
const LEAST_TYPED = 6; // characters that no fingers type so quickly
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
  /** The codes that were taken after a silence: what follows may still be their end. */
  taken = [];

  add(event) {
    const gap = event.timeStamp - this.last;
    // after a code that was taken, the next one may follow
    if (this.keys.length && !(this.taken.length && gap >= SILENCE_MS)) this.slowest = Math.max(this.slowest, gap);
    this.keys.push([event.key, latinKey(event)]);
    this.thai ||= isThai(event);
    this.last = event.timeStamp;
  }

  get text() {
    return this.keys.map(([typed, meant]) => (this.thai ? meant : typed)).join("");
  }
}

const END_MARK = "scannerEnds"; // kept on this device
let hasEnded = false; // also where storage is turned off

/** Whether a scanner of this device has ended a code by a key; only then a code waits for it. */
export const endsCodes = () => hasEnded || Boolean(saved(END_MARK));

/** Another scanner is used on this device from here on: it may have no end mark. */
export function forgetEndMark() {
  hasEnded = false;
  save(END_MARK, "");
}

function noteEndMark(key) {
  if (endsCodes()) return;
  hasEnded = true;
  save(END_MARK, key);
}

/**
 * Call `onScan(text)` for each scan, and `onKey(key)` for each key that is part of none, as on
 * a US keyboard: the shortcuts of a page. Keys with a name, as Escape, belong to an element
 * with `data-own-keys` while it has the focus. `onUnended(text)` is called for a scan that was
 * not taken because its end mark is missing; `onBurst(facts)` for whatever came in one go, with
 * its text, its `end` ("" without), its slowest gap in ms and whether the keyboard is set to Thai.
 *
 * Where no field has the focus, keys that follow each other are a scan. In a field they are
 * one only if they come as quickly as from a scanner and are a code of the workshop; the
 * field then gets back what it had. Returns what ends it.
 */
export function listen(
  onScan,
  { target = window, onKey = undefined, onUnended = undefined, onBurst = undefined } = {},
) {
  let burst = new Burst();
  let field = null; // the focused field, and what it had before the burst
  let scannedAt = -Infinity;
  let lone;
  let silence;

  function forget() {
    clearTimeout(lone);
    clearTimeout(silence);
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
    clearTimeout(silence);
    const element = isTypedInto(event.target) ? event.target : null;
    // a shortcut may have moved the focus into a field, where somebody types on
    if (burst.keys.length && element !== (field?.element ?? null)) forget();
    if (burst.keys.length === 0) begin(event);
    burst.add(event);
    silence = setTimeout(onSilence, SILENCE_MS);
  }

  function begin(event) {
    const element = event.target;
    field = isTypedInto(element) ? { element, value: element.value } : null;
    const key = latinKey(event).toLowerCase();
    if (!field) lone = setTimeout(() => onKey?.(key), LONE_MS);
  }

  function onEnd(event) {
    const { text, taken } = burst;
    const scans = field ? quickCodes(event.timeStamp) : scansIn(text);
    if (event.isTrusted !== false && event.timeStamp - burst.last < SILENCE_MS && quickCodes().length)
      noteEndMark(event.key);
    report(event.key, event.timeStamp);
    forget();
    if (scans.length) {
      take(event);
      scannedAt = event.timeStamp;
      give(scans, taken);
    } else if (event.timeStamp - scannedAt < SECOND_SUFFIX_MS) take(event);
    else if (text === "" && !event.target?.closest?.(USES_ENTER)) onKey?.(event.key);
  }

  // The burst stays until its pause, by the times of its keys: its end mark may come late, or a letter
  // that belongs to its last number; and a busy page hears keys later than they were pressed.
  function onSilence() {
    const codes = endsCodes() ? [] : quickCodes();
    give(codes, burst.taken);
    burst.taken = codes;
    silence = setTimeout(onLongSilence, PAUSE_MS - SILENCE_MS);
  }

  function onLongSilence() {
    const { text, taken, slowest } = burst;
    const isTyped = text.length >= LEAST_TYPED && slowest <= NUMBER_GAP_MS; // by a scanner
    const isScan = quickCodes().length > 0 || (isTyped && !field);
    report("", burst.last);
    if (taken.length || !isScan) return;
    if (endsCodes()) onUnended?.(text);
    else onScan(text); // which nobody understands
  }

  function give(scans, taken) {
    const fresh = scans.filter((one, i) => one !== taken[i]);
    if (fresh.length && field) restore(field);
    for (const one of fresh) onScan(one);
  }

  function report(end, at) {
    const { text, thai, slowest, last } = burst;
    if (text.length >= LEAST)
      onBurst?.({ text, thai, end, slowestMs: Math.round(Math.max(slowest, end ? at - last : 0)) });
  }

  /** The codes of the burst, if it came as quickly as from a scanner until `at`, and is nothing else. */
  function quickCodes(at = burst.last) {
    const { before, codes } = codesIn(burst.text);
    if (field && before) return []; // a number alone may be typed
    const all = before ? [before, ...codes] : codes;
    const bare = all.some((text) => /^(PNE|RCK|INV)/i.test(text));
    const isQuick = Math.max(burst.slowest, at - burst.last) <= (bare ? NUMBER_GAP_MS : GAP_MS);
    // digits are no code: they may be typed
    return isQuick && all.every((text) => /PNE-|RCK-|INV-|[:/]/i.test(text) && parse(text).kind !== "unknown")
      ? all
      : [];
  }

  target.addEventListener("keydown", onKeyDown, true);
  return () => {
    clearTimeout(lone);
    clearTimeout(silence);
    target.removeEventListener("keydown", onKeyDown, true);
  };
}

/** What is scanned where no field has the focus: codes, or what nobody understands. */
function scansIn(text) {
  if (text.length < LEAST) return [];
  const { before, codes } = codesIn(text);
  if (!codes.length) return [text];
  // a shortcut may have been pressed just before; what looks like a code is told
  return before.length >= LEAST && /PNE|RCK|INV|[:/]/i.test(before) ? [before, ...codes] : codes;
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
