// What can be done with a pane, as far as the page can tell; the service decides.
import { CLAIMABLE, NOT_CORRECTABLE, OPEN, PRESENT, TERMINAL, UNIT_CORRECTIONS } from "../../core/pane_flow.js";

/** Whether a claim can be raised for a pane with these claims and remakes. */
export function isClaimable(pane, { claims, remakes }) {
  if (!CLAIMABLE.includes(pane.currentStatus) || pane.laminateRole === "parent") return false;
  return pane.order && !remakes.length && claims.every(({ status }) => status === "rejected");
}

/** Whether status, station and route of a pane can be corrected. */
export function isCorrectable({ currentStatus }) {
  return !NOT_CORRECTABLE.includes(currentStatus);
}

/** The statuses that a correction can give a pane, its present one first. */
export function statusesFor({ currentStatus, laminateRole }) {
  const ofUnit = UNIT_CORRECTIONS[currentStatus];
  if (laminateRole === "parent") return ofUnit ? [currentStatus, ofUnit] : [currentStatus];
  const possible = laminateRole === "sheet" ? OPEN : [...OPEN, ...TERMINAL];
  return [currentStatus, ...possible.filter((one) => one !== currentStatus && !NOT_CORRECTABLE.includes(one))];
}

/** Whether work on a live sheet has begun, as far as its row tells. */
export const isBegun = ({ currentStatus, startedAt }) =>
  OPEN.includes(currentStatus) && (Boolean(startedAt) || currentStatus !== "pending");

/** The sheets of a unit before its lamination: {present, total}; null for another pane. */
export function presence(pane, unit) {
  if (pane.laminateRole === "single" || pane.mergedInto) return null;
  const station = pane.laminateStation?._id ?? pane.laminateStation;
  const present = unit.filter(
    ({ currentStatus, currentStation }) =>
      PRESENT.includes(currentStatus) && (currentStation?._id ?? currentStation) === station,
  );
  return { present: present.length, total: pane.rawGlass.sheetsPerPane };
}
