// The board's data: the kept one at once, a snapshot that is requested while the page connects,
// then events. A snapshot that fails, or is older than the connection, is requested again.
import { effect, signal } from "../../../vendor/ui.js";
import { api } from "../../core/api.js";
import { session } from "../../core/session.js";
import { connection, onEvent, gapCount } from "../../core/events.js";
import { restOf } from "../../ui/rest.js";
import { Board } from "./model.js";

export const KEY = "glassflow.kept.board"; // until logout, see core/preferences.js
const EVENTS = [
  "pane:updated",
  "log:updated",
  "order:updated",
  "request:updated",
  "station:updated",
  "material:updated",
  "inventory:updated",
  "laminate:ready",
  "pane:laminated",
  "system_alert",
  "notification",
];
const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 8000;

export const board = new Board();
export const fault = signal(null); // why the last snapshot failed, and `retryAt`
export const { rest, loadRest } = restOf(() => import("./rest.js"));

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
  loadRest(() => !stopped).then(() => {
    if (stopped) return;
    board.changeBy(rest.value.change);
    stops.push(rest.value.watch(ask));
  });
  return () => {
    stopped = true;
    clearTimeout(timer);
    for (const stop of stops) stop();
    if (session.peek().state === "none") localStorage.removeItem(KEY);
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
