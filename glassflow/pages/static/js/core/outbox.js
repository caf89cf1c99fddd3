// Requests that must not be lost, such as scans: kept on the device until they are answered.
//
// A request is stored before it is first sent, with a key of its own, by which the service
// carries it out once however often it is sent. Requests leave in their order, one at a
// time. One that gets no answer is sent again, and those after it wait; one that is refused
// is put on a list for somebody to look at, and the next ones are sent.
//
// A request belongs to the worker who made it, and is sent only while that worker is logged
// in on this device, or has identified on it: never in the name of another one.
import { effect, signal } from "../../vendor/ui.js";
import { request, serviceTime, Unreachable } from "./api.js";
import { Rows } from "./outbox_rows.js";
import { actor, forget, person, release, tokensOf } from "./person.js";
import { isFinal, newKey } from "./idempotency.js";
import { session } from "./session.js";
import { connection } from "./events.js";

const NAME = "glassflow.outbox";
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;
const ANSWER_AWAITED_MS = 4000; // by somebody before the screen

/**
 * The requests of the worker who works here, oldest first: {waiting, kept, refused, others}.
 * `kept` are those of `waiting` that got no answer in time.
 *
 * Each is {n, key, path, body, name (of the worker), keptAt (epoch milliseconds), tried}; `tried`
 * is whether it has left this device, so that the service may have carried it out. A refused
 * one has `refusal` too, the `error` of `send`. `others` are the other workers of whom this
 * device keeps requests: [{worker (id), name, waiting, refused}], the last two are numbers.
 */
export const outbox = signal({ waiting: [], kept: [], refused: [], others: [] });

/** Whether the last attempt to send the oldest request that waits has failed. */
export const hasFailed = signal(false);

export const rows = new Rows();

/** The code of the refusal of a request that somebody has taken back before it was sent. */
export const TAKEN_BACK = "TAKEN_BACK";
/** The numbers of the rows that were taken back while this page is open. */
export const takenBack = new Set();

const ALIVE = "/api/health";
const tabs = globalThis.BroadcastChannel && new BroadcastChannel(NAME);
const awaited = new Map(); // number of a row: its timer, and what takes its outcome
const readers = new Set(); // of answers
let isDoubtful = false; // whether the service can be reached
let overdue = false; // an answer takes so long that nobody waits for those behind it either
let sending = null; // the promise of the sending under way
let wanted = false; // somebody asked for it meanwhile
let retry = { timer: undefined, pauseMs: FIRST_PAUSE_MS };

/**
 * POST to `/api${path}`, now or later. `occurredAt` (a Date) becomes a member of the body:
 * when it happened, corrected by how wrong the clock of this device is. `worker` is in whose
 * name, who may have left meanwhile: then the request is kept, and nobody waits for its answer.
 *
 * Resolves to {kind: "answered", envelope}; {kind: "refused", error}, where `error` has
 * {status, code, message, errors, faults, requestId} of the answer; or {kind: "kept"}: there
 * was no answer within 4 s, and the request is sent later.
 */
export async function send(path, body, { key = newKey(), occurredAt = undefined, worker = actor() } = {}) {
  if (!worker) throw new Error("Nobody is logged in");
  const moment = occurredAt && new Date(serviceTime(occurredAt.getTime()));
  const dated = moment ? { ...body, occurredAt: moment.toISOString() } : body;
  // what leaves at once is stored as such in one write
  const tried = !sending && !isDoubtful && connection.peek().state === "live";
  const row = { key, worker: worker._id, name: worker.name, path, body: dated, keptAt: Date.now(), tried };
  const n = await rows.add(row);
  const outcome = worker._id === actor()?._id ? awaitOutcome(n) : { kind: "kept" };
  await changed();
  sendAll();
  return outcome;
}

/** Send what waits. Resolves when nothing waits, or the next attempt is planned. */
export function sendAll() {
  wanted = true;
  return (sending ??= keepSending());
}

async function keepSending() {
  try {
    while (wanted) {
      wanted = false;
      clearTimeout(retry.timer);
      // One tab at a time, where the browser has locks (in secure contexts); elsewhere two
      // tabs may send one request, which its key makes harmless.
      const { locks } = globalThis.navigator ?? {};
      await (locks ? locks.request(NAME, sendInOrder) : sendInOrder());
    }
  } catch (error) {
    console.error(error);
    sendLater();
  } finally {
    sending = null;
  }
}

async function sendInOrder() {
  for (;;) {
    const all = (await rows.all()).filter((row) => !row.refusal);
    release(all.map((row) => row.worker));
    const next = all.find((row) => tokensOf(row.worker));
    if (!next) break;
    const { outcome, retryAfterS, ended } = await attempt(next);
    overdue = false;
    if (ended) continue;
    if (!outcome) return sendLater(retryAfterS);
    await settle(next, outcome);
  }
  retry.pauseMs = FIRST_PAUSE_MS;
}

/**
 * Send a request once: {outcome}; {retryAfterS} where there is none yet; {ended} where it was taken
 * back, or has to wait until its worker identifies again on this shared device.
 */
async function attempt(row) {
  for (const token of tokensOf(row.worker) ?? []) {
    try {
      const Authorization = `Bearer ${await token()}`;
      if (!tokensOf(row.worker)) return {};
      await reach();
      if (!(await claim(row))) return { ended: true };
      const headers = { Authorization, "Idempotency-Key": row.key };
      const options = { method: "POST", body: row.body, headers };
      const envelope = await request(`/api${row.path}`, options);
      hasFailed.value = isDoubtful = false;
      return { outcome: { kind: "answered", envelope } };
    } catch (error) {
      if (isFinal(error)) return { outcome: { kind: "refused", error: plain(error) } };
      hasFailed.value = isDoubtful = true;
      if (error.status !== 401) return { retryAfterS: error.retryAfterS };
    }
  }
  return { ended: forget(row.worker) };
}

