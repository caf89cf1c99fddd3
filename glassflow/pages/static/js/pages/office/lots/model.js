// The stock as the page shows it: materials with their lots, changed by events of lots.

const DECIMALS = 6; // of quantities, as the service rounds them

/** A sum without the drift of floats. */
export function sum(quantities) {
  const total = quantities.reduce((all, one) => all + one, 0);
  return Number(total.toFixed(DECIMALS));
}

/** Whether a lot, or what is typed of one, is a remnant: one sheet that was left of another. */
export const isRemnant = ({ stockType, dimensions }) =>
  stockType === "Reuse" && (dimensions?.width > 0 || dimensions?.height > 0);

/** Whether a lot is one sheet with a label, which is moved whole and keeps its number. */
export const isOneSheet = (lot) => isRemnant(lot) || lot.defects?.length > 0;

/** The lots that an event of the stock names: one, or both lots of a move. */
export function lotsOf({ data }) {
  return data?.source ? [data.source, data.target] : data ? [data] : [];
}

/** The materials after an event of lots; the same array where it concerns none of them. */
export function withEvent(rows, { action, data }) {
  const changed = lotsOf({ data });
  return changed.reduce((all, lot) => withLot(all, lot, action === "deleted"), rows);
}

function withLot(rows, lot, isGone) {
  const known = rows.find(({ lots }) => lots.some(({ _id }) => _id === lot._id));
  const before = known?.lots.find(({ _id }) => _id === lot._id);
  if (before && lot.version < before.version) return rows;
  const isHere = ({ _id }) => _id === lot.material;
  if (!known && !rows.some(isHere)) return rows;
  return rows.map((row) => {
    if (row !== known && !isHere(row)) return row;
    const others = row.lots.filter(({ _id }) => _id !== lot._id);
    const stays = isHere(row) && !isGone && lot.quantity > 0;
    return counted({ ...row, lots: stays ? placed(row.lots, others, lot) : others });
  });
}

// A lot keeps its place; a new one is the youngest.
function placed(before, others, lot) {
  const at = before.findIndex(({ _id }) => _id === lot._id);
  return at < 0 ? [...others, lot] : [...others.slice(0, at), lot, ...others.slice(at)];
}

/** A material with the sum of its active lots, as the service adds them up. */
export function counted(row) {
  const quantity = sum(row.lots.filter(({ isActive }) => isActive).map((lot) => lot.quantity));
  return { ...row, quantity, isLow: row.isActive && quantity < row.reorderPoint };
}

/** The materials after an event of one; undefined: its place has to be asked for. */
export function withMaterial(rows, { action, data }) {
  const row = rows.find(({ _id }) => _id === data?._id);
  if (!row || action === "deleted") return undefined;
  if (data.version < row.version) return rows;
  return rows.map((one) => (one === row ? counted({ ...row, ...data }) : one));
}
