// Filters of lists that are more than a choice from a few values; see RecordList.
import { html } from "../../vendor/ui.js";
import { fromLocal, toLocal } from "./moments.js";
import { Reference } from "./reference.js";

const DAY_MS = 86_400_000;
const dayOf = (ms) => toLocal(new Date(ms).toISOString()).slice(0, 10);

/** Records of another record: {name, label, resource, nameOf, query, more} as `Reference` takes them. */
export function referenceFilter({ name, label, more, ...reference }) {
  return { name, label, more, draw: ({ id, value, onChange }) => html`<${Reference} ...${reference} value=${value || null}
    onChange=${(chosen) => onChange(chosen ?? "")} shared=${{ id }} />` };
}

/** A text that a field of the records has to be, as a whole. */
export function textFilter({ name, label, more }) {
  return { name, label, more, draw: ({ id, value, onChange }) => html`<input id=${id} type="text" autocomplete="off" value=${value}
    onChange=${(event) => onChange(event.target.value.trim())} />` };
}

/** Two filters of a moment: the first day, and the last day, in the workshop's time zone. */
export function dayFilters({ name, from, to, more }) {
  return [
    { name: `${name}_gte`, label: from, more, draw: day((value) => toLocal(value).slice(0, 10), startOf) },
    // the address has the end of the last day, which is the start of the next one
    { name: `${name}_lt`, label: to, more, draw: day((value) => dayOf(Date.parse(value) - 1), startOfNext) },
  ];
}

const day = (shown, moment) => ({ id, value, onChange }) => html`<input id=${id} type="date"
  value=${value && Number.isFinite(Date.parse(value)) ? shown(value) : ""}
  onChange=${(event) => onChange(event.target.value ? moment(event.target.value) : "")} />`;

/** The moment at which a day (2026-11-22) begins. */
export const startOf = (date) => fromLocal(`${date}T00:00`);

/** The moment at which the day after it begins. */
export function startOfNext(date) {
  return startOf(new Date(Date.parse(`${date}T00:00Z`) + DAY_MS).toISOString().slice(0, 10));
}
