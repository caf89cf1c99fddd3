// A station on this device: its records, its queue, and what flow.js wants to be done.
import { signal } from "../../../vendor/ui.js";
import { api, inTime, inWords, Unreachable } from "../../core/api.js";
import { onAnswer, outbox, send } from "../../core/outbox.js";
import { actor } from "../../core/person.js";
import { RetryKey } from "../../core/retry_key.js";
import { go } from "../../core/router.js";
import { connection, onEvent } from "../../core/events.js";
import { parse } from "../../scan/codes.js";
import { play } from "../../scan/sounds.js";
import { reasonOf } from "../../ui/verdict.js";
import { begin, step, stepAtOnce } from "./flow.js";
import { chooseStation, loadStation, preference, saveStation, setPreference } from "./kept.js";
import { POPULATE } from "./pane.js";
import { sendPhotos } from "../scan_page/photos.js";
import { Queue } from "./queue.js";
import { rackOf, scanBody, scansOf, scanPath, undoOf, withFollowers } from "../scan_page/requests.js";

const LOOK_MS = 4000;
const LOST_MS = 1000; // for an answer
const KEEP_AFTER_MS = 2000;
const AGAIN_MS = 4000; // where there is nothing to show yet
// No fault of the sheet that was scanned: it waits for the others of its set.
const WAITING_FOR_SHEETS = ["SHEETS_MISSING", "UNMERGED_SHEET"];

const loadRacks = () => import("./racks.js");

const undoKey = new RetryKey(); // of the page: who leaves without an answer, and comes back, undoes once

export class StationDesk {
  /** {station, stations}, {error, retryAt} (epoch milliseconds, where it is tried again), or null while it is not known. */
  place = signal(null);
  /** Whether buttons are larger, for gloves. */
  glove = signal(Boolean(preference("glove")));
  /** The open calls for help, once call_band.js is loaded; see calls.js. */
  calls = signal(null);
  /** Whether the station and its queue have been read. */
  isRead = false;
  /** What an open form does with a printed card: `onCard(code)`; null without a form. */
  onCard = null;
  /** What takes a scanned code before the flow does: `takes(code)` tells whether it did. */
  takes = null;
  #timer;
  #again;
  #stops = [];

  constructor(id) {
    const kept = loadStation(id);
    this.id = id;
    /** The panes at the station. */
    this.queue = new Queue(id, kept);
    const checks = Boolean(kept?.station?.isCheckStation);
    this.state = signal(begin(preference("scans") ?? 3, checks));
    if (kept) this.place.value = kept;
  }

