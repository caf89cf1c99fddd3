// The price list as tables that are typed into, and what two people changed in it at once.
//
// A list is compared as its cells, a Map of values by path: ["holePriceEach"],
// ["laminationRates", "perFilm"], ["glassPrices", glass type, thickness, column], and of a table
// of two columns ["edgeRates", profile].
import { numberOf } from "../../../ui/numbers.js";

/** The single amounts, in the order in which they are shown. */
export const AMOUNTS = [
  "holePriceEach",
  "notchPrice",
  "perSheet",
  "perFilm",
  "minimumArea",
  "minimumEdge",
  "minimumCharge",
  "sideStepInch",
  "areaStep",
  "rushPercent",
  "vatPercent",
];
const OF_LAMINATION = ["perSheet", "perFilm"];
export const COLUMNS = ["pricePerSqFt", "rough", "polished"];
/** The tables of two columns by the part of the list; one `isList` has an array of its rows. */
export const TABLES = {
  temperingRates: { name: "thickness", value: "rate" },
  processRates: { name: "process", value: "rate" },
  edgeRates: { name: "profile", value: "rate" },
  oversize: { name: "fromSqFt", value: "percent", isList: true },
  quantityBreaks: { name: "fromQuantity", value: "percent", isList: true, least: -100 },
};
const PARTS = Object.keys(TABLES);
/** The tables of two columns that a price list has. */
export const partsOf = (list) => PARTS.filter((part) => list[part]);

const pathOf = (...names) => JSON.stringify(names);
const amountPath = (name) => (OF_LAMINATION.includes(name) ? pathOf("laminationRates", name) : pathOf(name));

/** The cells of a price list of the API; that of some customers has not all of the parts. */
export function cellsOf(list) {
  const amounts = { ...list, ...list.laminationRates };
  const cells = new Map(AMOUNTS.map((name) => [amountPath(name), amounts[name] ?? null]));
  for (const part of partsOf(list)) {
    const { name, value, isList } = TABLES[part];
    const rows = isList ? list[part].map((row) => [row[name], row[value]]) : Object.entries(list[part]);
    for (const [first, amount] of rows) cells.set(pathOf(part, first), amount);
  }
  for (const [type, rows] of Object.entries(list.glassPrices)) {
    for (const [thickness, { pricePerSqFt, grindingRate: rate }] of Object.entries(rows)) {
      const grinding = typeof rate === "object" ? (rate ?? {}) : { rough: rate, polished: rate };
      const values = { pricePerSqFt, ...grinding };
      for (const column of COLUMNS)
        if ((values[column] ?? null) !== null)
          cells.set(pathOf("glassPrices", type, thickness, column), values[column]);
    }
  }
  return cells;
}

let keys = 0;
const newKey = () => `row ${(keys += 1)}`;

/** An empty row of the table of glass, or of one of two columns. */
export const newRow = (previous) => ({ key: newKey(), type: previous?.type ?? "" });
export const newPair = () => ({ key: newKey() });

const forEachPart = (make) => Object.fromEntries(PARTS.map((part) => [part, make(part)]));

/** The tables of cells: {amounts, glass} and those of `TABLES`, with what is typed as texts. */
export function tablesOf(cells) {
  const tables = { amounts: {}, glass: [], ...forEachPart(() => []) };
  const rows = new Map();
  for (const [path, value] of cells) {
    const [part, first, thickness, column] = JSON.parse(path);
    const table = TABLES[part];
    if (table) tables[part].push({ key: newKey(), [table.name]: String(first), [table.value]: String(value ?? "") });
    else if (part === "glassPrices") {
      const name = pathOf(first, thickness);
      if (!rows.has(name)) rows.set(name, { key: newKey(), type: first, thickness });
      rows.get(name)[column] = String(value);
    } else tables.amounts[first ?? part] = String(value ?? "");
  }
  tables.glass = [...rows.values()];
  return tables;
}

const rowsOf =
  (change) =>
  ({ amounts, glass, ...others }) => ({
    amounts,
    glass: change(glass),
    ...forEachPart((part) => change(others[part] ?? [])), // none in a draft of an earlier release
  });

/** Tables as a draft keeps them, without the keys of their rows and without blank rows. */
export const bare = ({ amounts, glass, ...others }) =>
  rowsOf((rows) => rows.map(({ key, ...row }) => row))({
    amounts,
    glass: glass.filter((row) => !isBlankGlass(row)),
    ...forEachPart((part) => others[part].filter((row) => !isBlankPair(part)(row))),
  });

/** Such tables again, with keys that no other row of the page has. */
export const withKeys = rowsOf((rows) => rows.map((row) => ({ ...row, key: newKey() })));

