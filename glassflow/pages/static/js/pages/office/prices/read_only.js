// The price list for those who may not change it.
import { html } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { AMOUNTS, cellsOf, COLUMNS, TABLES, tablesOf } from "./model.js";

/** `amounts` are the names of the amounts that are shown. */
export function ReadOnly({ list, amounts: names = AMOUNTS }) {
  const tables = tablesOf(cellsOf(list));
  const { amounts, glass } = tables;
  const price = (text) => (text === undefined ? "" : number(Number(text)));
  return html`<div class="prices">
    <section class="card" aria-labelledby="glass"><h2 id="glass">${t("prices.glass")}</h2>
      <div class="grid"><div class="grid-scroll" tabindex="0" role="region" aria-labelledby="glass"><table class="price-table">
        <thead><tr>${["type", "thickness", ...COLUMNS].map((name) => html`<th key=${name} scope="col">${t(`prices.${name}`)}</th>`)}</tr></thead>
        <tbody>${glass.map((row) => html`<tr key=${row.key}><td>${row.type}</td><td>${row.thickness}</td>
          ${COLUMNS.map((name) => html`<td key=${name} class="number">${price(row[name])}</td>`)}</tr>`)}</tbody></table></div></div></section>
    <section class="card" aria-labelledby="others"><h2 id="others">${t("prices.others")}</h2>
      <dl>${Object.entries(TABLES).flatMap(([part, { name, value }]) => tables[part].map(
          (row) => html`<dt key=${row.key}>${t(`prices.${part}`)}, ${row[name]}</dt><dd>${price(row[value])} ${t(`priceunit.${part}`)}</dd>`,
        ))}
        ${names.map((name) => html`<dt key=${name}>${t(`prices.${name}`)}</dt><dd>${price(amounts[name])} ${t(`priceunit.${name}`)}</dd>`)}</dl>
    </section></div>`;
}
