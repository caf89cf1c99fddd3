// The open calls for help of the workshop: those of this station, and those that it has sent to others.
import { signal } from "../../../vendor/ui.js";
import { api } from "../../core/api.js";
import { onEvent } from "../../core/events.js";
import { onAnswer, outbox } from "../../core/outbox.js";
import { actor } from "../../core/person.js";
import { idOf } from "../../core/records.js";
import { play } from "../../scan/sounds.js";
import { inOrder, withCall } from "../../ui/calls.js";
import { callOf, keepCalls, keptCalls } from "../scan_page/kept_calls.js";

const OPEN_CALLS = "/calls?status=open,taken&sort=calledAt&limit=100";
const AGAIN_MS = 4000; // after a read that failed

export class Calls {
  /** All open calls: a machine that stands first, then the oldest. */
  open = signal(keptCalls());
  #station;
  #heard = new Map(); // id -> the newest state of a call since the last read began
  #again;

  /** Of a station (an id). */
  constructor(station) {
    this.#station = station;
  }

  /** Hear of calls from now on; returns how to stop that. `load` reads those that are open already. */
  start() {
    const stops = [
      onEvent("call:updated", (event) => this.#receive(event)),
      onAnswer((request, { data }) => callOf(request) && this.take(data)),
      () => clearTimeout(this.#again),
    ];
    return () => stops.forEach((stop) => stop());
  }

  async load() {
    clearTimeout(this.#again);
    const heard = (this.#heard = new Map());
    try {
      const { data } = await api(OPEN_CALLS);
      if (heard === this.#heard)
        this.#show([...heard.values()].reduce((calls, call) => withCall(calls, { data: call }), data));
    } catch (error) {
      console.warn(error); // without a connection it is read again by the desk
      if (error.status >= 500) this.#again = setTimeout(() => this.load(), AGAIN_MS);
    }
  }

  /** Take the state of a call that the service has answered. */
  take(call) {
    const known = this.#heard.get(call._id) ?? this.#find(call._id);
    if (known?.version > call.version) return;
    this.#heard.set(call._id, call);
    this.#show(withCall(this.open.peek(), { data: call }));
  }

  /** Those of this station, without those whose end this device keeps. */
  get here() {
    return callsAt(this.open.value, this.#station, outbox.value.waiting);
  }

  /** The call with which this station has told another one (an id) of a pane. */
  toldOf(number, station) {
    return this.open.value.find(
      (call) => call.paneNumber === number && idOf(call.station) === station && idOf(call.calledFrom) === this.#station,
    );
  }

  /** Why a station (an id) takes no panes: its stop without scan-in. */
  stopOf(station) {
    return this.open.value.find((call) => call.refusesScanIn && idOf(call.station) === station);
  }

  #find(id) {
    return this.open.peek().find(({ _id }) => _id === id);
  }

  #receive({ action, data }) {
    this.take(action === "deleted" ? { ...data, status: "ended" } : data);
    const isOurs = idOf(data.station) === this.#station && idOf(data.calledBy) !== actor()?._id;
    // after a time without connection, the call may have ended already
    if (action === "created" && isOurs) queueMicrotask(() => this.#find(data._id) && play("call"));
  }

  #show(calls) {
    this.open.value = inOrder(calls);
    keepCalls(this.open.value);
  }
}

/** The calls of a station (an id), without those whose end is among the requests that wait. */
export function callsAt(calls, station, waiting) {
  const ended = waiting.map(callOf);
  return calls.filter((call) => idOf(call.station) === station && !ended.includes(call._id));
}
