// Records as pages hold them, and the events that change them.

/** The id that a reference names, populated or not; null for none. */
export function idOf(reference) {
  return reference?._id ?? reference ?? null;
}

/**
 * A record after an event with a state of it: the newer of both. References that still
 * name the same records stay populated.
 */
export function updated(record, data) {
  if (data.version < record.version) return record;
  const next = { ...record, ...data };
  for (const [name, value] of Object.entries(record)) {
    if (isPopulated(value) && namesSame(value, data[name])) next[name] = value;
  }
  return next;
}

function isPopulated(value) {
  const one = Array.isArray(value) ? value[0] : value;
  return Boolean(one?._id);
}

/** Whether one of the references that a read populates ("customer,material") has another id than before. */
export function lacksPopulated(before, after, names) {
  return names?.split(",").some((name) => idOf(after[name]) !== idOf(before[name]));
}

function namesSame(value, other) {
  if (!Array.isArray(value)) return idOf(value) === idOf(other);
  return (
    Array.isArray(other) &&
    value.length === other.length &&
    value.every((one, index) => idOf(one) === idOf(other[index]))
  );
}

/** Rows with the one that an event names updated, added or, if it is gone, left out. */
export function withChange(rows, { action, data }) {
  if (action === "deleted") return rows.filter(({ _id }) => _id !== data._id);
  const known = rows.some(({ _id }) => _id === data._id);
  if (!known) return [...rows, data];
  return rows.map((row) => (row._id === data._id ? updated(row, data) : row));
}
