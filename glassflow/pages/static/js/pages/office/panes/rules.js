// What can be done with a pane, as far as the page can tell; the service decides.

/** The statuses of a pane that is on its way. */
export const OPEN = ["pending", "in_progress", "awaiting_scan_out"];
const NOT_CORRECTED = ["merged_into", "claimed"];
const PRESENT = ["in_progress", "awaiting_scan_out"];
const LOST = ["defected", "cancelled", "claimed"];

/** Whether a claim can be raised for a pane with these claims and remakes. */
export function isClaimable(pane, { claims, remakes }) {
  if (![...OPEN, "completed"].includes(pane.currentStatus) || pane.laminateRole === "parent") return false;
  return pane.order && !remakes.length && claims.every(({ status }) => status === "rejected");
}

/** Whether status, station and route of a pane can be corrected. */
export function isCorrectable({ currentStatus }) {
  return !NOT_CORRECTED.includes(currentStatus);
}

/** The statuses that a correction can give a pane, its present one first. */
export function statusesFor({ currentStatus, laminateRole }) {
  if (laminateRole === "parent") return [currentStatus];
  const possible = laminateRole === "sheet" ? OPEN : [...OPEN, "completed", "defected", "cancelled"];
  return [currentStatus, ...possible.filter((one) => one !== currentStatus)];
}

/** The sheets of a unit before its lamination: {present, total}; null for another pane. */
export function presence(pane, unit) {
  if (pane.laminateRole === "single" || pane.mergedInto) return null;
  const station = pane.laminateStation?._id ?? pane.laminateStation;
  const live = unit.filter(({ currentStatus }) => !LOST.includes(currentStatus));
  const present = live.filter(
    ({ currentStatus, currentStation }) =>
      PRESENT.includes(currentStatus) && (currentStation?._id ?? currentStation) === station,
  );
  return { present: present.length, total: pane.rawGlass.sheetsPerPane };
}
