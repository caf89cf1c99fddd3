// The status of a delivery, what its panes are, and why they came back, as a sign, a word and a colour.
import { html } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { Icon } from "../../../ui/parts.js";

const SIGNS = { planned: "clock", delivered: "circle-check", partly: "circle-alert", returned: "undo-2" };
const PANE_SIGNS = {
  ready: "circle-check",
  unfinished: "hourglass",
  claimed: "triangle-alert",
  lost: "circle-x",
  delivered: "truck",
};

/** A delivery with panes that wait is not done: handed over in part. One that came back stands out while they wait. */
export function DeliveryStatus({ status, missingPanes }) {
  const waits = missingPanes.length > 0;
  const shown = status === "delivered" && waits ? "partly" : status;
  return html`<span class="status" data-status=${status === "returned" && !waits ? undefined : shown}>
    <${Icon} name=${SIGNS[shown]} />${t(`deliverystatus.${shown}`)}</span>`;
}

/** What a pane of a checklist is: loaded, or its state. */
export function PaneState({ pane: { state, isLoaded } }) {
  if (isLoaded && state === "ready") return sign("loaded", "truck");
  return sign(state, PANE_SIGNS[state]);
}

const sign = (state, icon) =>
  html`<span class="status" data-status=${state}><${Icon} name=${icon} />${t(`deliverypane.${state}`)}</span>`;

/** Why a pane came back; `reason` is null where nothing was said. */
export const reasonOf = (reason) => (reason ? t(`leftreason.${reason}`) : t("delivery.noReason"));

/** How many panes a delivery has, and how far it is with them. */
export function countOf({ status, panes, loadedPanes, missingPanes }) {
  const [count, all] = [panes.length, panes.length + missingPanes.length].map(number);
  if (status !== "planned") {
    if (missingPanes.length) return t("delivery.partly", { done: count, count: all });
    return panes.length ? t("delivery.handedOver", { count }) : t("delivery.noneHandedOver");
  }
  if (loadedPanes.length) return t("delivery.loaded", { count, done: number(loadedPanes.length) });
  return t("office.countOfKind", { count });
}
