// Actions on the selected requests: assigned, and the labels of their panes printed.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { Assign } from "../assign.js";
import { BatchButtons, Labels } from "../batch.js";

const nameOf = ({ requestNumber }) => requestNumber;
const AssignRequests = (given) => html`<${Assign} resource="requests" nameOf=${nameOf} ...${given} />`;

/** The buttons for the selected rows; see RecordList. */
export default function RequestActions({ rows, clear }) {
  const assign = { icon: "users", label: t("batch.assign"), dialog: AssignRequests };
  return html`<${Labels} field="request" names=${rows.map(nameOf)} />
    <${BatchButtons} rows=${rows} clear=${clear} actions=${may("requests:manage") && may("workers:view") ? [assign] : []} />`;
}
