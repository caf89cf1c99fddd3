// A clock that a test moves: timers, intervals and dates.
import { mock } from "node:test";

const STEP_MS = 50;

/**
 * Run `play(pass)` with a clock that stands still at `now` (epoch milliseconds). `pass(ms)`
 * moves it in steps of 50 ms, after each of which promises are settled and changes drawn.
 */
export async function withClock(play, { now = 0 } = {}) {
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now });
  mendTimers();
  const pass = async (ms) => {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      mock.timers.tick(STEP_MS);
      await new Promise(setImmediate);
    }
  };
  try {
    await play(pass);
    await pass(2 * STEP_MS); // Preact waits for a timer that it has set
  } finally {
    mock.timers.reset();
  }
}

// In Node 20 the mocked clearTimeout removes another timer where its own has fired, and a mocked
// timer without a time is never due.
function mendTimers() {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const fired = new WeakSet();
  globalThis.setTimeout = (run, ms = 0, ...values) => {
    const timer = set(() => {
      fired.add(timer);
      run(...values);
    }, ms);
    return timer;
  };
  globalThis.clearTimeout = (timer) => fired.has(timer) || clear(timer);
}