/** Whether something was typed into the tables of a list, also what cannot be sent. */
export function isTyped(tables, list) {
  const { whole, loose } = parted(tables);
  const [typed, stored] = [typedCells(whole), cellsOf(list)];
  return (
    loose.glass.some((row) => !isBlankGlass(row)) ||
    PARTS.some((part) => loose[part].some((row) => !isBlankPair(part)(row))) ||
    paths(typed, stored).some((path) => (typed.get(path) ?? null) !== (stored.get(path) ?? null))
  );
}

const isEmpty = (row, names) => names.every((name) => !String(row[name] ?? "").trim());
export const isBlankGlass = (row) => isEmpty(row, ["thickness", ...COLUMNS]);
export const isBlankPair = (part) => (row) => isEmpty(row, [TABLES[part].name, TABLES[part].value]);

const text = (value) => String(value ?? "").trim();

/** What the first column of a row says; a number in a table whose rows begin at one. */
function nameIn(part, row) {
  const { name, isList } = TABLES[part];
  return isList ? (numberOf(row[name]) ?? "") : text(row[name]);
}

/** The cells that tables say; what is no number stays a text. */
export function typedCells({ amounts, glass, ...others }) {
  const cells = new Map(AMOUNTS.map((name) => [amountPath(name), numberOf(amounts[name])]));
  for (const part of PARTS)
    for (const row of others[part].filter((one) => !isBlankPair(part)(one)))
      cells.set(pathOf(part, nameIn(part, row)), numberOf(row[TABLES[part].value]));
  for (const row of glass.filter((one) => !isBlankGlass(one))) {
    for (const column of COLUMNS) {
      const value = numberOf(row[column]);
      if (value !== null) cells.set(pathOf("glassPrices", text(row.type), text(row.thickness), column), value);
    }
  }
  return cells;
}

/**
 * What cannot be sent, as {row key or name of an amount: {column: code}}: "missing",
 * "number" (none, or below 0), "percent" (none, or below -100) or "twice". `needed` are the amounts
 * that must have a value.
 */
export function faultsIn({ amounts, glass, ...others }, needed = AMOUNTS) {
  const faults = {};
  const add = (key, column, code) => code && ((faults[key] ??= {})[column] ??= code);
  const wrong = (value, least) => (typeof value !== "number" || value < least ? (least ? "percent" : "number") : null);
  const amount = (value, isNeeded, least = 0) =>
    numberOf(value) === null ? isNeeded && "missing" : wrong(numberOf(value), least);
  for (const name of AMOUNTS) add(name, name, amount(amounts[name], needed.includes(name)));
  const named = new Set();
  const once = (name) => named.size === named.add(name).size && "twice";
  for (const [part, { name, value, isList, least }] of Object.entries(TABLES)) {
    for (const row of others[part].filter((one) => !isBlankPair(part)(one))) {
      if (isList) add(row.key, name, amount(row[name], true));
      add(row.key, name, text(row[name]) ? once(pathOf(part, nameIn(part, row))) : "missing");
      add(row.key, value, amount(row[value], true, least));
    }
  }
  for (const row of glass.filter((one) => !isBlankGlass(one))) {
    add(row.key, "type", !text(row.type) && "missing");
    add(row.key, "thickness", text(row.thickness) ? once(pathOf(text(row.type), text(row.thickness))) : "missing");
    const ground = !isEmpty(row, ["rough", "polished"]); // one rate needs the other
    add(row.key, "pricePerSqFt", amount(row.pricePerSqFt, true));
    for (const column of ["rough", "polished"]) add(row.key, column, amount(row[column], ground));
  }
  return faults;
}

/** The parts of the price list that hold cells which differ from `base`, as the API takes them. */
export function changedParts(base, cells, list) {
  const changed = paths(base, cells).filter((path) => base.get(path) !== cells.get(path));
  const parts = new Set(changed.map((path) => JSON.parse(path)[0]));
  return Object.fromEntries([...parts].map((part) => [part, partOf(part, cells, list)]));
}

function partOf(part, cells, list) {
  if (cells.has(pathOf(part))) return cells.get(pathOf(part));
  const table = TABLES[part];
  const found = {};
  for (const [path, value] of cells) {
    const [name, first, thickness, column] = JSON.parse(path);
    if (name !== part) continue;
    if (part !== "glassPrices") found[first] = value;
    else if (column === "pricePerSqFt") ((found[first] ??= {})[thickness] ??= {}).pricePerSqFt = value;
    else (((found[first] ??= {})[thickness] ??= {}).grindingRate ??= {})[column] = value;
  }
  if (table?.isList) {
    const rows = Object.entries(found).map(([first, value]) => ({ [table.name]: Number(first), [table.value]: value }));
    return rows.sort((one, other) => one[table.name] - other[table.name]);
  }
  return part === "glassPrices" ? withSingleRates(found, list.glassPrices) : found;
}