  open() {
    this.#stops = [
      onEvent("pane:updated", (event) => this.#onPaneEvent(event)),
      onEvent("order:updated", ({ data }) => this.queue.note(data)),
      onEvent("request:updated", ({ data }) => this.queue.note(data)),
      onEvent("rack:updated", ({ data }) => this.queue.note(data)),
      onEvent("station:updated", ({ data }) => data._id === this.id && this.load()),
      onAnswer((request, { data }) =>
        scansOf(request).forEach(({ action }, i) => this.queue.answered(action, data.panes?.[i] ?? data.pane)),
      ),
      onAnswer((request, envelope) => this.queue.done.noteAnswer(request, envelope)),
      outbox.subscribe(() => this.#noticeSent()),
      this.queue.panes.subscribe(() => this.#keepSoon()),
      // what happened without a connection
      connection.subscribe(({ state }) => state === "live" && this.load()),
    ];
    addEventListener("pagehide", this.#keepNow); // a reload, perhaps without network
    this.load();
  }

  close() {
    for (const stop of this.#stops.splice(0)) stop();
    removeEventListener("pagehide", this.#keepNow);
    clearTimeout(this.#timer);
    this.#timer = undefined;
    clearTimeout(this.#again);
    this.queue.close();
  }

  /** Begin as if nothing had been scanned: somebody else works here. */
  clear() {
    const { scans, checks } = this.state.value;
    this.state.value = begin(scans, checks);
  }

  /** Read the station and then its queue: the service answers one list after the other. */
  async load() {
    clearTimeout(this.#again);
    try {
      const { data: stations } = await api("/stations?limit=100&sort=position");
      const station = stations.find((one) => one._id === this.id) ?? (await api(`/stations/${this.id}`)).data;
      this.place.value = { station, stations };
      this.send({ type: "place", checks: Boolean(station.isCheckStation) });
      chooseStation(this.id);
    } catch (error) {
      const stale = error instanceof Unreachable || error.status >= 500;
      if (stale && this.place.value?.station) return;
      if (stale && this.#stops.length) this.#again = setTimeout(() => this.load(), AGAIN_MS);
      this.place.value = { error, retryAt: stale ? Date.now() + AGAIN_MS : undefined };
      return;
    }
    await this.queue.load();
    this.isRead = true;
    this.calls.value?.load();
  }

  /** What the scans that wait for their turn do without being shown first: [{number, action, at}]. */
  stepsWaiting() {
    const state = this.state.peek();
    return state.waiting.flatMap(({ code: { kind, number }, by, at }) => {
      const action = kind === "pane" && stepAtOnce(state, by, this.#assume(number));
      return action ? [{ number, action, at }] : [];
    });
  }

  /** A station by its id, or undefined. */
  stationOf(id) {
    return this.place.value?.stations?.find((one) => one._id === id);
  }

  /** What is shown of a pane that is made instead of a failed one. */
  remakeOf({ _id: id, paneNumber, currentStation }) {
    return { id, number: paneNumber, at: this.stationOf(currentStation) };
  }

  setScans(scans) {
    setPreference("scans", scans);
    this.send({ type: "scans", scans });
  }

  setGlove(on) {
    setPreference("glove", on);
    this.glove.value = on;
  }

  /** A code that was read by "wedge" or "camera", or "typed"; a tap in the queue is that. */
  scan(text, by) {
    const code = parse(text);
    this.takes?.(code) || this.send({ type: "scan", code, by });
  }

  /** A code came whose end mark is missing, on a device that has got some: it was not taken. */
  unended() {
    this.takes?.({ kind: "unended" }) || this.send({ type: "notify", notice: "noEndMark" });
  }

  send(event) {
    const { state, commands } = step(this.state.value, { at: Date.now(), ...event });
    this.state.value = state;
    for (const command of commands) this.#carryOut(command);
  }

  #carryOut({ do: name, ...command }) {
    if (name === "playSound") play(command.kind);
    else if (name === "answer") this.#answer(command.code);
    else if (name === "go") go(`/floor/s/${command.station}`);
    else this[`_${name}`](command).catch((error) => this.#refuse(command.number, error));
  }

  #answer(code) {
    if (this.onCard) this.onCard(code);
    else this.send({ type: "notify", notice: "sheetOpen" }); // all its questions are answered
  }

  // A scan that was refused without a look at the pane before: what else can be done with it?
  #refuse(number, error) {
    console.warn(error);
    const reason = reasonOf(error);
    this.send({ type: "refused", number: number ?? reason.facts?.paneNumber, error: reason });
    if (number && !this.state.value.card.rack && reason.code === "WRONG_STATION") this.#refresh(number);
  }

  async _lookAtRack(command) {
    await (await loadRacks()).lookAtRack(this, command);
  }

  async _stepRack(command) {
    await (await loadRacks()).stepRack(this, command);
  }

  async _moveOnRack(command) {
    await (await loadRacks()).moveOnRack(this, command);
  }

  async _lookUp({ number }) {
    const event = { type: "found", number };
    const { state } = connection.peek();
    try {
      this.send({ ...event, ...(await inTime(this.#next(number), state === "lost" ? LOST_MS : LOOK_MS)) });
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      this.send({ ...event, ...this.#assume(number), undo: this.keptUndo(number), offline: true });
    }
  }

  async #next(number) {
    const path = `/panes/${encodeURIComponent(number)}/next?station=${this.id}`;
    const {
      pane,
      action,
      allowed,
      allowedBeforeComplete: early,
      moveHere,
      refusal,
      set,
      undo,
    } = (await api(`${path}&populate=${POPULATE}`)).data;
    const survivor = set?.sheets.find((one) => one.present);
    const unit = set && { ...set, survivor: survivor?.paneNumber };
    const waits = unit && WAITING_FOR_SHEETS.includes(refusal?.code);
    const error = refusal && !waits && { code: refusal.code, message: inWords(refusal).message, facts: refusal };
    // a pane may break at any time
    const all = [...new Set([...allowed, ...early.filter((one) => one === "qc_fail")])];
    const passes = early.includes("scan_out");
    return { pane, next: action, passes, allowed: all, moveHere, refusal: error, unit, undo: undoOf(undo) };
  }

  #assume(number) {
    const waiting = outbox.value.waiting.flatMap(scansOf);
    const { isLaminateStation } = this.place.value?.station ?? {};
    return this.queue.assume(number, waiting, isLaminateStation);
  }

  /** The last scan of a pane that this device keeps, where it can be taken back. */
  keptUndo(number) {
    const row = keptOf([number]).at(-1);
    const numbers = row && scansOf(row).map((scan) => scan.number);
    return row && !row.tried ? { kept: row.n, ...(numbers.length > 1 && { numbers }) } : undefined;
  }

  async _scan({ number, action, body: { photos, ...body } }) {
    const occurredAt = new Date();
    const worker = actor();
    if (photos?.length) body.photos = await sendPhotos(photos, worker);
    const answer = await send(
      scanPath(number),
      { ...scanBody(action), station: this.id, ...body },
      { occurredAt, worker },
    );
    if (this.state.value.busy?.number !== number) return; // they have left
    if (answer.kind === "refused") throw answer.error;
    if (answer.kind === "kept")
      this.send({ type: "kept", number, action, ...this.#assume(number), undo: this.keptUndo(number) });
    else this.#done({ type: "done", number }, action, answer.envelope.data);
  }

  // Once, also where its answer was lost and it is asked for again. `scan` tells it from other
  // scans of the pane, whose undo is another request.
  async _undo({ number, numbers, scan }) {
    if (numbers) return this.#undoMany(numbers, scan);
    const data = await undoKey.post(`/panes/${encodeURIComponent(number)}/undo`, {}, { about: scan });
    return this.#done({ type: "undone", number }, "undo", data);
  }

  async #undoMany(numbers, scan) {
    const options = { about: scan, records: numbers.length };
    const { panes } = await undoKey.post("/panes/batch-undo", { paneNumbers: numbers }, options);
    for (const data of panes) this.queue.receive({ action: "undo", data });
    this.send({ type: "many", numbers, verdict: { kind: "yes", action: "undo" } });
  }

  // The list of what waits has loaded the module before the network was lost.
  async _takeBack({ number, numbers, kept }) {
    const { takeBack } = await import("../../core/outbox_list.js");
    const taken = await takeBack((rows) => withFollowers(rows, kept));
    const undo = this.keptUndo(number);
    const actions = [...new Set(taken.flatMap(scansOf).map((scan) => scan.action))];
    this.send({ type: "takenBack", number, numbers, actions, ...this.#assume(number), undo });
  }

  #done(event, action, data) {
    const { pane, nextStation, remadePane, retiredPaneNumbers } = data;
    const verdict = {
      action,
      to: this.stationOf(nextStation?._id ?? nextStation),
      finished: pane.currentStatus === "completed",
      remakes: remadePane && [this.remakeOf(remadePane)],
      retired: retiredPaneNumbers,
    };
    this.queue.receive({ action, data: pane });
    const { order, request, ...changed } = this.queue.whole(pane);
    const known = { ...(order?._id && { order }), ...(request?._id && { request }) }; // else as on the card
    const stays = pane.currentStation === this.id;
    // a failed check may follow at once, before #refresh
    const { allowed } = stays && this.#assume(pane.paneNumber);
    this.send({ ...event, pane: { ...changed, ...known }, verdict, allowed, undo: undoOf(data) });
    if (stays) this.#refresh(pane.paneNumber);
  }

  #onPaneEvent(event) {
    this.queue.receive(event);
    const { card } = this.state.value;
    const { _id, version, parentPane } = event.data;
    const itself = card?.pane?._id === _id && version > card.pane.version;
    const inUnit = card?.unit && card.pane?._id !== _id && parentPane === card.pane?.parentPane;
    if (itself || (inUnit && parentPane)) this.#refresh(card.number);
  }

  // What can be done next with the pane on the screen.
  async #refresh(number) {
    if (this.state.value.busy) return;
    try {
      const { refusal, ...facts } = await this.#next(number);
      this.send({ type: "changed", number, ...facts, next: refusal ? null : facts.next });
    } catch (error) {
      console.warn(error); // the card stays; a scan asks again
    }
  }

  #noticeSent() {
    const { card, last } = this.state.value;
    if (!card) return;
    const kept = card.rack ? keptOfRack(card.number) : keptOf(card.numbers ?? [card.number]);
    const isTakenBack = last?.kept && last.number === card.number && !kept.some(({ n }) => n === last.kept);
    if (isTakenBack || !kept.length) this.send({ type: "sent", number: card.number });
  }

  // At once when it is read first; a change is not put off by the next one.
  #keepSoon() {
    this.#timer ??= setTimeout(this.#keepNow, this.isRead ? KEEP_AFTER_MS : 0);
  }

  #keepNow = () => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { station, stations } = this.place.value ?? {};
    const { isWhole, panes } = this.queue;
    if (station && panes.value) saveStation(this.id, { station, stations, panes: panes.value, isWhole });
  };
}

// The requests about panes that wait on this device, oldest first.
const keptOf = (numbers) =>
  outbox.value.waiting.filter((row) => scansOf(row).some(({ number }) => numbers.includes(number)));

const keptOfRack = (number) => outbox.value.waiting.filter((row) => rackOf(row)?.rack === number);
