// Actions on the selected orders: assigned, and their labels and job cards printed.
import { html } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { may } from "../../core/permissions.js";
import { Assign } from "./assign.js";
import { BatchButtons, Labels } from "./batch.js";
import { JobCard } from "./job_card.js";

const nameOf = ({ orderNumber }) => orderNumber;
const AssignOrders = (given) => html`<${Assign} resource="orders" nameOf=${nameOf} ...${given} />`;

/** The buttons for the selected rows; see RecordList. */
export default function OrderActions({ rows, clear }) {
  const ids = rows.map(({ _id }) => _id);
  const assign = { icon: "users", label: t("batch.assign"), dialog: AssignOrders };
  return html`<${Labels} field="order" names=${rows.map(nameOf)} />
    ${may("panes:view") && html`<${JobCard} path=${`/orders/job-cards?ids=${ids}`} label=${t("batch.jobCards")} />`}
    <${BatchButtons} rows=${rows} clear=${clear} actions=${may("orders:manage") && may("workers:view") ? [assign] : []} />`;
}
