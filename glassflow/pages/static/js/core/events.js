// Live events, applied together at most ten times a second: a burst costs one redraw. Less
// often where a redraw takes long.
import { batch, signal } from "../../vendor/ui.js";

const APPLY_EVERY_MS = 100;
const APPLY_RARELY_MS = 250; // after events that took longer than LONG_MS to apply and to draw
const LONG_MS = 30;
const SILENT_BEFORE_STALE_MS = 5000;

/**
 * The live connection: {state: "connecting" | "live" | "lost", completeAt, seq}. All changes
 * up to `completeAt` are shown (epoch milliseconds; 0 before the first connection). While it
 * is live, the page hears of all events after the one with the number `seq`.
 * @type {SignalOf<Connection>}
 */
export const connection = signal({ state: "connecting", completeAt: 0 });

/** How often missed events were not stored any more: pages then fetch again what they show. */
export const gapCount = signal(0);

/** When the page last applied events (epoch milliseconds); 0 before. */
export const heardAt = signal(0);

const handlers = new Map(); // event name: functions
let waiting = [];
let timer = null;
let everyMs = APPLY_EVERY_MS;

/** Call `handler(payload, meta)` for each event of a name; returns how to stop that. */
export function onEvent(name, handler) {
  const list = handlers.get(name) ?? new Set();
  handlers.set(name, list.add(handler));
  return () => list.delete(handler);
}

/** Take an event. */
export function receive(name, payload, meta) {
  waiting.push([name, payload, meta]);
  timer ??= setTimeout(apply, everyMs);
}

function apply() {
  const events = waiting;
  waiting = [];
  timer = null;
  const startedAt = performance.now();
  batch(() => {
    for (const [name, payload, meta] of events) {
      for (const handler of handlers.get(name) ?? []) run(handler, payload, meta);
    }
    heardAt.value = Date.now();
  });
  // components are drawn in a microtask, which the batch has queued before this one
  queueMicrotask(() => {
    const isLong = performance.now() - startedAt > LONG_MS;
    everyMs = isLong ? APPLY_RARELY_MS : APPLY_EVERY_MS;
  });
}

// One page's fault must not cost another its events.
function run(handler, payload, meta) {
  try {
    handler(payload, meta);
  } catch (error) {
    console.error(error);
  }
}

/** Start again: nothing has been shown yet. */
export function resetConnection() {
  connection.value = { state: "connecting", completeAt: 0 };
}

/** Begin without a connection, with what was kept: complete at a moment, 0 if unknown. */
export function startLost(completeAt) {
  const now = connection.peek();
  if (now.state !== "live" && now.completeAt === 0) connection.value = { state: "lost", completeAt };
}

/** Set the state of the connection at a moment (epoch milliseconds); `seq` where it is live. */
export function setConnection(state, moment = Date.now(), seq = 0) {
  const before = connection.peek(); // an effect that calls this must not follow it
  if (before.state === state) return;
  // until a connection was lost, everything was shown
  const completeAt = before.state === "live" ? moment : before.completeAt;
  connection.value = { state, completeAt, seq };
}

/**
 * How a connection is shown at a moment: {kind, ageS}, kind one of "live", "connecting",
 * "reconnecting" (a short gap, which is no reason to alarm) and "stale".
 */
export function freshness({ state, completeAt }, moment) {
  if (state === "live") return { kind: "live", ageS: 0 };
  if (completeAt === 0) return { kind: "connecting", ageS: 0 };
  const silentMs = moment - completeAt;
  const kind = silentMs < SILENT_BEFORE_STALE_MS ? "reconnecting" : "stale";
  return { kind, ageS: silentMs / 1000 };
}
