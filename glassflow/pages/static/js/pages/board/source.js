// The board's data: the kept one at once, a snapshot that is requested while the page connects,
// then events. A snapshot that fails, or is older than the connection, is requested again, and so
// is one at midnight and where an event does not tell all.
import { effect, signal } from "../../../vendor/ui.js";
import { api, serviceTime } from "../../core/api.js";
import { date } from "../../core/i18n.js";
import { session } from "../../core/session.js";
import { connection, onEvent, gapCount } from "../../core/events.js";
import { Board } from "./model.js";

const KEY = "glassflow.kept.board"; // until logout, see core/preferences.js
const EVENTS = [
  "pane:updated",
  "log:updated",
  "order:updated",
  "delivery:updated",
  "request:updated",
  "station:updated",
  "call:updated",
  "material:updated",
  "inventory:updated",
  "laminate:ready",
  "pane:laminated",
  "system_alert",
  "notification",
];
const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 8000;
const INCOMPLETE_MS = 3000; // so that many new orders cost one snapshot
// The clock of this device may be ahead by 2 s and core/api.js takes it for right. A snapshot
// that is asked for before the service's midnight has the figures of the day before.
const AFTER_MIDNIGHT_MS = 3000;
const KEEP_MS = 60_000;

export const board = new Board();
export const fault = signal(null); // why the last snapshot failed, and `retryAt`

/** Follow the workshop until the returned function is called. */
export function follow() {
  board.load({ seq: 0, stations: null, alerts: [] }, 0);
  board.feed.value = [];
  restore();
  let wanted = null; // why a snapshot is needed; null while the shown one is good
  let retryMs = FIRST_RETRY_MS;
  let timer;
  let stopped = false;
  let known = null;
  let snapshotSeq = -1;
  let liveSeq = 0; // the last events of the snapshot, and before the connection
  const stops = EVENTS.map((name) => onEvent(name, (payload, meta) => board.receive(name, payload, meta)));

  async function ask() {
    clearTimeout(timer);
    const reason = (wanted = {});
    board.await();
    try {
      const { data } = await api("/board");
      if (stopped || wanted !== reason) return;
      board.load(data, Date.now());
      [wanted, fault.value, retryMs, snapshotSeq] = [null, null, FIRST_RETRY_MS, data.seq];
      if (snapshotSeq < liveSeq) timer = setTimeout(ask, FIRST_RETRY_MS);
    } catch (error) {
      if (stopped || wanted !== reason) return;
      const waitMs = Math.max(retryMs, 1000 * (error.retryAfterS ?? 0));
      fault.value = Object.assign(error, { retryAt: Date.now() + waitMs });
      timer = setTimeout(ask, waitMs);
      retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
    }
  }

  stops.push(
    effect(() => {
      const { state, seq } = connection.value;
      if (state !== "live" || gapCount.value === known) return;
      const isFirst = known === null;
      known = gapCount.value;
      if (isFirst) liveSeq = seq;
      const isGood = isFirst && !fault.peek() && (wanted || snapshotSeq >= seq);
      if (!isGood) ask();
    }),
  );
  if (!wanted && !session.peek().offline) ask();
  stops.push(watch(ask));
  return () => {
    stopped = true;
    clearTimeout(timer);
    for (const stop of stops) stop();
    if (session.peek().state === "none") localStorage.removeItem(KEY);
  };
}

/**
 * Keep the board for the next start, and ask for a snapshot at midnight and where an event did not
 * tell all, until the returned function is called.
 */
function watch(ask) {
  const today = () => date(serviceTime() - AFTER_MIDNIGHT_MS);
  let day = today();
  let timer;
  // after a fault a snapshot is asked for anyway, and not before the service has said
  const askAtMidnight = () => {
    if (today() === day || fault.peek()) return;
    day = today();
    ask();
  };
  const askForMore = () => {
    timer = undefined;
    if (!fault.peek()) ask();
  };
  const timers = [setInterval(keep, KEEP_MS), setInterval(askAtMidnight, 1000)];
  const stop = effect(() => {
    if (board.incomplete.value === 0) return;
    // not put off by the next one: where they keep coming, none would ever be asked for
    timer ??= setTimeout(askForMore, INCOMPLETE_MS);
  });
  addEventListener("pagehide", keep);
  return () => {
    keep();
    stop();
    removeEventListener("pagehide", keep);
    for (const one of [timer, ...timers]) clearTimeout(one);
  };
}

function restore() {
  try {
    const { worker, at, data } = JSON.parse(localStorage.getItem(KEY));
    // an earlier release kept no deadlines
    if (worker === session.value.worker._id && data.deadlines) board.load(data, at);
  } catch {
    // nothing is kept
  }
}

// The board of this worker on this device, for a start without network.
function keep() {
  if (!board.takenAt.value || session.value.state !== "open") return;
  const { completeAt, state } = connection.value;
  const at = state === "live" ? Date.now() : completeAt || board.takenAt.value;
  const worker = session.value.worker._id;
  try {
    localStorage.setItem(KEY, JSON.stringify({ worker, at, data: board.dump() }));
  } catch {
    // storage may be full or turned off: the next start waits for its snapshot
  }
}
