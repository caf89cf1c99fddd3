// One withdrawal: what it took from which lots, and its decision.
import { html } from "../../../../vendor/ui.js";
import { dateTime, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { Back } from "../back.js";
import { KnownRecordPage } from "../known_record.js";
import { Status } from "../parts.js";
import { amount, stockTypes } from "../lots/parts.js";
import { lotField, orderField, quantityField } from "./new.js";
import { Allocations, Decide, POPULATE, useLots } from "./parts.js";

export const title = "withdrawals.one";
export const styles = ["pages/office/stock/stock"];

export default function Withdrawal({ id }) {
  return html`<${KnownRecordPage} section="withdrawals" resource="withdrawals" id=${id} event="withdrawal:updated" populate=${POPULATE}
    back=${(record) => html`<${Back} section="withdrawals" record=${record} />`}
    manage="withdrawals:manage" nameOf=${({ withdrawalNumber }) => withdrawalNumber} fields=${fields}
    below=${(withdrawal) => html`<${Facts} withdrawal=${withdrawal} />`} />`;
}

// A decision is final: what was decided on does not change any more.
function fields({ status }) {
  const notes = { name: "notes", label: t("field.notes"), kind: "textarea", wide: true };
  if (status !== "pending") return [notes];
  return [
    quantityField(),
    { name: "stockType", label: t("field.stockType"), kind: "select", options: stockTypes(), required: true },
    ...(may("inventory:view") ? [lotField()] : []),
    ...(may("orders:view") ? [orderField()] : []),
    notes,
  ];
}

function Facts({ withdrawal }) {
  const {
    status,
    quantity,
    material,
    order,
    withdrawnBy,
    withdrawnDate,
    approvedBy,
    rejectedWith,
    allocations,
    stockType,
  } = withdrawal;
  const lots = useLots([withdrawal]);
  const facts = [
    ["field.material", material?.name],
    ["field.quantity", amount(quantity, material?.unit)],
    ["field.stockType", t(`stocktype.${stockType}`)],
    ["field.order", order?.orderNumber],
    ["field.withdrawnBy", withdrawnBy?.name],
    ["field.withdrawnDate", dateTime(new Date(withdrawnDate))],
    ["field.approvedBy", approvedBy?.name],
    ["field.rejectedWith", rejectedWith],
  ].filter(([, value]) => value);
  return html`<section class="card" aria-labelledby="facts"><h2 id="facts">${t("field.details")} <${Status} status=${status} /></h2>
    <dl>${facts.map(([name, value]) => html`<dt key=${name}>${t(name)}</dt><dd>${value}</dd>`)}</dl>
    <h3>${t("withdrawals.from")}</h3>
    <${Allocations} allocations=${allocations} lots=${lots} unit=${material?.unit} />
    <${Decide} withdrawal=${withdrawal} lots=${lots} /></section>`;
}
