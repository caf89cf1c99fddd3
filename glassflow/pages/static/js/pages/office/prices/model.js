// The price list as tables that are typed into, and what two people changed in it at once.
//
// A list is compared as its cells, a Map of values by path: ["holePriceEach"],
// ["edgeRates", profile], ["glassPrices", glass type, thickness, column].
import { numberOf } from "../../../ui/grid_paste.js";

export const AMOUNTS = ["holePriceEach", "notchPrice", "minimumArea"];
export const COLUMNS = ["pricePerSqFt", "rough", "polished"];

const pathOf = (...names) => JSON.stringify(names);

/** The cells of a price list of the API. */
export function cellsOf(list) {
  const cells = new Map(AMOUNTS.map((name) => [pathOf(name), list[name]]));
  for (const [profile, rate] of Object.entries(list.edgeRates)) cells.set(pathOf("edgeRates", profile), rate);
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

/** An empty row of the table of glass or of edges. */
export const newRow = (previous) => ({ key: newKey(), type: previous?.type ?? "" });
export const newEdge = () => ({ key: newKey() });

/** The tables of cells: {amounts, glass, edges}, with what is typed as texts. */
export function tablesOf(cells) {
  const tables = { amounts: {}, glass: [], edges: [] };
  const rows = new Map();
  for (const [path, value] of cells) {
    const [part, first, thickness, column] = JSON.parse(path);
    if (part === "edgeRates") tables.edges.push({ key: newKey(), profile: first, rate: String(value ?? "") });
    else if (part === "glassPrices") {
      const name = pathOf(first, thickness);
      if (!rows.has(name)) rows.set(name, { key: newKey(), type: first, thickness });
      rows.get(name)[column] = String(value);
    } else tables.amounts[part] = String(value ?? "");
  }
  tables.glass = [...rows.values()];
  return tables;
}

const rowsOf =
  (change) =>
  ({ amounts, glass, edges }) => ({ amounts, glass: change(glass), edges: change(edges) });

/** Tables as a draft keeps them, without the keys of their rows and without blank rows. */
export const bare = ({ amounts, glass, edges }) =>
  rowsOf((rows) => rows.map(({ key, ...row }) => row))({
    amounts,
    glass: glass.filter((row) => !isBlankGlass(row)),
    edges: edges.filter((row) => !isBlankEdge(row)),
  });

/** Such tables again, with keys that no other row of the page has. */
export const withKeys = rowsOf((rows) => rows.map((row) => ({ ...row, key: newKey() })));

/** Whether something was typed into the tables of a list, also what cannot be sent. */
export function isTyped(tables, list) {
  const { whole, loose } = parted(tables);
  const [typed, stored] = [typedCells(whole), cellsOf(list)];
  return (
    loose.glass.some((row) => !isBlankGlass(row)) ||
    loose.edges.some((row) => !isBlankEdge(row)) ||
    paths(typed, stored).some((path) => (typed.get(path) ?? null) !== (stored.get(path) ?? null))
  );
}

const isEmpty = (row, names) => names.every((name) => !String(row[name] ?? "").trim());
export const isBlankGlass = (row) => isEmpty(row, ["thickness", ...COLUMNS]);
export const isBlankEdge = (row) => isEmpty(row, ["profile", "rate"]);

const text = (value) => String(value ?? "").trim();

/** The cells that tables say; what is no number stays a text. */
export function typedCells({ amounts, glass, edges }) {
  const cells = new Map(AMOUNTS.map((name) => [pathOf(name), numberOf(amounts[name])]));
  for (const row of edges.filter((one) => !isBlankEdge(one)))
    cells.set(pathOf("edgeRates", text(row.profile)), numberOf(row.rate));
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
 * "number" (none, or below 0) or "twice". `needed` are the amounts that must have a value.
 */
export function faultsIn({ amounts, glass, edges }, needed = AMOUNTS) {
  const faults = {};
  const add = (key, column, code) => code && ((faults[key] ??= {})[column] ??= code);
  const wrong = (value) => (typeof value !== "number" || value < 0 ? "number" : null);
  const amount = (value, isNeeded) => (numberOf(value) === null ? isNeeded && "missing" : wrong(numberOf(value)));
  for (const name of AMOUNTS) add(name, name, amount(amounts[name], needed.includes(name)));
  const named = new Set();
  const once = (name) => named.size === named.add(name).size && "twice";
  for (const row of edges.filter((one) => !isBlankEdge(one))) {
    add(row.key, "profile", text(row.profile) ? once(pathOf("edge", text(row.profile))) : "missing");
    add(row.key, "rate", amount(row.rate, true));
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
  if (part !== "edgeRates" && part !== "glassPrices") return cells.get(pathOf(part));
  const found = {};
  for (const [path, value] of cells) {
    const [name, first, thickness, column] = JSON.parse(path);
    if (name !== part) continue;
    if (part === "edgeRates") found[first] = value;
    else if (column === "pricePerSqFt") ((found[first] ??= {})[thickness] ??= {}).pricePerSqFt = value;
    else (((found[first] ??= {})[thickness] ??= {}).grindingRate ??= {})[column] = value;
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
const EDGES = { nameOf: ({ profile }) => [text(profile)], columns: ["rate"] };

/**
 * Tables as {whole, loose}: whole rows say cells, each of another glass or edge. Loose ones are
 * half typed, or name what an earlier row names; they are tables without amounts.
 */
function parted({ amounts, glass, edges }) {
  const [ofGlass, ofEdges] = [partedRows(glass, GLASS), partedRows(edges, EDGES)];
  return {
    whole: { amounts, glass: ofGlass.whole, edges: ofEdges.whole },
    loose: { glass: ofGlass.loose, edges: ofEdges.loose },
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
    edges: rejoined(tables.edges, loose.edges, next.edges, EDGES),
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
