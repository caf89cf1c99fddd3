// What a device without network takes a pane for, until the service says.
import { LEADS_TO, NEXT_ACTION, OPEN } from "../../core/pane_flow.js";

/** The status after each action that leaves a pane at this station. */
export const STAYS = { ...LEADS_TO, move_here: LEADS_TO.scan_in };

/**
 * The pane as it will be after the kept scans of it: {pane, next, passes, allowed}. `pane` is what
 * the device knows of it, or undefined; `waiting` are the scans that are not sent yet, as
 * {number, action}. At a lamination station a sheet waits for the others there.
 */
export function assume(number, pane, waiting, laminates) {
  const actions = waiting.filter((one) => one.number === number).map((one) => one.action);
  const known = pane || actions.length > 0;
  let status = pane?.currentStatus;
  for (const action of actions) status = STAYS[action] ?? "left";
  const shown = { ...pane, paneNumber: number, currentStatus: status };
  if (!known) {
    const [first, ...allowed] = Object.values(NEXT_ACTION);
    return { pane: shown, next: first, allowed: [...allowed, "qc_fail"] };
  }
  const stays = laminates && pane?.laminateRole === "sheet";
  const next = stays && status === "awaiting_scan_out" ? null : (NEXT_ACTION[status] ?? null);
  return { pane: shown, next, passes: !stays, allowed: OPEN.includes(status) ? ["qc_fail"] : [] };
}
