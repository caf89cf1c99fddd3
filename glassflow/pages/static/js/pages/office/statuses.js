// The status of a quote as a sign, a word and a colour.
import { html } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { Icon } from "../../ui/parts.js";

const SIGNS = {
  draft: "pencil",
  sent: "arrow-right",
  accepted: "circle-check",
  rejected: "ban",
  expired: "clock",
  superseded: "history",
};

export const QuoteStatus = ({ status }) => html`<span class="status" data-status=${status}>
  <${Icon} name=${SIGNS[status]} />${t(`quotesstatus.${status}`)}</span>`;
