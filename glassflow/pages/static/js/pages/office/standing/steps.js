// The steps of a job from its quote to its last payment, as `GET /standing` has it. Without a page.
import { idOf } from "../../../core/records.js";

const FEW = 2; // records that a step shows without being asked

/** The kinds of the records of a step, and their numbers. */
const NUMBERS = {
  quote: "quoteNumber",
  request: "requestNumber",
  order: "orderNumber",
  delivery: "deliveryNumber",
  entry: "entryNumber",
  payment: "paymentNumber",
};

/**
 * The steps of a job: {name, state, share, figure, deposit, shown, more}. `state` is "none", "partly",
 * "done" or "stopped"; `share` how much of it is done, from 0 to 1. `figure` is null, {status}, {count},
 * {done, count} of panes, or {paid, amount} in baht; `deposit` is what is asked for and not paid.
 * `shown` and `more` are the records {kind, _id, number, row, isCurrent}: `current`, the id of the one that
 * the page shows, and the newest come first. `sees(key)` tells whether the caller holds a key; a step that it
 * may not read is left out, and so is a quote or request where there was none.
 */
export function stepsOf(job, current, sees) {
  return [
    quoted(job),
    (job.request || (!job.orders?.length && sees("requests:view"))) && asked(job),
    job.orders && made(job),
    job.deliveries && delivered(job),
    job.entries && job.money && billed(job),
    job.payments && job.money && paid(job),
  ]
    .filter(Boolean)
    .map(({ rows, kind, ...step }) => ({ share: 0, deposit: null, ...step, ...linksOf(kind, rows, current) }));
}

function linksOf(kind, rows, current) {
  const links = rows.map((row) => ({
    kind,
    _id: row._id,
    number: row[NUMBERS[kind]],
    row,
    isCurrent: row._id === current,
  }));
  const newest = links.toReversed().sort((one, other) => Number(other.isCurrent) - Number(one.isCurrent));
  return { shown: newest.slice(0, FEW), more: newest.slice(FEW) };
}

const QUOTE_STATES = { accepted: "done", sent: "partly", draft: "partly" };

/** Of several revisions, the one that counts is the newest. Confirmations of changes are no offers. */
function quoted({ quotes }) {
  const offers = (quotes ?? []).filter(({ kind }) => kind !== "confirmation");
  if (!offers.length) return null;
  const { status } = offers.findLast((one) => one.status === "accepted") ?? offers.at(-1);
  const state = QUOTE_STATES[status] ?? "stopped";
  return { name: "quote", kind: "quote", rows: offers, state, share: shareOf(state), figure: { status } };
}

function asked({ request, panes }) {
  const isCancelled = request?.status === "cancelled";
  const state = isCancelled ? "stopped" : request ? "done" : "none";
  const figure = isCancelled ? { status: "cancelled" } : request && panes ? { count: panes.count } : null;
  return { name: "request", kind: "request", rows: request ? [request] : [], state, share: shareOf(state), figure };
}

function made({ orders, panes }) {
  const live = orders.filter(({ status }) => status !== "cancelled");
  const sum = (name) => live.reduce((total, one) => total + one[name], 0);
  const [done, count] = panes ? [panes.finished, panes.count] : [sum("panesCompleted"), sum("paneCount")];
  const state = orders.length && !live.length ? "stopped" : stateOf(done, count, live.length > 0);
  return { name: "order", kind: "order", rows: orders, ...partOf(state, done, count, live.length && { done, count }) };
}

function delivered({ deliveries, panes, orders }) {
  const sum = (name) => (orders ?? []).reduce((total, one) => total + one[name], 0);
  const [done, count] = panes ? [panes.delivered, panes.count] : [sum("panesDelivered"), sum("paneCount")];
  const state = stateOf(done, count, deliveries.length > 0);
  const figure = (done > 0 || deliveries.length > 0) && { done, count };
  return { name: "delivery", kind: "delivery", rows: deliveries, ...partOf(state, done, count, figure) };
}

function billed({ entries, money }) {
  const amount = Math.max(Number(money.gross), Number(money.charged));
  const rows = entries.filter(({ status }) => status !== "void");
  const found = moneyOf(Number(money.billed), amount);
  const waits = rows.some(({ status }) => status === "open"); // such as a credit
  const state = waits && found.state === "done" ? "partly" : found.state;
  return { name: "billed", kind: "entry", rows, ...found, state };
}

function paid({ payments, money }) {
  const amount = Math.max(Number(money.gross), Number(money.charged));
  const waits = Number(money.deposit?.open) > 0 ? money.deposit : null;
  return { name: "paid", kind: "payment", rows: payments, deposit: waits, ...moneyOf(Number(money.paid), amount) };
}

function moneyOf(done, amount) {
  return partOf(stateOf(done, amount), done, amount, (done || amount) && { paid: done, amount });
}

const partOf = (state, done, all, figure) => ({
  state,
  share: state === "partly" && all > 0 ? Math.min(1, Math.max(0, done / all)) : shareOf(state),
  figure: figure || null,
});
const shareOf = (state) => ({ done: 1, partly: 0.5 })[state] ?? 0;

function stateOf(done, all, isBegun = false) {
  if (all > 0 && done >= all) return "done";
  return done > 0 || isBegun ? "partly" : "none";
}

/** Whether a record that has changed may change what `jobs` say, of the record with the id `current`. */
export function concerns(jobs, current, record) {
  const known = new Set([current]);
  const invoices = new Set();
  for (const { request, quotes, orders, deliveries, entries, payments } of jobs) {
    for (const one of [request, ...[quotes, orders, deliveries, entries, payments].flatMap((rows) => rows ?? [])])
      if (one) known.add(one._id);
    for (const { invoiceNumber } of entries ?? []) if (invoiceNumber) invoices.add(invoiceNumber);
  }
  const { _id, request, quote, order, creditOf, revises, places = [], parts = [], invoiceNumber } = record;
  const owners = [...places, ...parts].flatMap((one) => [one.request, one.order]);
  return (
    [_id, request, quote, order, creditOf, revises, ...owners].some((one) => known.has(idOf(one))) ||
    invoices.has(invoiceNumber)
  );
}
