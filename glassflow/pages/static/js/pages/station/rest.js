// What a station needs beyond its first picture and the verdict on a scan: desk.js loads it.
import { RetryKey } from "../../core/retry_key.js";
import { ClaimSheet, FailSheet } from "./defect_sheets.js";
import { KeptSheet } from "./kept_sheet.js";
import { PaneMenu, StationMenu } from "./menus.js";
import { WithdrawSheet } from "./withdraw_sheet.js";

export { Drawing } from "../../ui/drawing.js";
export { Choose } from "./choose.js";
export { NoStation } from "./no_station.js";
export { Queue } from "./queue.js";
export { QueueList } from "./queue_list.js";
export { Read } from "./read.js";
export { Signs } from "./signs.js";
export { Undo } from "./undo.js";
export { Unit } from "./unit.js";

const undoKey = new RetryKey();

/**
 * Undo the last scan of a pane: once, also where its answer was lost and it is asked for again.
 * `scan` tells it from other scans of the pane, whose undo is another request.
 */
export const takeBack = (number, scan) =>
  undoKey.post(`/panes/${encodeURIComponent(number)}/undo`, {}, { about: scan });

/** The forms and menus over the page, by their names in flow.js. */
export const SHEETS = {
  fail: FailSheet,
  claim: ClaimSheet,
  withdraw: WithdrawSheet,
  pane: PaneMenu,
  menu: StationMenu,
  kept: KeptSheet,
};
