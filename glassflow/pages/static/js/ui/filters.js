// Filters of lists that are more than a choice from a few values; see RecordList.
import { html } from "../../vendor/ui.js";
import { Reference } from "./reference.js";

/** Records of another record: {name, label, resource, nameOf, query, more} as `Reference` takes them. */
export function referenceFilter({ name, label, more = false, ...reference }) {
  return {
    name,
    label,
    more,
    draw: ({ id, value, onChange }) => html`<${Reference} ...${reference} value=${value || null}
    onChange=${(chosen) => onChange(chosen ?? "")} shared=${{ id }} />`,
  };
}

/** A text that a field of the records has to be, as a whole. */
export function textFilter({ name, label, more }) {
  return {
    name,
    label,
    more,
    draw: ({ id, value, onChange }) => html`<input id=${id} type="text" autocomplete="off" value=${value}
    onChange=${(event) => onChange(event.target.value.trim())} />`,
  };
}

/** Records that have a value in a field; `option` says which these are. */
export const givenFilter = ({ name, label, option }) => ({
  name: `${name}_ne`,
  label,
  options: [{ value: "null", label: option }],
  more: true,
});

/** Two filters of a time: the first day and the last one, which the service takes as days of the workshop. */
export function dayFilters({ name, from, to, more = false }) {
  return [
    { name: `${name}_gte`, label: from, more, draw: day },
    { name: `${name}_lte`, label: to, more, draw: day },
  ];
}

const day = ({ value, onChange, ...shared }) => html`<input type="date" value=${value}
  onChange=${(event) => onChange(event.target.value)} ...${shared} />`;
