// Parts of the pages of webhooks.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { Icon } from "../../../ui/parts.js";

const SIGNS = {
  on: "circle-check",
  off: "pause",
  disabled: "circle-x",
  delivered: "circle-check",
  retrying: "hourglass",
  queued: "clock",
  parked: "triangle-alert",
  lost: "circle-x",
};

/** A state as a sign, a word and a colour. */
export function Sign({ state }) {
  return html`<span class="sign" data-state=${state}><${Icon} name=${SIGNS[state]} />${t(`webhooksstate.${state}`)}</span>`;
}

/** Whether a webhook is switched on, or off by a worker or by the service. */
export function State({ webhook }) {
  const state = webhook.isActive ? "on" : webhook.disabledReason ? "disabled" : "off";
  return html`<${Sign} state=${state} />`;
}
