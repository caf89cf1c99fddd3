// What waits for the service ends, also where nothing comes.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { withClock } from "./clock.mjs";
import "./document.mjs";
import { answerLogin, forget } from "./service.mjs";

const STATIC = "../../../glassflow/floor/static/js";
const { Unreachable, request } = await import(`${STATIC}/core/api.js`);
const { logIn } = await import(`${STATIC}/core/session.js`);
const { resetConnection, setConnection } = await import(`${STATIC}/core/store.js`);
const { fetchFile } = await import(`${STATIC}/ui/files.js`);
const { restOf } = await import(`${STATIC}/ui/rest.js`);

const aborted = (signal) => new Promise((_, reject) =>
  signal.addEventListener("abort", () => reject(signal.reason)));

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

for (const [what, answer] of [["no answer", aborted], ["half an answer", stalled]])
  for (const [name, ask, limitMs] of [
    ["a request", () => request("/api/x"), 20_000], ["a file", () => fetchFile("/x"), 60_000]])
    test(`${name} that gets ${what} ends after ${limitMs / 1000} s`, () => withNetwork(answer, async (pass) => {
      let fault = null;
      const asked = ask().catch((error) => (fault = error));
      await pass(limitMs - 100);
      assert.equal(fault, null);
      await pass(200);
      assert.ok(fault instanceof Unreachable, String(fault));
      await asked;
    }));

for (const [asked, heededS] of [["30", 30], ["9999999999", 3600], ["Wed, 21 Oct 2026 07:28:00 GMT", 0]])
  test(`a refusal that asks for a pause of ${asked} is heeded for ${heededS} s`, () => {
    const refused = () => new Response("", { status: 503, headers: { "Retry-After": asked } });
    return withNetwork(refused, async () => {
      await assert.rejects(request("/api/x"), { status: 503, retryAfterS: heededS });
    });
  });

/** Load the rest of a page by `load`; `play` gets the rest, how often it reloaded, and time. */
function loading(load, play) {
  return withClock(async (pass) => {
    resetConnection();
    const warn = mock.method(console, "warn", () => {});
    const reload = mock.fn();
    location.reload = reload;
    const { rest, loadRest } = restOf(load);
    let wanted = true;
    const done = loadRest(() => wanted);
    try {
      await play(pass, () => rest.value, () => reload.mock.callCount());
    } finally {
      wanted = false;
      await pass(30_000);
      await done;
      warn.mock.restore();
    }
  });
}

const never = () => new Promise(() => {});

test("a page whose rest does not come is loaded again where the service is reached", () => loading(never, async (pass, rest, reloads) => {
  setConnection("live");
  await pass(27_800);
  assert.equal(reloads(), 0);
  await pass(400);
  assert.equal(reloads(), 1);
}));

test("without the service the page goes on waiting for its rest", async () => {
  let bring;
  const promise = new Promise((resolve) => (bring = resolve));
  await loading(() => promise, async (pass, rest, reloads) => {
    await pass(60_000);
    assert.deepEqual([rest(), reloads()], [{}, 0]);
    bring({ Part: 1 });
    await pass(8_100);
    assert.deepEqual([rest(), reloads()], [{ Part: 1 }, 0]);
  });
});

test("a rest that comes in time is there at once, and nothing is loaded again", () => loading(async () => ({ Part: 1 }), async (pass, rest, reloads) => {
  setConnection("live");
  await pass(50);
  assert.deepEqual(rest(), { Part: 1 });
  await pass(60_000);
  assert.equal(reloads(), 0);
}));
