// A field of a form for a list of objects of numbers, such as sizes: typed into a grid.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../../../vendor/ui.js";
import { number, t } from "../../core/i18n.js";
import { Grid } from "../../ui/grid.js";
import { numberOf } from "../../ui/numbers.js";
import { Icon } from "../../ui/parts.js";

let lastKey = 0;

/**
 * A field of `Form` whose value is a list of objects of numbers, null for an empty cell; what is no
 * number is sent as it was typed. `columns(values)` are those of `Grid` without a kind; `add` is on the
 * button that begins the list, and `below(values)` is drawn below it.
 */
export const numberList = ({ columns, add, below = (_) => null, ...field }) => ({
  kind: "custom",
  wide: true,
  ...field,
  detail: ({ field: path }, values) => cellOf(path, columns(values)),
  draw: ({ id, value, values, onChange, readOnly }) => {
    const shared = { id, label: field.label, columns: columns(values), list: value ?? [] };
    return html`${readOnly ? html`<${Listed} ...${shared} />` : html`<${Typed} ...${shared} add=${add} onList=${onChange} />`}
      ${below(values)}`;
  },
});

/** How the summary of a form tells a fault inside the list: by the cell. */
function cellOf(path, columns) {
  const [list, at, name] = path.split(".");
  const column = columns.find((one) => one.name === name);
  if (!column) return {};
  const cell = `#field-${list} [data-row="${at}"][data-column="${name}"]`;
  return {
    label: t("grid.cell", { column: column.title, row: Number(at) + 1 }),
    open: () => document.querySelector(cell)?.focus(),
  };
}

const isBlank = ({ key: _, ...cells }) => Object.values(cells).every((text) => !text?.trim());

const newRow = () => ({ key: (lastKey += 1) });

const rowsOf = (list, names) =>
  list.map((one) => ({ ...newRow(), ...Object.fromEntries(names.map((name) => [name, String(one[name] ?? "")])) }));

/** The objects of rows that were typed. */
export const listOf = (rows, names) =>
  rows
    .filter((row) => !isBlank(row))
    .map((row) => Object.fromEntries(names.map((name) => [name, numberOf(row[name])])));

function Typed({ id, label, columns, list, add, onList }) {
  const names = columns.map(({ name }) => name);
  const [rows, setRows] = useState(() => rowsOf(list, names));
  const place = useRef();
  const isBegun = useRef(false);
  const given = JSON.stringify(listOf(rowsOf(list, names), names));
  useEffect(() => {
    // the list has changed elsewhere
    if (JSON.stringify(listOf(rows, names)) !== given) setRows(rowsOf(list, names));
  }, [given]);
  useLayoutEffect(() => {
    if (isBegun.current) place.current.querySelector("[data-column]")?.focus();
    isBegun.current = false;
  }, [rows.length]);
  const change = (next) => {
    const isRemoved = rows.length === 1 && next.length === 1 && next[0].key !== rows[0].key;
    const left = isRemoved ? [] : next;
    setRows(left);
    onList(listOf(left, names));
  };
  const begin = () => {
    isBegun.current = true;
    setRows([newRow()]);
  };
  return html`<div ref=${place}>${
    rows.length === 0
      ? html`<button type="button" id=${id} class="quiet-button" onClick=${begin}><${Icon} name="plus" />${add}</button>`
      : html`<${Grid} id=${id} label=${label} columns=${columns.map((one) => ({ kind: "number", width: "80px", ...one }))}
        rows=${rows} onRows=${change} newRow=${newRow} isBlank=${isBlank} />`
  }</div>`;
}

function Listed({ id, label, columns, list }) {
  if (!list.length) return html`<p id=${id}>–</p>`;
  return html`<div class="grid"><div class="grid-scroll" tabindex="0" role="region" aria-label=${label}><table id=${id}>
    <thead><tr>${columns.map(({ name, title, short }) => html`<th key=${name} scope="col" class="number">${short ? html`<abbr title=${title}>${short}</abbr>` : title}</th>`)}</tr></thead>
    <tbody>${list.map((row, at) => html`<tr key=${at}>${columns.map(({ name, placeholder }) => html`<td key=${name} class="drawn number">
      ${row[name] === null ? html`<span class="soft">${placeholder?.(row)}</span>` : number(row[name])}</td>`)}</tr>`)}</tbody></table></div></div>`;
}
