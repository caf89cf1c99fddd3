// The deliveries on this device: what is kept of them, what is scanned, and what is handed over.
import { computed, signal } from "../../../vendor/ui.js";
import { api, inTime, Unreachable } from "../../core/api.js";
import { connection } from "../../core/events.js";
import { newKey } from "../../core/idempotency.js";
import { outbox, send, takenBack } from "../../core/outbox.js";
import { actor, person } from "../../core/person.js";
import { save, saved } from "../../core/preferences.js";
import { resource } from "../../core/resource.js";
import { RetryKey } from "../../core/retry_key.js";
import { go } from "../../core/router.js";
import { may } from "../../core/session.js";
import { parse } from "../../scan/codes.js";
import { play, unlock } from "../../scan/sounds.js";
import { reasonOf } from "../../ui/verdict.js";
import { deliveryOf, deliveryPath } from "../scan_page/requests.js";
import { forgetDraft, forgetOthers, keepDraft, readDraft } from "./drafts.js";
import { deliveryOfPane, hasPane, isRecorded, judge, withRecord, withRequests } from "./rules.js";

const KEPT = "kept.deliveries"; // until logout, see core/preferences.js
const READ_EVERY_MS = 300_000; // no event tells that a day or an hour is over
const LOOK_MS = 4000;
const LOST_MS = 1000; // for an answer
const TWICE_MS = 1000; // a scanner may read one label twice in a row

const undoKey = new RetryKey();
const EMPTY = { sheet: null, about: null, notice: null, said: null, waiting: [] };

export class DeliveriesDesk {
  /**
   * {sheet, about, notice, said, waiting}: the sheet over the page and what it is about, and what
   * is said of a scan.
   */
  state = signal(EMPTY);
  /** What takes a scanned code before this page does: `takes(code)` tells whether it did. */
  takes = null;
  /**
   * What the worker has filled in of a hand-over of the delivery that is shown, by the names of
   * the fields; null where it is nothing, undefined before it is known. See drafts.js.
   */
  draft = signal(undefined);
  /** The id of the delivery that is shown; null for the list. */
  shown = null;
  #answered = signal([]); // requests whose answer the list does not show yet
  #own = new Set(); // keys of the requests whose answer comes to this page
  #waiting = [];
  #worker = null; // the id of who works here
  #last = { number: "", at: 0 };
  #stops = [];

