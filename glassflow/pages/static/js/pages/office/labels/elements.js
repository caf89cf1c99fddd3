// The elements of a label template: new ones, copies, their order, and what they show. Lists
// and elements are never changed in place. Without a page.
import { isDrawn, moved, rounded } from "./geometry.js";

const VARIABLE = /\{\{\s*([\w.-]{1,80})\s*\}\}/g;
const MARGIN_MM = 2;
const BESIDE_MM = 2; // how far a copy is from its original

const KINDS = {
  text: { width: 30, height: 6, fontSize: 10 },
  qr: { width: 20, height: 20, content: "{{qrCode}}" },
  barcode: { width: 54, height: 10, content: "{{paneNumber}}" },
  rect: { width: 20, height: 10, thickness: 0.3 },
  line: { width: 30, height: 0.3 },
};

/** A new element of a kind in the middle of a label, beside those that are there already. */
export function newElement(kind, elements, label, given = {}) {
  const element = { id: freeId(elements, kind), type: kind, ...KINDS[kind], content: "", ...KINDS[kind], ...given };
  const most = (size) => Math.max(1, size - 2 * MARGIN_MM);
  element.width = Math.min(element.width, most(label.width));
  element.height = Math.min(element.height, most(label.height));
  if (kind === "qr") element.width = element.height = Math.min(element.width, element.height);
  element.x = Math.round((label.width - element.width) / 2);
  element.y = Math.round((label.height - element.height) / 2);
  while (elements.some((one) => one?.x === element.x && one?.y === element.y)) {
    element.x += BESIDE_MM;
    element.y += BESIDE_MM;
  }
  return element;
}

function freeId(elements, kind) {
  const taken = new Set(elements.map((one) => one?.id));
  let number = 1;
  while (taken.has(`${kind}-${number}`)) number += 1;
  return `${kind}-${number}`;
}

/** The elements with a copy of one on top, a little beside it. */
export function withCopy(elements, index, label) {
  const original = elements[index];
  const copy = { ...original, id: freeId(elements, original.type) };
  return [...elements, moved(copy, label, BESIDE_MM, BESIDE_MM)];
}

/** The elements without one. */
export const without = (elements, index) => elements.filter((_, at) => at !== index);

/** The elements with another one in place of one. */
export const replaced = (elements, index, element) => elements.map((one, at) => (at === index ? element : one));

/** The elements with one further to the front (`by` 1) or to the back (-1), or as they are. */
export function restacked(elements, index, by) {
  const to = index + by;
  if (to < 0 || to >= elements.length) return elements;
  const next = without(elements, index);
  next.splice(to, 0, elements[index]);
  return next;
}

/** Where designers of other programs read the content of an element. */
const SECOND_NAMES = { text: "text", qr: "value", barcode: "value" };

/**
 * The elements as they are stored: each has a `content`, by which the service tells them from
 * those of another program, whose lengths are pixels; and what the designers of such programs
 * fail without. The service does the same (`in_both_forms`), and reads what they have changed.
 */
export const stored = (elements) => elements.map((one) => (isObject(one) ? inBothForms(one) : one));

function inBothForms(one) {
  const found = { ...one, content: one.content === undefined ? "" : one.content };
  const name = SECOND_NAMES[one.type];
  if (name && ["string", "number"].includes(typeof found.content)) found[name] = String(found.content);
  if (one.type === "line" && (one.points ?? []).every?.(isPair)) found.points = flatPoints(one);
  return found;
}

const isPair = (point) => Array.isArray(point) && point.length === 2 && point.every(Number.isFinite);

/** The points of a line as [x, y, x, y] from its corner. */
function flatPoints({ x = 0, y = 0, width = 0, height = 0, points }) {
  if (points?.length) return points.flatMap(([left, top]) => [rounded(left - x), rounded(top - y)]);
  return width >= height
    ? [0, rounded(height / 2), width, rounded(height / 2)]
    : [rounded(width / 2), 0, rounded(width / 2), height];
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** The values of fields by all their names: `fields` is [{name, value, aliases}]. */
export function valuesOf(fields) {
  return new Map(fields.flatMap(({ name, value, aliases }) => [name, ...aliases].map((one) => [one, value])));
}

/** A content with its variables filled in; itself where nothing would be left of it. */
export function filled(content, values) {
  const text = String(content ?? "").replace(VARIABLE, (whole, name) => values.get(name) ?? whole);
  return text.trim() ? text : String(content ?? "");
}

/** A content in words: a variable by the name that `nameOf(field)` gives it. */
export function inWords(content, fields, nameOf) {
  const names = new Map(fields.flatMap(({ name, aliases }) => [name, ...aliases].map((one) => [one, name])));
  return String(content ?? "").replace(VARIABLE, (whole, name) =>
    names.has(name) ? `‹${nameOf(names.get(name))}›` : whole,
  );
}

/** The faults and warnings of a preview that belong to one element, by its place or its id. */
export function troublesOf({ faults, warnings }, element, index) {
  const name = String(element?.id || index);
  return {
    faults: faults.filter(({ field }) => field === `elements.${index}` || field.startsWith(`elements.${index}.`)),
    warnings: warnings.filter((one) => one.element === name && isDrawn(element)),
  };
}

/** A length for people: at most two decimals. */
export const shownMm = (value) => String(rounded(Number.isFinite(value) ? value : 0));
