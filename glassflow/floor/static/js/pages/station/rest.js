// What a station needs beyond its first picture and the verdict on a scan: parts.js loads it.
import { ClaimSheet, FailSheet } from "./defect_sheets.js";
import { KeptSheet } from "./kept_sheet.js";
import { PaneMenu, StationMenu } from "./menus.js";
import { WithdrawSheet } from "./withdraw_sheet.js";

export { Drawing } from "../../ui/drawing.js";
export { Choose } from "./choose.js";
export { NoStation } from "./no_station.js";
export { Queue } from "./queue.js";
export { QueueList } from "./queue_list.js";
export { Unit } from "./unit.js";

/** The forms and menus over the page, by their names in flow.js. */
export const SHEETS = {
  fail: FailSheet, claim: ClaimSheet, withdraw: WithdrawSheet, pane: PaneMenu,
  menu: StationMenu, kept: KeptSheet,
};
