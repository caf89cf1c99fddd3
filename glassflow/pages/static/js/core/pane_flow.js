// Printed by `flask docs` from glassflow/domain.

/** The statuses of a pane that can be scanned, in the order of the work. */
export const OPEN = ["pending", "in_progress", "awaiting_scan_out"];

/** The statuses that no scan changes. */
export const TERMINAL = ["completed", "claimed", "defected", "merged_into", "cancelled"];

/** The statuses that each action of a scan starts from. */
export const STARTS_FROM = {
  scan_in: ["pending", "in_progress"],
  start: ["pending", "in_progress"],
  complete: ["pending", "in_progress", "awaiting_scan_out"],
  scan_out: ["awaiting_scan_out"],
  qc_pass: ["awaiting_scan_out"],
  qc_fail: ["awaiting_scan_out"],
  laminate: ["pending", "in_progress", "awaiting_scan_out"],
};

/** The status after each action that leaves a pane at its station. */
export const LEADS_TO = {
  scan_in: "in_progress",
  start: "in_progress",
  complete: "awaiting_scan_out",
};

/** The action that takes a pane on, by its status. */
export const NEXT_ACTION = {
  pending: "scan_in",
  in_progress: "complete",
  awaiting_scan_out: "scan_out",
};

/** The actions that hand a pane on. */
export const LEAVING = ["scan_out", "qc_pass"];

/** The statuses of a sheet that can be laminated at its station. */
export const PRESENT = ["in_progress", "awaiting_scan_out"];

/** The statuses that no correction sets or changes. */
export const NOT_CORRECTABLE = ["claimed", "merged_into"];

/** The status that a correction gives the parent of a unit, by its status. */
export const UNIT_CORRECTIONS = {
  pending: "cancelled",
  cancelled: "pending",
};

/** The statuses in which a pane can be claimed. */
export const CLAIMABLE = ["pending", "in_progress", "awaiting_scan_out", "completed"];

/** The statuses of panes that their order does not count. */
export const RETIRED = ["defected", "merged_into", "cancelled"];
