// What an action will do with the selected panes, before it is done. Without a page.
import { idOf } from "../../../core/records.js";
import { plan } from "../batch_plan.js";
import { isCorrectable, OPEN } from "./rules.js";

export const SCANS = ["scan_in", "start", "complete"];
const SCANNED_FROM = { scan_in: OPEN.slice(0, 2), start: OPEN.slice(0, 2), complete: OPEN };
const LEADS_TO = { scan_in: "in_progress", start: "in_progress", complete: "awaiting_scan_out" };

/** What a scan will do with panes, as `plan` has it; `to` is the status afterwards. */
export function planScan(panes, action) {
  return plan(panes, LEADS_TO[action], (pane) => {
    if (pane.laminateRole === "parent") return "parent";
    if (!OPEN.includes(pane.currentStatus)) return "closed";
    if (!SCANNED_FROM[action].includes(pane.currentStatus)) return "done";
    return idOf(pane.currentStation) ? "" : "nowhere";
  });
}

/** The same for a cancellation of panes on their own. */
export function planCancel(panes) {
  return plan(panes, "cancelled", (pane) => {
    if (!OPEN.includes(pane.currentStatus)) return "closed";
    return pane.laminateRole === "single" ? "" : "unit";
  });
}

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
