import assert from "node:assert/strict";
import { test } from "node:test";

const { onKeys } = await import("../../../glassflow/pages/static/js/ui/keys.js");

let dialog = null;
globalThis.document = { querySelector: () => dialog };
const field = { closest: () => field };
const page = { closest: () => null };

/** A page on which `press(key)` presses a key, each `gapMs` after the one before. */
function typing(shortcuts) {
  const target = new EventTarget();
  let now = 1_000_000;
  const run = [];
  const named = Object.fromEntries(shortcuts.map((keys) => [keys, () => run.push(keys)]));
  const stop = onKeys(named, target);
  const press = (key, { gapMs = 200, element = page, ...members } = {}) => {
    const event = Object.assign(new Event("keydown", { cancelable: true }), {
      key,
      code: "",
      ctrlKey: false,
      metaKey: false,
      altKey: false,
      ...members,
    });
    Object.defineProperties(event, { timeStamp: { value: (now += gapMs) }, target: { value: element } });
    target.dispatchEvent(event);
    return event.defaultPrevented;
  };
  return { run, press, stop };
}

test("a key and two keys one after the other run their shortcuts", () => {
  const { run, press, stop } = typing(["j", "g o", "/"]);
  for (const key of ["j", "g", "o", "x", "/"]) press(key);
  press("g");
  press("o", { gapMs: 1500 }); // too late
  assert.deepEqual(run, ["j", "g o", "/"]);
  stop();
  press("j");
  assert.equal(run.length, 3);
});

test("Ctrl and Command open the palette from a field too; single keys are inert there", () => {
  const { run, press } = typing(["j", "k", "ctrl+k"]);
  assert.equal(press("j", { element: field }), false);
  assert.equal(press("k", { element: field, ctrlKey: true }), true);
  assert.equal(press("K", { metaKey: true }), true);
  press("j", { altKey: true });
  assert.deepEqual(run, ["ctrl+k", "ctrl+k"]);
});

test("nothing runs while a dialog is open", () => {
  const { run, press } = typing(["j", "ctrl+k"]);
  dialog = {};
  press("j");
  press("k", { ctrlKey: true });
  dialog = null;
  assert.deepEqual(run, []);
});

test("a scanner that types runs nothing; a key that is held down does", () => {
  const { run, press } = typing(["j", "/", "?", "g o"]);
  for (const key of "http://gong.example/floor/j/?") press(key, { gapMs: 10 });
  assert.deepEqual(run, []);
  press("j");
  press("j", { gapMs: 30, repeat: true });
  assert.deepEqual(run, ["j", "j"]);
});

test("keys mean the same on a Thai keyboard", () => {
  const { run, press } = typing(["j", "/", "g o"]);
  press("่", { code: "KeyJ" });
  press("ฝ", { code: "Slash" });
  press("เ", { code: "KeyG" });
  press("น", { code: "KeyO" });
  press("/", { code: "Digit2" }); // a 2 on this keyboard
  assert.deepEqual(run, ["j", "/", "g o"]);
});
