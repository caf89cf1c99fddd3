// One payment: its form, and what became of it.
import { html, useEffect, useState } from "../../../../vendor/ui.js";
import { dateTime, t } from "../../../core/i18n.js";
import { joinRoom } from "../../../core/live.js";
import { may } from "../../../core/permissions.js";
import { idOf } from "../../../core/records.js";
import { takeTask } from "../../../core/router.js";
import { actOn } from "../act_on.js";
import { ActionButton } from "../dialog_button.js";
import { FactsCard } from "../facts_card.js";
import { KnownRecordPage } from "../known_record.js";
import { OFFICE } from "../layout.js";
import { baht } from "../money.js";
import { Warnings } from "../request_actions.js";
import { fields } from "./fields.js";
import { PaymentStatus, Purpose } from "./parts.js";
import { changeBody, check, toValues } from "./purpose.js";

export const title = "payments.one";
export const styles = ["pages/office/payments/payments"];

/** The fields; of one that does not change any more without hints of what to type. */
const fieldsOf = (payment) => fields(false).map((field) => (isVoid(payment) ? { ...field, hint: undefined } : field));

const isVoid = ({ status }) => status === "void";

export default function Payment({ id }) {
  const [said] = useState(() => takeTask()?.said ?? []); // when it was recorded
  useEffect(() => {
    joinRoom("pricing").catch(() => {}); // a change that is missed is found when the record is saved
  }, []);
  const named = (values) => Object.fromEntries(check(values).map((field) => [field, [t("payments.nameIt")]]));
  return html`<${KnownRecordPage} section="payments" resource="payments" id=${id} event="payment:updated"
    populate="customer,quote,request,recordedBy,voidedBy" manage="pricing:manage"
    nameOf=${(payment) => (isVoid(payment) ? html`<s>${payment.paymentNumber}</s>` : payment.paymentNumber)}
    fields=${fieldsOf} toValues=${toValues} toBody=${changeBody} check=${named} isClosed=${isVoid} canDelete=${() => false}
    actions=${(payment, load) => html`<${PaymentStatus} status=${payment.status} />
      ${may("pricing:manage") && !isVoid(payment) && html`<${MakeVoid} payment=${payment} onStale=${load} />`}`}
    above=${(payment) => html`<${Warnings} of=${said} /><${Facts} payment=${payment} />`} />`;
}

function Facts({ payment }) {
  const { customer, amount, recordedBy, createdAt, voidReason, voidedBy, voidedAt } = payment;
  const by = (worker, at) => [worker?.name, at && dateTime(new Date(at))].filter(Boolean).join(" · ");
  const facts = [
    [t("payments.amount"), isVoid(payment) ? html`<s>${baht(amount)}</s>` : baht(amount)],
    [t("payments.purpose"), html`<${Purpose} payment=${payment} />`],
    [
      t("field.customer"),
      customer?.name && html`<a href=${`${OFFICE}/customers/${idOf(customer)}`}>${customer.name}</a>`,
    ],
    [t("field.recordedBy"), by(recordedBy, createdAt)],
    [t("field.voidReason"), voidReason],
    [t("field.voidedBy"), isVoid(payment) && by(voidedBy, voidedAt)],
  ];
  return html`<${FactsCard} id="payment-facts" title=${t("field.details")} facts=${facts} />`;
}

/** A button that asks why a payment does not count. */
function MakeVoid({ payment, onStale }) {
  const reason = {
    name: "reason",
    label: t("field.reason"),
    hint: t("payments.voidReasonHint"),
    required: true,
    wide: true,
    attributes: { maxlength: 500, autofocus: true },
  };
  const send = (values, seen) =>
    actOn("/payments", seen, { action: "void", body: { reason: values.reason || undefined }, onStale });
  return html`<${ActionButton} icon="ban" label=${t("payments.void")} title=${t("payments.voidAsk", { number: payment.paymentNumber })} isDanger
    record=${payment} fields=${[reason]} send=${send} hint=${t("payments.voidHint", { amount: baht(payment.amount) })} />`;
}