// What cannot arrive stays on the device, where it can be taken back: of a request that has left,
// nobody knows whether it has arrived.
async function reach() {
  if (!isDoubtful) return;
  await request(ALIVE).catch(({ status, message }) => {
    if (!(status < 500)) throw new Unreachable(message);
  });
}

/** Note that a row leaves the device; whether it is still to be sent. */
async function claim({ n, tried }) {
  if (tried) return true;
  try {
    const row = await rows.change(n, (now) => ({ ...now, tried: true }));
    return Boolean(row) && !row.refusal;
  } catch (error) {
    console.error(error); // a full disk must not keep it from being sent
    return true;
  }
}

// In a form that IndexedDB and other tabs take.
function plain({ status, code, message, errors, faults, requestId }) {
  return { status, code, message, errors, faults, requestId };
}

async function settle(row, outcome) {
  const resolve = awaitedBy(row.n);
  if (outcome.kind === "answered" || resolve) await rows.delete(row.n);
  else await rows.change(row.n, (now) => (now.key === row.key ? { ...now, refusal: outcome.error } : now));
  const { path, body } = row;
  tabs?.postMessage({ n: row.n, outcome, request: { path, body } });
  tell({ path, body }, outcome);
  await refresh();
  resolve?.(outcome);
}

/**
 * Call `read({path, body}, envelope)` with each answer, of whichever tab or worker of this device,
 * before `outbox` is without its request; returns how to stop that.
 */
export function onAnswer(read) {
  readers.add(read);
  return () => readers.delete(read);
}

function tell(request, { kind, envelope }) {
  if (kind !== "answered") return;
  for (const read of readers) {
    try {
      read(request, envelope);
    } catch (error) {
      console.error(error); // what shows answers must not stop what sends
    }
  }
}

/** Note that rows were taken back, for all tabs. */
export function noteTakenBack(numbers) {
  const outcome = { kind: "refused", error: { code: TAKEN_BACK } };
  for (const n of numbers) {
    takenBack.add(n);
    tabs?.postMessage({ n, outcome });
    awaitedBy(n)?.(outcome);
  }
}

/** The outcome of a row; "kept" where there is none soon. */
function awaitOutcome(n) {
  const giveUp = () => {
    overdue = true;
    waitNoLonger([n]);
  };
  const timer = setTimeout(giveUp, overdue ? 0 : ANSWER_AWAITED_MS);
  return new Promise((resolve) => awaited.set(n, { resolve, timer }));
}

/** The function that takes the outcome of a row, if it is still awaited; for one call. */
function awaitedBy(n) {
  const { resolve, timer } = awaited.get(n) ?? {};
  awaited.delete(n);
  clearTimeout(timer);
  return resolve;
}

function sendLater(retryAfterS = 0) {
  const waitMs = Math.max(retry.pauseMs, retryAfterS * 1000);
  retry = {
    timer: setTimeout(sendAll, waitMs),
    pauseMs: Math.min(2 * retry.pauseMs, LONGEST_PAUSE_MS),
  };
  if (awaited.size) globalThis.navigator?.storage?.persist?.();
  waitNoLonger();
}

function waitNoLonger(numbers = [...awaited.keys()]) {
  for (const n of numbers) awaitedBy(n)?.({ kind: "kept" });
  if (numbers.length) refresh();
}

function ofWorker(all) {
  const own = all.filter((row) => row.worker === actor()?._id);
  const waiting = own.filter((row) => !row.refusal);
  return {
    waiting,
    kept: waiting.filter((row) => !awaited.has(row.n)),
    refused: own.filter((row) => row.refusal),
    others: othersIn(all.filter((row) => !own.includes(row))),
  };
}

function othersIn(found) {
  return [...new Set(found.map((row) => row.worker))].map((worker) => {
    const all = found.filter((row) => row.worker === worker);
    const refused = all.filter((row) => row.refusal).length;
    return { worker, name: all.at(-1).name ?? "", waiting: all.length - refused, refused };
  });
}

/** Read `outbox` again from what the device keeps. */
export async function refresh() {
  outbox.value = ofWorker(await rows.all());
}

/** Tell other tabs, and `outbox`, that the rows have changed. */
export async function changed() {
  tabs?.postMessage({});
  await refresh();
}

// What another tab has done with the common rows.
tabs?.addEventListener("message", async ({ data: { n, outcome, request: sent } }) => {
  if (outcome) overdue = false;
  if (outcome?.error?.code === TAKEN_BACK) takenBack.add(n);
  if (sent) tell(sent, outcome);
  const resolve = awaitedBy(n);
  if (resolve && outcome.kind === "refused") await rows.delete(n); // it is shown here
  await refresh();
  resolve?.(outcome);
});
tabs?.unref?.(); // Node, which runs the tests, would wait for it

effect(() => {
  void person.value;
  waitNoLonger(); // who has left sees no answer: a refusal is put on their list
});
effect(() => {
  void person.value; // whose requests `outbox` shows
  const reading = refresh();
  if (session.value.state === "open") reading.then(sendAll);
});
effect(() => {
  if (connection.value.state === "live") sendAll();
  else if (connection.value.state === "lost") isDoubtful = true;
});
globalThis.addEventListener?.("online", sendAll);
