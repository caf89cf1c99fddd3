// Statuses of quotes and requests, as more than one folder of the office shows or asks them.
import { html } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { CLOSED_REQUESTS } from "../../core/record_terms.js";
import { Icon } from "../../ui/parts.js";

const SIGNS = {
  draft: "pencil",
  sent: "arrow-right",
  accepted: "circle-check",
  rejected: "ban",
  expired: "clock",
  superseded: "history",
};

/** The status of a quote as a sign, a word and a colour. */
export const QuoteStatus = ({ status }) => html`<span class="status" data-status=${status}>
  <${Icon} name=${SIGNS[status]} />${t(`quotesstatus.${status}`)}</span>`;

/** Whether a request is still worked on. */
export const isOpenRequest = ({ status }) => !CLOSED_REQUESTS.includes(status);
