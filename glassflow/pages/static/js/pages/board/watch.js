// What a board does beside following events: it keeps itself for the next start, and asks for a
// snapshot at midnight and where an event did not tell all.
import { effect } from "../../../vendor/ui.js";
import { serviceTime } from "../../core/api.js";
import { date } from "../../core/i18n.js";
import { session } from "../../core/session.js";
import { connection } from "../../core/events.js";
import { board, fault, KEY } from "./source.js";

const INCOMPLETE_MS = 3000; // so that many new orders cost one snapshot
// The clock of this device may be ahead by 2 s and core/api.js takes it for right. A snapshot
// that is asked for before the service's midnight has the figures of the day before.
const AFTER_MIDNIGHT_MS = 3000;
const KEEP_MS = 60_000;
const FIELDS = [
  "_id",
  "paneNumber",
  "currentStation",
  "currentStatus",
  "request",
  "arrivedAt",
  "version",
  "width",
  "height",
];

/** Watch until the returned function is called; `ask` asks for a snapshot. */
export function watch(ask) {
  const today = () => date(serviceTime() - AFTER_MIDNIGHT_MS);
  let day = today();
  let timer;
  // after a fault a snapshot is asked for anyway, and not before the service has said
  const askAtMidnight = () => {
    if (today() === day || fault.peek()) return;
    day = today();
    ask();
  };
  const askForRest = () => {
    timer = undefined;
    if (!fault.peek()) ask();
  };
  const timers = [setInterval(keep, KEEP_MS), setInterval(askAtMidnight, 1000)];
  const stop = effect(() => {
    if (board.incomplete.value === 0) return;
    // not put off by the next one: where they keep coming, none would ever be asked for
    timer ??= setTimeout(askForRest, INCOMPLETE_MS);
  });
  addEventListener("pagehide", keep);
  return () => {
    keep();
    stop();
    removeEventListener("pagehide", keep);
    for (const one of [timer, ...timers]) clearTimeout(one);
  };
}

/** What a board shows now, as a snapshot. */
export function dump({ seq, stations, panes, orders, deadlines, alerts }) {
  const rows = [...panes.values()].map((pane) => FIELDS.map((name) => pane[name]));
  return {
    seq,
    stations: stations.value,
    panes: { fields: FIELDS, rows },
    orders: [...orders.value.values()],
    deadlines: Object.fromEntries(
      [...deadlines.value].map(([id, moment]) => [id, moment < Infinity ? new Date(moment).toISOString() : null]),
    ),
    alerts: alerts.value,
  };
}

// The board of this worker on this device, for a start without network.
function keep() {
  if (!board.takenAt.value || session.value.state !== "open") return;
  const { completeAt, state } = connection.value;
  const at = state === "live" ? Date.now() : completeAt || board.takenAt.value;
  const worker = session.value.worker._id;
  try {
    localStorage.setItem(KEY, JSON.stringify({ worker, at, data: dump(board) }));
  } catch {
    // storage may be full or turned off: the next start waits for its snapshot
  }
}
