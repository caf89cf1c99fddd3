// The figures of the last 7, 30 or 90 days, each as a sentence, a chart and a table: how panes go through
// the stations, what came of it, and where machines stood. Read once in a while, since events change them little.
import { html, useRef } from "../../../../vendor/ui.js";
import { api, Refused } from "../../../core/api.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { Lazy } from "../../../ui/lazy.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { READ_AGAIN_MS } from "../any_change.js";
import { DaysChoice, daysAsked } from "../days_choice.js";
import { Flow } from "./flow.js";
import { Losses, OnTime, Stock } from "./outcomes.js";

export const styles = ["pages/office/calls/calls", "pages/office/today/weekly"];

const pareto = () => import("../calls/pareto.js");

export default function Weekly() {
  const days = daysAsked();
  const shared = { days };
  const parts = [
    may("panes:view") && html`<${Part} key="flow" path="flow" draw=${Flow} ...${shared} />`,
    may("requests:view") && html`<${Part} key="on-time" path="on-time" draw=${OnTime} ...${shared} />`,
    may("panes:view") && html`<${Part} key="losses" path="losses" draw=${Losses} ...${shared} />`,
    may("panes:view") && html`<${Lazy} key="calls" load=${pareto} isPart />`,
    may("inventory:view") &&
      may("materials:view") &&
      html`<${Part} key="stock" path="stock-use" draw=${Stock} ...${shared} />`,
  ].filter(Boolean);
  if (!parts.length) return null;
  return html`<section class="weekly" aria-labelledby="weekly"><header><h2 id="weekly">${t("weekly.title")}</h2><${DaysChoice} days=${days} /></header>
    <div class="weekly-cards">${parts}</div></section>`;
}

/** The cards of a route; those of the days before stand until others are read. */
function Part({ path, days, draw }) {
  const figures = useResource(`weekly ${path} ${days}`, () => [
    async () => (await api(`/dashboard/${path}?days=${days}`)).data,
    {},
    { everyMs: READ_AGAIN_MS },
  ]);
  const last = useRef();
  last.current = figures.value ?? last.current;
  const { error } = figures;
  if (error instanceof Refused && error.status === 403) return null;
  if (!last.current) return html`<section class="card"><${Loaded} of=${figures} /></section>`;
  return html`<${Loaded} of=${{ ...figures, value: last.current }}>${() => html`<${draw} of=${last.current} />`}<//>`;
}
