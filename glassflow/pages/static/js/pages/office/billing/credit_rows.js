// What may be credited of a billed entry, and what is. Without a page.
import { sumOf } from "./sums.js";

const satang = (baht) => Math.round(Number(baht) * 100);
const NONE = { isOn: false, net: null };

/** The credits that count; a void one does not. */
export const counting = (credits) => credits.filter(({ status }) => status !== "void");

/**
 * What is left to credit of an entry, in baht before VAT: {left, panes}, where `panes` are [{pane, net,
 * left}], those that were charged something, with what is left of each.
 */
export function leftOf(entry, credits) {
  const counted = counting(credits);
  const ofPane = new Map();
  for (const { pane, net } of linesOf(counted)) ofPane.set(pane, (ofPane.get(pane) ?? 0) + satang(net));
  const panes = linesOf([entry])
    .filter(({ net }) => net > 0)
    .map(({ pane, net }) => ({ pane, net, left: (satang(net) + (ofPane.get(pane) ?? 0)) / 100 }));
  const left = counted.reduce((sum, { net }) => sum + satang(net), satang(entry.net)) / 100;
  return { left, panes };
}

const linesOf = (entries) => entries.flatMap(({ parts }) => parts.flatMap(({ panes }) => panes ?? []));

/** The rows of the dialog after a tick: a pane is credited what is left of it, until somebody types less. */
export function ticked(rows, { pane, left }, isOn) {
  return { ...rows, [pane]: isOn ? { isOn, net: left } : NONE };
}

/** The body of the request, of `rows` by the id of a pane, in the order of `panes`. */
export function bodyOf(panes, rows, { amount, reason }) {
  const chosen = panes.filter(({ pane }) => rows[pane]?.isOn);
  return {
    reason: reason || undefined,
    panes: chosen.length ? chosen.map(({ pane }) => ({ pane, net: rows[pane].net })) : undefined,
    amount: amount || undefined,
  };
}

/** What a credit comes to, {net, vat, gross} in baht above 0, at the VAT of the entry. */
export function sumOfCredit({ panes = [], amount = 0 }, vatPercent) {
  const net = panes.reduce((sum, one) => sum + satang(one.net ?? 0), satang(amount)) / 100;
  return sumOf([{ net, vatPercent }]);
}

/**
 * The faults of a refused body by their places: {panes: {id: [message]}, amount, reason, other}, each a list of
 * messages or undefined.
 */
export function placed(faults, body) {
  const found = { panes: {} };
  const add = (at, name, message) => (at[name] ??= []).push(message);
  for (const { field = "", message } of faults) {
    const [first, index] = field.split(".");
    const row = first === "panes" && body.panes?.[index];
    if (row) add(found.panes, row.pane, message);
    else add(found, ["amount", "reason"].includes(first) ? first : "other", message);
  }
  return found;
}
