// What waits for the service ends, also where nothing comes.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { withClock } from "./clock.mjs";
import "./document.mjs";
import { answerLogin, forget } from "./service.mjs";

const STATIC = "../../../glassflow/pages/static/js";
const { Unreachable, request, untilLoaded } = await import(`${STATIC}/core/api.js`);
const { logIn } = await import(`${STATIC}/core/session.js`);
const { fetchFile } = await import(`${STATIC}/ui/files.js`);

const aborted = (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

/** An answer whose body stops in the middle. */
const stalled = (signal) => {
  const body = new ReadableStream({
    start(control) {
      control.enqueue(new TextEncoder().encode('{"success": true, '));
      signal.addEventListener("abort", () => control.error(signal.reason));
    },
  });
  return new Response(body);
};

/** Play with a network that answers as `answer(signal)` does, and a clock. */
async function withNetwork(answer, play) {
  const before = globalThis.fetch;
  const timeout = mock.method(AbortSignal, "timeout", (ms) => {
    const control = new AbortController();
    setTimeout(() => control.abort(new DOMException("late", "TimeoutError")), ms);
    return control.signal;
  });
  forget();
  try {
    await withClock(async (pass) => {
      answerLogin();
      await logIn("nok", "secret");
      globalThis.fetch = async (_, { signal }) => answer(signal);
      await play(pass);
    });
  } finally {
    globalThis.fetch = before;
    timeout.mock.restore();
  }
}

for (const [what, answer] of [
  ["no answer", aborted],
  ["half an answer", stalled],
])
  for (const [name, ask, limitMs] of [
    ["a request", () => request("/api/x"), 20_000],
    ["a file", () => fetchFile("/x"), 60_000],
  ])
    test(`${name} that gets ${what} ends after ${limitMs / 1000} s`, () =>
      withNetwork(answer, async (pass) => {
        let fault = null;
        const asked = ask().catch((error) => (fault = error));
        await pass(limitMs - 100);
        assert.equal(fault, null);
        await pass(200);
        assert.ok(fault instanceof Unreachable, String(fault));
        await asked;
      }));

for (const [asked, heededS] of [
  ["30", 30],
  ["9999999999", 60],
  ["Wed, 21 Oct 2026 07:28:00 GMT", 0],
])
  test(`a refusal that asks for a pause of ${asked} is heeded for ${heededS} s`, () => {
    const refused = () => new Response("", { status: 503, headers: { "Retry-After": asked } });
    return withNetwork(refused, async () => {
      await assert.rejects(request("/api/x"), { status: 503, retryAfterS: heededS });
    });
  });

/**
 * Load a part of a page by `load`, while the service answers as `answer()` does; `play` gets what
 * was told of it, how often the page was loaded anew, and time.
 */
function loading(load, answer, play) {
  return withNetwork(answer, async (pass) => {
    const warn = mock.method(console, "warn", () => {});
    const reload = mock.fn();
    location.reload = reload;
    const told = { faults: [] };
    let wanted = true;
    const done = untilLoaded(
      load,
      () => wanted,
      (error, at) => told.faults.push([error.message, at - Date.now()]),
    ).then((part) => (told.part = part));
    try {
      await play(told, () => reload.mock.callCount(), pass);
    } finally {
      wanted = false;
      await pass(40_000);
      await done;
      warn.mock.restore();
    }
  });
}

const never = () => new Promise(() => {});
const there = () => new Response("");
const away = () => Promise.reject(new TypeError("Failed to fetch"));
const starting = () => new Response("", { status: 503 });

test("a part that cannot be loaded is tried again after 4 s; the page is loaded anew if the service answers", () =>
  loading(
    () => Promise.reject(new Error("404")),
    there,
    async ({ faults }, reloads, pass) => {
      await pass(50);
      assert.deepEqual(faults, [["404", 4000]]);
      await pass(3_900);
      assert.equal(reloads(), 0);
      await pass(100);
      assert.equal(reloads(), 1);
    },
  ));

test("so is one of which nothing comes", () =>
  loading(never, there, async (_, reloads, pass) => {
    await pass(23_800);
    assert.equal(reloads(), 0);
    await pass(400);
    assert.equal(reloads(), 1);
  }));

for (const [what, answer] of [
  ["does not answer", away],
  ["is only starting", starting],
  ["hangs", aborted],
])
  test(`while the service ${what}, a part is tried again until it is there`, () => {
    let calls = 0;
    const load = async () => {
      calls += 1;
      if (calls < 3) throw new Error("away");
      return { Part: 1 };
    };
    return loading(load, answer, async (told, reloads, pass) => {
      await pass(30_000);
      assert.deepEqual([told.part, told.faults.length, reloads()], [{ Part: 1 }, 2, 0]);
    });
  });

test("a part that is not wanted any more is not tried again", async () => {
  const load = mock.fn(() => Promise.reject(new Error("away")));
  await loading(load, away, async (_, reloads, pass) => pass(50));
  assert.equal(load.mock.callCount(), 1);
});
