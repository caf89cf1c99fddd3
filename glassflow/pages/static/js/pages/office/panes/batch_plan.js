// What an action will do with the selected panes, before it is done. Without a page.
import { LEADS_TO, OPEN, STARTS_FROM } from "../../../core/pane_flow.js";
import { idOf } from "../../../core/records.js";
import { plan } from "../batch_plan.js";
import { isBegun, isCorrectable } from "../pane_rules.js";

/** The actions of scans that can be done with many panes: those that keep them at their stations. */
export const SCANS = Object.keys(LEADS_TO);

/** What a scan will do with panes, as `plan` has it; `to` is the status afterwards. */
export function planScan(panes, action) {
  return plan(panes, LEADS_TO[action], (pane) => {
    if (pane.laminateRole === "parent") return "parent";
    if (!OPEN.includes(pane.currentStatus)) return "closed";
    if (!STARTS_FROM[action].includes(pane.currentStatus)) return "done";
    return idOf(pane.currentStation) ? "" : "nowhere";
  });
}

/** The same for a cancellation of panes on their own; sheets go with their unit. */
export function planCancel(panes) {
  const sheets = panes.filter(({ laminateRole }) => laminateRole === "sheet");
  const begun = new Set(sheets.filter(isBegun).map(({ parentPane }) => idOf(parentPane)));
  const units = new Set(
    panes.filter((one) => one.laminateRole === "parent" && OPEN.includes(one.currentStatus)).map(({ _id }) => _id),
  );
  return plan(panes, "cancelled", (pane) => {
    if (!OPEN.includes(pane.currentStatus)) return "closed";
    if (pane.laminateRole === "single") return "";
    const unit = pane.laminateRole === "parent" ? pane._id : idOf(pane.parentPane);
    if (begun.has(unit)) return "begun";
    if (pane.laminateRole === "parent") return "";
    return units.has(unit) ? "withUnit" : "unit";
  });
}

/** How many sheets go with the units among panes that are cancelled. */
export const sheetsWith = (panes) =>
  panes.reduce((sum, { laminateRole, rawGlass }) => sum + (laminateRole === "parent" ? rawGlass.sheetsPerPane : 0), 0);

/** The same for a correction to a station, where the panes will be `status`. */
export function planMove(panes, station, status) {
  return plan(panes, status, (pane) => {
    if (!isCorrectable(pane)) return "closed";
    if (pane.laminateRole === "parent") return "parent";
    const route = (pane.routing ?? []).map(idOf);
    if (route.length && !route.includes(station)) return "route";
    return idOf(pane.currentStation) === station && pane.currentStatus === status ? "same" : "";
  });
}

/** What was agreed for panes that are not charged by a delivery yet, in baht before VAT. */
export const agreedFor = (panes) =>
  panes.reduce((sum, { agreedPrice, deliveredAt }) => sum + (deliveredAt ? 0 : (agreedPrice ?? 0)), 0);

/** The ids of panes that have a price, by customer: [[id, ...], ...]. A billing entry has one customer. */
export function chargesOf(panes) {
  const byCustomer = new Map();
  for (const { _id, order, request } of panes.filter((one) => one.agreedPrice > 0 && !one.deliveredAt)) {
    const owner = idOf(order?.customer) ?? idOf(request?.customer) ?? idOf(request) ?? idOf(order);
    byCustomer.set(owner, [...(byCustomer.get(owner) ?? []), _id]);
  }
  return [...byCustomer.values()];
}
