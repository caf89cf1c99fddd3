// The values of a form: names with dots lead into the record ("details.quantity").

/** The value at a name of a record, or undefined. */
export function valueAt(record, name) {
  return name.split(".").reduce((value, part) => value?.[part], record);
}

/** A copy of a record with another value at a name. */
export function withValue(record, name, value) {
  const [first, ...rest] = name.split(".");
  const inner = rest.length ? withValue(record?.[first] ?? {}, rest.join("."), value) : value;
  return { ...record, [first]: inner };
}

/** A copy without the values that are not there: absent, null or "", also inside of objects. */
export function withoutEmpty(values) {
  const given = Object.entries(values)
    .map(([name, value]) => [name, isObject(value) ? withoutEmpty(value) : value])
    .filter(([, value]) => (value ?? "") !== "");
  return Object.fromEntries(given);
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** Whether two values are the same JSON; absent, null and "" all mean that there is none. */
export function same(one, other) {
  return JSON.stringify(one ?? "") === JSON.stringify(other ?? "");
}

/**
 * The body that changes `record` into `values`, of the named fields only; null without a
 * change. A field inside an object is sent with the whole object.
 */
export function changes(names, record, values) {
  const roots = names
    .filter((name) => !same(valueAt(record, name), valueAt(values, name)))
    .map((name) => name.split(".")[0]);
  if (!roots.length) return null;
  return Object.fromEntries([...new Set(roots)].map((root) => [root, values[root] ?? null]));
}

/** The fields, of those named, in which `theirs` differs from `base`. */
export function changedBySomebody(names, base, theirs) {
  return names.filter((name) => !same(valueAt(base, name), valueAt(theirs, name)));
}

/** A copy of a record with the values of another one in the named fields. */
export function withFields(names, record, other) {
  return names.reduce((all, name) => withValue(all, name, valueAt(other, name)), record);
}

/** The newer state of a record with what was typed into the named fields since `base`. */
export function rebased(names, base, values, record) {
  return withFields(changedBySomebody(names, base, values), record, values);
}

/**
 * What a form begins with: {base, values}, where `values` were changed from `base`. A draft is
 * such a pair, of the named fields; the record may be newer than its base, which has a version
 * for that. Without one the record is new, and the draft is what was changed alone: the rest may
 * have another start by now.
 */
export function begun(names, record, draft) {
  if (!draft?.base) return { base: record, values: { ...record, ...draft?.values } };
  return {
    base: withFields([...names, "version"], record, draft.base),
    values: withFields(names, record, draft.values),
  };
}

/**
 * The faults of an answer by the name of a field: {name: [message]}; those of no field are
 * under "". A fault inside a field ("panes.0.holes") belongs to the field.
 */
export function faultsByField(faults, names) {
  const found = {};
  for (const { field = "", message } of faults) {
    const name = names.find((one) => field === one || field.startsWith(`${one}.`)) ?? "";
    const text = name || !field ? message : `${field}: ${message}`;
    (found[name] ??= []).push(text);
  }
  return found;
}
