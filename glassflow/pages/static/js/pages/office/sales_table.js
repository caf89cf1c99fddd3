// What was sold, as a table: of customers, of their months, or of both. On a phone a row is a card.
import { html } from "../../../vendor/ui.js";
import { number, t } from "../../core/i18n.js";
import { money } from "../../ui/money.js";

/** The titles of the figures. */
export const titles = () => FIGURES.map((name) => t(`salesfigure.${name}`));

/**
 * `groups` are lists of rows {key, name, ...figures} that belong together: the first of a group
 * stands for the others, which are a part of it. `total` has the figures of all.
 */
export function SalesTable({ label, first, groups, total }) {
  return html`<table class="sales-table" aria-label=${label}>
    <thead><tr><th scope="col">${first}</th>${titles().map((title) => html`<th key=${title} scope="col">${title}</th>`)}</tr></thead>
    ${groups.map((rows) => html`<tbody key=${rows[0].key}>${rows.map((row, index) => html`
      <tr key=${row.key} class=${index ? "part" : undefined}><${Cells} name=${row.name} figures=${row} /></tr>`)}</tbody>`)}
    <tfoot><tr><${Cells} name=${t("sales.total")} figures=${total} /></tr></tfoot>
  </table>`;
}

function Cells({ name, figures }) {
  const { deliveries, panes, net, remakes, remakeCost } = figures;
  const isRemade = remakes > 0;
  const shown = {
    deliveries: number(deliveries),
    panes: number(panes),
    net: money(net),
    remakes: isRemade ? number(remakes) : "–",
    remakeCost: isRemade ? money(remakeCost) : "–",
  };
  return html`<th scope="row">${name}</th>${FIGURES.map((one) => html`
    <td key=${one} class=${one} data-title=${t(`salesfigure.${one}`)}>${shown[one]}</td>`)}`;
}

const SATANG = 100; // of a baht

/** What the rows have: counts, and amounts in baht. */
export const FIGURES = ["deliveries", "panes", "net", "remakes", "remakeCost"];

/** The sums of rows, as numbers. */
export function sumOf(rows) {
  const sum = (name) => rows.reduce((before, row) => before + Math.round(row[name] * SATANG), 0) / SATANG;
  return {
    deliveries: sum("deliveries"),
    panes: sum("panes"),
    net: sum("net"),
    remakes: sum("remakes"),
    remakeCost: sum("remakeCost"),
  };
}

/**
 * The customers of rows, that of the largest amount first: {customer, name, months} and the sums
 * of their months, the newest of which is the first.
 */
export function byCustomer(rows) {
  const found = new Map();
  for (const row of rows) found.set(row.customer, [row, ...(found.get(row.customer) ?? [])]);
  return [...found.values()]
    .map((months) => ({ customer: months[0].customer, name: months[0].customerName, months, ...sumOf(months) }))
    .sort((one, other) => other.net - one.net || (one.name ?? "").localeCompare(other.name ?? ""));
}
