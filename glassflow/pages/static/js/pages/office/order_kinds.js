// The kinds of glass of an order: their panes, their materials where these differ from the
// order's, and their routes.
import { html } from "../../../vendor/ui.js";
import { number, t } from "../../core/i18n.js";
import { RETIRED } from "../../core/pane_flow.js";
import { idOf } from "../../core/records.js";
import { kindsOf } from "./kinds.js";
import { Routes } from "./parts.js";

/** `panes` are those of the order as {rows, isCut}. */
export default function OrderKinds({ order, panes: { rows, isCut } }) {
  const kinds = kindsOf(rows.filter(({ currentStatus }) => !RETIRED.includes(currentStatus)));
  if (!kinds.length) return null;
  return html`<section class="card" aria-labelledby="kinds"><h2 id="kinds">${t("office.kinds")}</h2>
    <ul class="kinds">${kinds.map(({ key, words, panes, own, routes }) => html`<li key=${key} class="kind">
      <p>${!isCut && html`<b>${t("office.countOfKind", { count: number(panes.length) })}</b>`} ${words}
        ${own?.name && idOf(own) !== idOf(order.material) && html` · <span class="soft">${t("field.material")}</span> ${own.name}`}</p>
      <${Routes} routes=${routes} /></li>`)}</ul></section>`;
}
