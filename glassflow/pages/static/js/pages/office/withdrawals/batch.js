// The decision on the selected withdrawals.
import { html } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { BatchButtons, BatchDialog, becomes, changeEach } from "../batch.js";
import { plan } from "../batch_plan.js";
import { Status } from "../parts.js";
import { amount } from "../lots/parts.js";
import { Allocations, useLots } from "./parts.js";

/** The buttons for the selected rows; see RecordList. */
export default function WithdrawalActions(selected) {
  const actions = Object.entries(DIALOGS).map(([status, dialog]) => ({
    icon: status === "approved" ? "circle-check" : "ban",
    label: t(`withdrawals.${status}`),
    dialog,
  }));
  return html`<${BatchButtons} ...${selected} actions=${actions} />`;
}

const DIALOGS = {
  approved: (given) => html`<${Decide} status="approved" ...${given} />`,
  rejected: (given) => html`<${Decide} status="rejected" ...${given} />`,
};

function Decide({ status, records, onClose }) {
  const planned = plan(records, status, (record) => record.status !== "pending" && "decided");
  const lots = useLots(planned.taken.map(({ record }) => record));
  const isRejection = status === "rejected";
  const about = isRejection ? `${t("withdrawals.otherLot")} ${t("withdrawals.final")}` : t("withdrawals.final");
  return html`<${BatchDialog} title=${t(`withdrawalsbatch.${status}`)} submit=${t(`withdrawals.${status}`)} danger=${isRejection}
    say=${t(`withdrawalssay.${status}`, { count: number(planned.taken.length) })} about=${about} plan=${planned} onClose=${onClose}
    why=${(reason) => t(`withdrawalswhy.${reason}`)} nameOf=${({ withdrawalNumber }) => withdrawalNumber}
    state=${(record) => html`<${Status} status=${record.status} /> <span>${amount(record.quantity, record.material?.unit)} ${record.material?.name}</span>`}
    then=${({ record, to }) => html`${becomes(html`<${Status} status=${to} />`)}
      <${Allocations} allocations=${record.allocations} lots=${lots} unit=${record.material?.unit} />`}
    after=${(record) => html`<${Status} status=${record.status} />`}
    send=${(taken, tell) => changeEach("withdrawals", taken, { status }, tell)} />`;
}
