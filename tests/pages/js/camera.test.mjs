import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const STATIC = "../../../glassflow/pages/static/js";
const { cameraSupport } = await import(`${STATIC}/scan/camera.js`);
const { CodesInView } = await import(`${STATIC}/scan/codes_in_view.js`);

let view;
beforeEach(() => (view = new CodesInView()));

/** What counts in pictures that are taken every 100 ms. */
function counted(pictures, start = 0) {
  return pictures.map((texts, i) => view.next(texts, start + i * 100)).filter(Boolean);
}

const times = (n, texts) => Array.from({ length: n }, () => texts);

test("a code that is held before the camera counts once, however long", () => {
  assert.deepEqual(counted(times(600, ["A"])), ["A"]);
});

test("a code that pictures miss for a moment does not count again", () => {
  const shaky = [...times(5, ["A"]), ...times(14, []), ["A"], ...times(14, []), ["A"]];
  assert.deepEqual(counted(shaky), ["A"]);
});

test("a code that was away for 1.5 s counts again", () => {
  assert.deepEqual(counted([["A"], ...times(15, []), ["A"]]), ["A", "A"]);
  assert.deepEqual(counted([...times(16, []), ["A"], ["A"]], 10_000), ["A"]);
});

test("a reader that is slow sees no absence where there was no picture", () => {
  assert.equal(view.next(["A"], 0), "A");
  assert.equal(view.next(["A"], 60_000), null);
});

test("each other code counts at once", () => {
  assert.deepEqual(counted([["A"], ["B"], ["A"], ["C"]]), ["A", "B", "C"]);
});

test("of several codes the one in the middle counts, and the others only when they are there", () => {
  assert.deepEqual(counted(times(20, ["A", "B"])), ["A"]);
  assert.deepEqual(counted(times(20, ["B", "A"]), 2000), ["B"]);
  assert.deepEqual(counted(times(20, ["A", "B"]), 4000), []);
});

test("why there is no live camera is said", () => {
  const given = (isSecureContext, navigator) => {
    Object.defineProperty(globalThis, "navigator", { value: navigator, configurable: true });
    globalThis.isSecureContext = isSecureContext;
    return cameraSupport();
  };
  assert.deepEqual(given(false, {}), { live: false, reason: "insecure" });
  assert.deepEqual(given(true, {}), { live: false, reason: "none" });
  assert.deepEqual(given(true, { mediaDevices: { getUserMedia() {} } }), { live: true, reason: "" });
});
