// What was sold, as a table: of customers, of their months, or of both. On a phone a row is a card.
import { html } from "../../../vendor/ui.js";
import { number, t } from "../../core/i18n.js";
import { money } from "../../ui/money.js";
import { FIGURES } from "./sales/model.js";

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
