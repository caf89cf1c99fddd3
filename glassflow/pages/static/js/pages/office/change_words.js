// Changes of a record in the words of its page.
import { dateTime, hasText, number, t, textOr } from "../../core/i18n.js";
import { roleName } from "../../core/role_names.js";
import { nameOf } from "../../core/station_names.js";
import { stationOf } from "../../core/stations.js";
import { dayOffWord, spanWord, weekday, WEEKDAYS } from "./hours_words.js";
import { signed } from "./money.js";

const NAMES = [
  "orderNumber",
  "paneNumber",
  "requestNumber",
  "claimNumber",
  "inventoryNumber",
  "withdrawalNumber",
  "callNumber",
  "rackNumber",
  "name",
];
/** The texts that have words for the values of a field. */
const GROUPS = {
  status: ["status", "stationsstate", "billingstatus", "paymentstatus", "callsstatus"],
  way: ["paymentway"],
  kind: ["callskind"],
  ending: ["callsending"],
  currentStatus: ["status"],
  colorId: ["stationscolor"],
  stockType: ["stocktype"],
  defectCode: ["defect"],
  source: ["claimssource"],
  laminateRole: ["panesrole"],
  decision: ["claims"],
};
// each change says when and by whom; the periods of working hours are earlier changes
const SAID_BESIDE = ["createdAt", "updatedBy", "exportState", "periods"];
const TIMES = { exported: "at" }; // the objects of which the time is named
const COUNTED_FROM_ZERO = ["routeIndex", "currentStationIndex"];
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const ID = /^[0-9a-f]{24}$/;
const MOST_ITEMS = 6;
const MOST_LETTERS = 160;

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isNested = (value) => isObject(value) && !value._id; // not a record
const isUnset = (value) => value === null || value === undefined || value === "";
const differ = (one, other) => JSON.stringify(one) !== JSON.stringify(other);
const spaced = (name) => name.replace(/([A-Z])/g, " $1").toLowerCase();

/** What happened: the word for an action of the history. */
export function actionWord(action) {
  return textOr(`historyaction.${action}`, action);
}

/** What of the hidden fields has a word, such as the password; of the others nothing is said. */
export function hiddenWords(names) {
  const words = names.filter((name) => hasText(`historyhidden.${name}`)).map((name) => t(`historyhidden.${name}`));
  return [...new Set(words)].join(", ");
}

/**
 * The changes as rows {names, from, to}: of objects the members that differ, so that a new
 * width does not repeat the height. `names` lead to the value. A row of a long list has what
 * was taken out of it and put into it, and `isPart`.
 */
export function differences(changes) {
  const told = changes.filter(({ field }) => !SAID_BESIDE.includes(field));
  const timeOf = (field, value) => (TIMES[field] ? (value?.[TIMES[field]] ?? null) : value);
  return told.flatMap(({ field, from, to }) => rowsOf([field], timeOf(field, from), timeOf(field, to)));
}

function rowsOf(names, from, to) {
  const sides = [from, to].filter((one) => !isUnset(one));
  if (sides.length === 2 && sides.every(Array.isArray)) return [partsOf(names, from, to)];
  if (!sides.length || !sides.every(isNested)) return [{ names, from, to }];
  return [...new Set(sides.flatMap(Object.keys))]
    .filter((member) => differ(from?.[member] ?? null, to?.[member] ?? null))
    .flatMap((member) => rowsOf([...names, member], from?.[member] ?? null, to?.[member] ?? null));
}

function partsOf(names, from, to) {
  const without = (list, other) => list.filter((one) => other.every((another) => differ(one, another)));
  const [removed, added] = [without(from, to), without(to, from)];
  if (["changes", "daysOff"].includes(names[0])) return { names, from: removed, to: added, isPart: true };
  const isLong = Math.max(from.length, to.length) > MOST_ITEMS;
  if (!isLong || [...removed, ...added].some(isNested) || !(removed.length + added.length)) return { names, from, to };
  return { names, from: removed, to: added, isPart: true };
}

/** The label of a value: the one of the page's form, else the words of the names that lead to it. */
export function labelOf(names, fields) {
  const path = names.join(".");
  const own = (name) => fields.find((field) => field.name === name)?.label;
  return (
    own(path) ?? [own(names[0]) ?? fieldWord(names[0], spaced(names[0])), ...names.slice(1).map(keyWord)].join(" · ")
  );
}

const fieldWord = (name, other) => textOr(`field.${name}`, other);

/** A name inside a value: of a member, a station, or what somebody has typed, such as a kind of glass. */
function keyWord(name) {
  if (ID.test(name)) return idWord(name);
  return WEEKDAYS.includes(name) ? weekday(name) : fieldWord(name, name);
}

/**
 * A value in words: the label of an option, a name, a time, a number. `names` lead to it; of
 * a list, `isPart` says that all its items are named.
 */
export function valueWord(names, value, fields, isPart = false) {
  const name = names.at(-1);
  if (isUnset(value)) return names[0] === "stationBreakdown" ? number(0) : t("history.empty");
  const option = fields.find((field) => field.name === names.join("."))?.options?.find((one) => one.value === value);
  if (option) return option.label;
  if (typeof value === "boolean") return t(value ? "history.yes" : "history.no");
  if (typeof value === "number") return number(COUNTED_FROM_ZERO.includes(name) ? value + 1 : value);
  if (Array.isArray(value)) return listWords(names, value, fields, isPart ? value.length : MOST_ITEMS);
  if (isObject(value)) return recordWord(value, names) ?? membersWord(names, value, fields);
  return textWord(name, value);
}

function listWords(names, values, fields, most) {
  if (!values.length) return t("history.empty");
  if (values.some((one) => isObject(one) && !recordWord(one, names)))
    return t("history.items", { count: values.length });
  const words = values.slice(0, most).map((one) => valueWord(names, one, fields));
  if (values.length > most) words.push("…");
  return words.join(", ");
}

function recordWord(record, names) {
  if (names[0] === "changes" && record.lines) {
    const what = [signed(record.after - record.before), record.reason].filter(Boolean).join(", ");
    return `${record.number}: ${what}`;
  }
  if (names[0] === "daysOff") return dayOffWord(record);
  if (WEEKDAYS.includes(names.at(-1))) return spanWord(record);
  if (names.at(-1) === "role" && record.name) return roleName(record);
  if (stationOf(record._id)) return nameOf(record);
  const name = NAMES.find((one) => record[one]);
  return record._id && name ? record[name] : null;
}

function membersWord(names, value, fields) {
  const words = Object.entries(value).map(
    ([name, one]) => `${keyWord(name)} ${valueWord([...names, name], one, fields)}`,
  );
  return shortened(words.join(", ")) || t("history.empty");
}

function textWord(name, text) {
  const group = GROUPS[name]?.find((one) => hasText(`${one}.${text}`));
  if (group) return t(`${group}.${text}`);
  if (name === "permissions") return permissionWord(text);
  if (TIME.test(text) && !Number.isNaN(Date.parse(text))) return dateTime(new Date(text));
  return ID.test(text) ? idWord(text) : shortened(text);
}

/** A permission key as the matrix of a role names it; one of the workshop's own as it is. */
function permissionWord(key) {
  if (key === "*") return t("history.everything");
  const [resource, action] = key.split(":");
  const names = [`rolesof.${resource}`, `rolesaction.${action}`];
  return names.every(hasText) ? names.map((one) => t(one)).join(": ") : key;
}

function idWord(id) {
  const station = stationOf(id);
  return station ? nameOf(station) : t("history.unknown");
}

const shortened = (text) => (text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}…` : text);