// A rate that was one number for both finishes stays one while both are the same.
function withSingleRates(rows, before) {
  for (const [type, ofType] of Object.entries(rows)) {
    for (const [thickness, row] of Object.entries(ofType)) {
      const was = before[type]?.[thickness]?.grindingRate;
      const { rough, polished } = row.grindingRate ?? {};
      if (typeof was === "number" && rough === polished && rough !== undefined) row.grindingRate = rough;
    }
  }
  return rows;
}

const paths = (...all) => [...new Set(all.flatMap((cells) => [...cells.keys()]))];

/**
 * What `mine` and `theirs` make of `base`: {cells, collisions}. A cell that one of them
 * changed has that value; the paths of `collisions` were changed by both, differently, and
 * have mine.
 */
export function merged(base, mine, theirs) {
  const cells = new Map();
  const collisions = [];
  for (const path of paths(theirs, mine)) {
    const [was, own, other] = [base, mine, theirs].map((one) => one.get(path));
    const isTheirs = own === was;
    if (!isTheirs && other !== was && own !== other) collisions.push(path);
    const value = isTheirs ? other : own;
    if (value !== undefined) cells.set(path, value);
  }
  return { cells, collisions };
}

const GLASS = { nameOf: ({ type, thickness }) => [text(type), text(thickness)], columns: COLUMNS };
const pair = (part) => ({ nameOf: (row) => [String(nameIn(part, row))], columns: [TABLES[part].value] });

/**
 * Tables as {whole, loose}: whole rows say cells, each of another glass, edge and so on. Loose
 * ones are half typed, or name what an earlier row names; they are tables without amounts.
 */
function parted({ amounts, glass, ...others }) {
  const ofGlass = partedRows(glass, GLASS);
  const found = forEachPart((part) => partedRows(others[part], pair(part)));
  return {
    whole: { amounts, glass: ofGlass.whole, ...forEachPart((part) => found[part].whole) },
    loose: { glass: ofGlass.loose, ...forEachPart((part) => found[part].loose) },
  };
}

function partedRows(rows, { nameOf, columns }) {
  const [parts, named] = [{ whole: [], loose: [] }, new Set()];
  for (const row of rows) {
    const names = nameOf(row);
    const isWhole = names.every(Boolean) && !isEmpty(row, columns) && !named.has(pathOf(...names));
    if (isWhole) named.add(pathOf(...names));
    parts[isWhole ? "whole" : "loose"].push(row);
  }
  return parts;
}

/**
 * Tables after their cells were changed by `change(cells)`, which returns the next ones: rows
 * keep their places and keys, and what was typed as long as it means the same; those that
 * are half typed stay as they are.
 */
export function withCells(tables, change) {
  const { whole, loose } = parted(tables);
  const next = tablesOf(change(typedCells(whole)));
  const amounts = Object.fromEntries(
    Object.entries(next.amounts).map(([name, value]) => [name, asTyped(tables.amounts[name], value)]),
  );
  return {
    amounts,
    glass: rejoined(tables.glass, loose.glass, next.glass, GLASS),
    ...forEachPart((part) => rejoined(tables[part], loose[part], next[part], pair(part))),
  };
}

const asTyped = (typed, value) => (numberOf(typed) === numberOf(value) ? typed : value);

function rejoined(before, loose, next, { nameOf, columns }) {
  const found = new Map(next.map((row) => [pathOf(...nameOf(row)), row]));
  const rows = before.flatMap((row) => {
    const name = pathOf(...nameOf(row));
    const same = found.get(name);
    if (!same) return loose.includes(row) ? [row] : [];
    if (loose.includes(row) && !isEmpty(row, columns)) return [row]; // named twice
    found.delete(name);
    return [{ ...row, ...Object.fromEntries(columns.map((column) => [column, asTyped(row[column], same[column])])) }];
  });
  return [...rows, ...found.values()];
}

/**
 * Tables that were typed from the list `base`, on the list `newest`: {tables, collisions}, where
 * `collisions` are {path, mine, theirs} of cells that somebody else has changed as well, and
 * `tables` have mine. `sent` are the cells that were saved from here, if they were: those are
 * nobody else's. `undecided` are the collisions of an earlier list, which stay where the two
 * values still differ.
 */
export function adopted(base, tables, newest, sent = new Map(), undecided = []) {
  const [was, theirs] = [cellsOf(base), cellsOf(newest)];
  for (const path of paths(was, sent))
    if (sent.size && sent.get(path) === theirs.get(path)) was.set(path, theirs.get(path));
  /** @type {ReturnType<typeof merged>} */
  let found;
  const next = withCells(tables, (mine) => {
    found = merged(was, mine, theirs);
    return found.cells;
  });
  const open = undecided.map(({ path }) => path).filter((path) => found.cells.get(path) !== theirs.get(path));
  const collisions = [...new Set([...open, ...found.collisions])].map((path) => ({
    path,
    mine: found.cells.get(path),
    theirs: theirs.get(path),
  }));
  return { tables: next, collisions };
}
