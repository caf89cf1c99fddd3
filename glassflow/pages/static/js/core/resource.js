// What a page has read from the service: asked for once, changed by events, and read again
// rarely, one request after the other.
import { effect, signal } from "../../vendor/ui.js";
import { Refused } from "./api.js";
import { connection, onEvent, gapCount } from "./events.js";

const READ_AGAIN_MS = 2000; // after a change that events do not show
const READ_AGAIN_AT_MOST_MS = 30_000; // the wait doubles while such changes go on
const QUIET_MS = 60_000; // and is short again after this
const RETRY_MS = 1000;
/** How often to read what no event tells of; an answer that is the same costs a 304. */
export const READ_EVERY_MS = 30_000;

/** @type {Promise<any>} */
let turn = Promise.resolve(); // the embedded store refuses many reads at once

/** Run `read` after all earlier ones of this page. */
export function inTurn(read) {
  const result = turn.then(read);
  turn = result.catch(() => {});
  return result;
}

/**
 * A value that `read()` returns, and that events change: `handlers` has, by the name of an
 * event, `(value, payload, readAgain) => value`, or undefined for a value that has to be
 * read again; `readAgain()` does that besides. What was read before the page was live, or
 * failed, is read again then.
 *
 * `everyMs`: read it again after this time, but in a hidden page once it becomes visible;
 * `value`: what is shown until it is read.
 * `state` is a signal with {value, error, loading}: `value` undefined before the first
 * answer, `error` why the last read failed. `start()` returns what ends it; `put(value)` is
 * for a change of which no event tells; `load()` reads now, or once more after a read that has begun.
 */
export function resource(read, handlers = {}, { everyMs = 0, value = undefined } = {}) {
  const state = signal({ value, error: null, loading: true });
  const waits = { change: READ_AGAIN_MS, failure: RETRY_MS };
  let meanwhile = []; // events heard while the answer was on its way
  let [reading, stopped, early, again] = [false, false, false, false];
  let [timer, changeTimer, changedAt] = [undefined, undefined, 0];

  async function load() {
    if (reading) return;
    clearTimeout(timer);
    [reading, early, again] = [true, !isLive(), false];
    meanwhile = [];
    state.value = { ...state.peek(), loading: true };
    try {
      const answer = await inTurn(() => (stopped ? undefined : read()));
      reading = false;
      if (stopped) return;
      if (answer === undefined) return void load(); // it was stopped and started again
      waits.failure = RETRY_MS;
      state.value = { value: answer, error: null, loading: false };
      for (const [name, payload] of meanwhile) apply(name, payload);
      if (everyMs) later(everyMs, loadIfVisible);
      catchUp();
    } catch (error) {
      reading = false;
      if (stopped) return;
      state.value = { ...state.peek(), error, loading: false };
      if (isTemporary(error)) retry();
    }
  }

  function catchUp() {
    if (reading || !isLive()) return;
    waits.failure = RETRY_MS;
    const { error } = state.peek();
    if (again || (error ? isTemporary(error) : early)) load();
  }

  // what is being read may not show the caller's own change
  const reload = () => (reading ? void (again = true) : load());

  function retry() {
    later(waits.failure);
    waits.failure = Math.min(2 * waits.failure, READ_AGAIN_AT_MOST_MS);
  }

  function later(ms, run = load) {
    clearTimeout(timer);
    timer = setTimeout(run, ms);
  }

  // a page that was hidden meanwhile reads once it is looked at
  const loadIfVisible = () => (globalThis.document?.hidden ? undefined : load());

  function readAgain() {
    if (changeTimer) return;
    const quiet = Date.now() - changedAt > QUIET_MS;
    waits.change = quiet ? READ_AGAIN_MS : Math.min(2 * waits.change, READ_AGAIN_AT_MOST_MS);
    changeTimer = setTimeout(() => {
      changeTimer = undefined;
      changedAt = Date.now();
      load();
    }, waits.change);
  }

  function apply(name, payload) {
    if (reading) meanwhile.push([name, payload]);
    const { value } = state.peek();
    if (value === undefined) return;
    const next = payload.truncated ? undefined : handlers[name](value, payload, readAgain);
    if (next === undefined) readAgain();
    else if (next !== value) state.value = { ...state.peek(), value: next };
  }

  function start() {
    stopped = false;
    load();
    const ends = Object.keys(handlers).map((name) => onEvent(name, (payload) => apply(name, payload)));
    ends.push(connection.subscribe(catchUp));
    const before = gapCount.peek();
    ends.push(
      effect(() => {
        if (gapCount.value > before) readAgain();
      }),
    );
    if (everyMs) globalThis.document?.addEventListener("visibilitychange", loadIfVisible);
    return () => {
      stopped = true;
      if (everyMs) globalThis.document?.removeEventListener("visibilitychange", loadIfVisible);
      clearTimeout(timer);
      clearTimeout(changeTimer);
      for (const end of ends) end();
    };
  }

  const put = (next) => (state.value = { ...state.peek(), value: next });

  return { state, load: reload, start, put };
}

const isLive = () => connection.peek().state === "live";

function isTemporary(error) {
  return !(error instanceof Refused) || error.status >= 500 || error.status === 429;
}
