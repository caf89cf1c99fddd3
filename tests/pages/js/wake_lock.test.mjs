import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

const { keepAwake } = await import("../../../glassflow/pages/static/js/ui/wake_lock.js");

let held; // the wake locks that are not released
let allowed;
beforeEach(() => {
  held = new Set();
  allowed = true;
  globalThis.document = Object.assign(new EventTarget(), { hidden: false });
  offer({ request });
});

function offer(wakeLock) {
  Object.defineProperty(globalThis, "navigator", { value: { wakeLock }, configurable: true });
}

async function request() {
  if (!allowed) throw new Error("The battery is empty");
  const lock = {
    released: false,
    async release() {
      lock.released = true;
      held.delete(lock);
    },
  };
  held.add(lock);
  return lock;
}

/** Hide or show the page; the browser takes the lock of a page that is hidden. */
async function show(shown) {
  document.hidden = !shown;
  if (!shown) for (const lock of held) await lock.release();
  document.dispatchEvent(new Event("visibilitychange"));
  await new Promise(setImmediate);
}

test("the screen stays on while the page is shown, also after it was hidden", async () => {
  const end = keepAwake();
  await show(true);
  assert.equal(held.size, 1);
  await show(false);
  assert.equal(held.size, 0);
  await show(true);
  assert.equal(held.size, 1);
  end();
  assert.equal(held.size, 0);
  await show(false);
  await show(true);
  assert.equal(held.size, 0);
});

test("a page that is left while it asks keeps nothing", async () => {
  keepAwake()();
  await new Promise(setImmediate);
  assert.equal(held.size, 0);
});

test("a browser that gives no lock changes nothing for the page", async () => {
  offer(undefined);
  keepAwake()();
  offer({ request });
  allowed = false;
  const warned = mock.method(console, "warn", () => {});
  const end = keepAwake();
  await new Promise(setImmediate);
  assert.equal(warned.mock.callCount(), 1);
  allowed = true;
  await show(true);
  assert.equal(held.size, 1);
  end();
  warned.mock.restore();
});