  constructor() {
    const kept = loadKept();
    /** When the list was last known to be complete, in epoch milliseconds. */
    this.readAt = signal(kept?.readAt ?? 0);
    /** {value, error, loading}: what the service has said; see core/resource.js. */
    this.list = resource(
      () => this.#read(),
      {
        "delivery:updated": (list, { action, data }) =>
          action === "deleted" ? list.filter(({ _id }) => _id !== data._id) : withRecord(list, data),
        "pane:updated": (list, { data }) => (hasPane(list, data._id) ? undefined : list),
      },
      { everyMs: READ_EVERY_MS, value: kept?.deliveries },
    );
    /** The deliveries as they are after what this device has not sent yet; undefined before they are known. */
    this.deliveries = computed(() => {
      const { value } = this.list.state.value;
      const { waiting, kept: unsent } = outbox.value;
      const requests = [...this.#answered.value, ...waiting].map((row) => ({
        ...deliveryOf(row),
        isKept: unsent.includes(row),
      }));
      return value && withRequests(value, requests);
    });
  }

  open() {
    let isLive = false;
    this.#stops = [
      this.list.start(),
      this.list.state.subscribe(() => this.#keep()),
      outbox.subscribe((now) => this.#noteAnswers(now)),
      person.subscribe(() => {
        this.list.load();
        this.#changeWorker();
      }),
      connection.subscribe(({ state, completeAt }) => {
        if (isLive && state !== "live" && !this.list.state.peek().error) this.readAt.value = completeAt;
        isLive = state === "live";
        this.#keep();
      }),
    ];
  }

  close() {
    for (const stop of this.#stops) stop();
  }

  /** Begin as if nothing had been scanned: somebody else works here. */
  clear() {
    this.state.value = EMPTY;
  }

  async #read() {
    if (!actor()) return this.list.state.peek().value ?? []; // a shared device, where nobody works yet
    const before = this.#answered.peek();
    const { data } = await api("/deliveries/open");
    this.readAt.value = Date.now();
    this.#answered.value = this.#answered.peek().filter((row) => !before.includes(row));
    forgetOthers(data.map(({ _id }) => _id)).catch(console.warn);
    return data;
  }

  #keep() {
    const { value } = this.list.state.peek();
    if (value && actor()) save(KEPT, JSON.stringify({ readAt: this.readAt.peek(), deliveries: value }));
  }

  // What was kept is sent: it is shown until the list is read.
  #noteAnswers({ waiting, refused }) {
    const isThere = ({ n }) => takenBack.has(n) || [...waiting, ...refused].some((row) => row.n === n);
    const gone = this.#waiting.filter((row) => deliveryOf(row) && !isThere(row));
    const isRefused = this.#waiting.some((row) => refused.some(({ n }) => n === row.n));
    this.#waiting = waiting;
    if (gone.length) this.#answered.value = [...this.#answered.peek(), ...gone];
    if (isRefused || gone.some(({ key }) => !this.#own.has(key))) this.list.load();
  }

  /** Show a delivery, or with null the list. */
  show(id) {
    this.shown = id;
    this.#last = { number: "", at: 0 };
    this.state.value = { ...this.state.peek(), sheet: null, notice: null, said: null };
    this.#readDraft();
  }

  // What one worker fills in is not shown to the next one on a shared device.
  #changeWorker() {
    const worker = actor()?._id ?? null;
    if (worker === this.#worker) return;
    this.#worker = worker;
    this.send({ type: "open", sheet: null });
    this.#readDraft();
  }

  async #readDraft() {
    const [id, worker] = [this.shown, actor()?._id];
    this.draft.value = undefined;
    if (!id || !worker) return;
    const draft = await readDraft(worker, id).catch(console.warn); // then it lasts as long as the page
    if (this.#isShown(worker, id)) this.draft.value ??= draft ?? null;
  }

  /**
   * A worker fills in values of the hand-over of a delivery (ids), by the names of its fields;
   * nothing where that is not the one of `draft` any more.
   */
  async fill(worker, id, values) {
    if (!this.#isShown(worker, id)) return;
    this.draft.value = { ...this.draft.peek(), ...values };
    await keepDraft(worker, id, values).catch(console.warn);
  }

  #isShown(worker, id) {
    return this.shown === id && actor()?._id === worker;
  }

  /** Whether a hand-over of the delivery that is shown was begun, and not sent yet. */
  isBegun(delivery) {
    const { value } = this.draft;
    return Boolean(value && !isRecorded(delivery, value.sentAt));
  }

  /** Open the form of a hand-over, with what was filled in of it before. */
  beginHandOver(delivery) {
    // the page was left while it was sent
    if (this.draft.peek() && !this.isBegun(delivery) && !this.#own.size) this.#forgetDraft(actor()._id, delivery._id);
    this.send({ type: "open", sheet: "handOver" });
  }

  #forgetDraft(worker, id) {
    if (this.#isShown(worker, id)) this.draft.value = null;
    forgetDraft(worker, id).catch(console.warn);
  }

  /** {type: "open", sheet, about}, or {type: "notify", notice}: a key of `station.*`. */
  send({ type, sheet = null, about = null, notice = null }) {
    const { state } = this;
    state.value = { ...state.peek(), ...(type === "open" ? { sheet, about, notice: null } : { notice }) };
  }

  #say(said) {
    play(said.kind);
    this.state.value = { ...this.state.peek(), notice: null, said: { at: Date.now(), ...said } };
  }

  #refuse(number, error) {
    const [pane] = error.errors?.panes ?? [];
    const { reason: code, delivery } = pane ?? {};
    console.warn(error);
    this.#say({ kind: "no", number, code, delivery, reason: reasonOf(error) });
  }

  /** A station of this device's choice is none of this page's. */
  stationOf() {
    return undefined;
  }

  /** A code that was read by "wedge" or "camera", or "typed". */
  scan(text, by) {
    unlock();
    const { kind, number } = parse(text);
    if (this.takes?.(parse(text))) return;
    if (this.state.peek().sheet) {
      play("no");
      return void this.send({ type: "notify", notice: "sheetOpen" });
    }
    if (kind !== "pane") return void this.#say({ kind: "no", number: text.slice(0, 60), code: "no_pane" });
    const isTwice = by !== "typed" && number === this.#last.number && Date.now() - this.#last.at < TWICE_MS;
    this.#last = { number, at: Date.now() };
    if (!isTwice) this.#scanned(number).catch((error) => this.#refuse(number, error));
  }

  async #scanned(number) {
    const { shown } = this;
    const deliveries = this.deliveries.value ?? [];
    if (!shown) {
      const found = deliveryOfPane(deliveries, number);
      if (found) return go(`/floor/deliveries/${found._id}`);
    }
    const known = judge(deliveries, shown, number);
    const { code, ...more } = known.code === "not_planned" ? await this.#ask(number, shown) : known;
    if (this.shown !== shown) return undefined; // they have left
    if (code === "load") return this.#change(shown, "load", number);
    return this.#say({ kind: "no", number, code: code === "not_planned" && !shown ? "none" : code, ...more });
  }

  // What the service knows of a pane that is on no delivery of the list.
  async #ask(number, shown) {
    if (!may("panes:view")) return { code: "not_planned" };
    const limitMs = connection.peek().state === "lost" ? LOST_MS : LOOK_MS;
    try {
      const { data: pane } = await inTime(api(`/panes/${encodeURIComponent(number)}`), limitMs);
      if (pane.deliveredAt) return { code: "delivered" };
      if (!may("orders:view")) return { code: "not_planned" };
      const { data } = await inTime(api(`/deliveries?panes=${pane._id}&status=planned`), limitMs);
      const [planned] = data;
      if (!planned) return { code: "not_planned" };
      if (planned._id === shown) return { code: "load" }; // planned since the list was read
      return { code: "other_delivery", delivery: planned.deliveryNumber };
    } catch (error) {
      if (error instanceof Unreachable) return { code: "not_planned" };
      if (error.status === 404) return { code: "unknown" };
      throw error;
    }
  }

  /** Take a pane off the vehicle, by its number. */
  unload(id, number) {
    return this.#change(id, "unload", number).catch((error) => this.#refuse(number, error));
  }

  async #change(id, action, number) {
    const { kind } = await this.#request(id, action, { paneNumbers: [number] });
    if (this.shown !== id) return;
    if (kind === "kept") this.#say({ kind, number, code: `kept_${action}` });
    else this.#say({ kind: "yes", number, code: action });
  }

  // Send a request by the outbox; throws where it is refused.
  async #request(id, action, body, options = {}) {
    const key = newKey();
    this.#own.add(key);
    const outcome = await send(deliveryPath(id, action), body, { ...options, key });
    this.#own.delete(key);
    if (outcome.kind === "answered") this.#put(outcome.envelope.data);
    if (outcome.kind !== "kept") this.#answered.value = this.#answered.peek().filter((row) => row.key !== key);
    if (outcome.kind !== "refused") return outcome;
    this.list.load();
    throw outcome.error;
  }

  #put(record) {
    const next = withRecord(this.list.state.peek().value ?? [], record);
    if (next) this.list.put(next);
    else this.list.load();
  }

  /**
   * Send the hand-over of a delivery by a worker, now or once there is network; `occurredAt` is
   * when, as the service has it. Throws where it is refused: then its draft stays.
   */
  async handOver(id, body, { worker, occurredAt }) {
    // so that a page which is left meanwhile knows that it is sent
    await this.fill(worker._id, id, { sentAt: occurredAt });
    const { kind } = await this.#request(id, "hand-over", { ...body, occurredAt }, { worker });
    this.#forgetDraft(worker._id, id);
    if (this.shown === id) this.send({ type: "open", sheet: null });
    const code = body.paneNumbers.length ? "hand_over" : "return";
    if (kind === "kept") this.#say({ kind, code: `kept_${code}` });
    else this.#say({ kind: "yes", code });
  }

  /** Undo a hand-over of a delivery. */
  async undo({ _id, deliveryNumber }, { number: handOver, at }) {
    this.send({ type: "open", sheet: null });
    try {
      this.#put(await undoKey.post(deliveryPath(_id, "undo"), { handOver }, { about: at }));
      this.#say({ kind: "yes", code: "undo" });
    } catch (error) {
      this.#refuse(deliveryNumber, error);
    }
  }
}

function loadKept() {
  try {
    return JSON.parse(saved(KEPT));
  } catch {
    return null; // another release has kept it
  }
}
