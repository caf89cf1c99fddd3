// What the list, a delivery and its hand-over say alike.
import { html } from "../../../vendor/ui.js";
import { number, t } from "../../core/i18n.js";
import { Icon } from "../../ui/parts.js";
import { Reason, Verdict } from "../../ui/verdict.js";
import { countsOf } from "./rules.js";

/** The icon of each state in which a pane cannot leave. */
export const LACKS = { unfinished: "hourglass", claimed: "triangle-alert", lost: "ban" };

/** How many panes cannot leave, and why. */
export function Lacks({ delivery }) {
  const counts = countsOf(delivery);
  return Object.entries(LACKS).map(
    ([state, icon]) =>
      counts[state] > 0 &&
      html`<span key=${state} class="warn">
    <${Icon} name=${icon} />${t(`deliveries.lacks_${state}`, { count: number(counts[state]) })}</span>`,
  );
}

/** The sign of what the service does not know yet. */
export const ToSend = () => html`<span class="warn"><${Icon} name="upload" />${t("station.toSend")}</span>`;

/** The size of a pane in mm, and its glass. */
export function sizeOf({ width, height, thickness }) {
  const sides = [width, height, thickness].filter(Boolean).map(number).join("\u2009×\u2009");
  return sides && `${sides} ${t("station.mm")}`;
}

/** The verdict on what was scanned or done last. */
export function Said({ desk }) {
  const { said, notice, sheet } = desk.state.value;
  return html`<div class="status-line" aria-live="assertive">
    ${said && html`<${Verdict} key=${said.at} kind=${said.kind} title=${said.code ? t(`deliveries.said_${said.code}`, said) : t("station.no")}>
      ${said.number && html`<p>${said.number}</p>`}
      ${said.kind === "kept" && html`<p>${t("deliveries.keptHint")}</p>`}
      ${!said.code && said.reason && html`<${Reason} reason=${said.reason} />`}<//>`}
    ${notice && !sheet && html`<p class="notice"><${Icon} name="circle-alert" />${t(`station.${notice}`)}</p>`}
  </div>`;
}
