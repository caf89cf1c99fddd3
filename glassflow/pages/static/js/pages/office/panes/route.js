// The route of a pane: the steps behind it, the one where it is, and those to come.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { OPEN } from "../../../core/pane_flow.js";
import { Icon } from "../../../ui/parts.js";
import { Station } from "../parts.js";

export function Route({ pane }) {
  const steps = pane.routing;
  if (!steps.length) return html`<p class="soft">${t("office.noRoute")}</p>`;
  const completed = pane.currentStatus === "completed";
  const isHere = OPEN.includes(pane.currentStatus) && pane.currentStation;
  const kind = (index) =>
    completed || index < pane.routeIndex ? "done" : index === pane.routeIndex && isHere ? "now" : "";
  return html`<ol class="route">${steps.map((step, index) => html`
    <li key=${index} data-kind=${kind(index)} aria-current=${kind(index) === "now" ? "step" : undefined}>
      <${Station} station=${step} />
      ${kind(index) === "done" && html`<span><${Icon} name="check" />${t("office.stepDone")}</span>`}
      ${kind(index) === "now" && html`<span><${Icon} name="map-pin" />${t("office.stepNow")}</span>`}
    </li>`)}</ol>`;
}
