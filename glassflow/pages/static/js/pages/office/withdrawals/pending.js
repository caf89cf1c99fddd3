// The withdrawals that wait for a decision, the oldest first: as many as are shown, and how many
// there are.
import { withChange } from "../../../core/records.js";

/** {rows, total} after an event of a withdrawal; `readAgain` where others are shown, or counted, now. */
export function afterEvent({ rows, total }, payload, readAgain) {
  const { data, action } = payload;
  const isPending = action !== "deleted" && data.status === "pending";
  const known = rows.some(({ _id }) => _id === data._id);
  // for the names of what it refers to, or for the next one, which was not shown
  if (isPending || total > rows.length) readAgain();
  if (isPending) return { rows: known ? withChange(rows, payload) : rows, total };
  return known ? { rows: rows.filter(({ _id }) => _id !== data._id), total: total - 1 } : { rows, total };
}
