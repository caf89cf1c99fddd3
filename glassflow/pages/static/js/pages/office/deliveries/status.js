// The status of a delivery, and what its panes are, as a sign, a word and a colour.
import { html } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { Icon } from "../../../ui/parts.js";

const SIGNS = { planned: "clock", delivered: "circle-check" };
const PANE_SIGNS = {
  ready: "circle-check",
  unfinished: "hourglass",
  claimed: "triangle-alert",
  lost: "circle-x",
  delivered: "truck",
};

export const DeliveryStatus = ({ status }) => html`<span class="status" data-status=${status}>
  <${Icon} name=${SIGNS[status]} />${t(`deliverystatus.${status}`)}</span>`;

/** What a pane of a checklist is: loaded, or its state. */
export function PaneState({ pane: { state, isLoaded } }) {
  if (isLoaded && state === "ready") return sign("loaded", "truck");
  return sign(state, PANE_SIGNS[state]);
}

const sign = (state, icon) =>
  html`<span class="status" data-status=${state}><${Icon} name=${icon} />${t(`deliverypane.${state}`)}</span>`;

/** How many panes a delivery has, and how far it is with them. */
export function countOf({ status, panes, loadedPanes, missingPanes }) {
  const [count, all] = [panes.length, panes.length + missingPanes.length].map(number);
  if (status === "delivered")
    return missingPanes.length
      ? t("delivery.partly", { done: count, count: all })
      : t("delivery.handedOver", { count });
  if (loadedPanes.length) return t("delivery.loaded", { count, done: number(loadedPanes.length) });
  return t("office.countOfKind", { count });
}
