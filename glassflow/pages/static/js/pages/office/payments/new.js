// A new payment: `?request=`, `?quote=`, `?entry=` or `?customer=` names what it is for by an id.
import { html } from "../../../../vendor/ui.js";
import { api, inWords } from "../../../core/api.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { idOf } from "../../../core/records.js";
import { go, query } from "../../../core/router.js";
import { Form } from "../../../ui/form.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { Empty } from "../empty.js";
import { OFFICE } from "../layout.js";
import { NewRecordPage } from "../record.js";
import { fields } from "./fields.js";
import { check, newBody } from "./purpose.js";
import { readBalance } from "../invoices.js";

export const title = "payments.new";
export const styles = ["pages/office/payments/payments"];

const KINDS = ["request", "quote", "entry", "customer"];

export default function NewPayment() {
  const kind = KINDS.find((one) => query.value.get(one));
  const id = kind && query.value.get(kind);
  const start = useResource(`new payment ${kind} ${id}`, () => [() => readStart(kind, id), {}, { fresh: true }]);
  const missing = html`<${Empty} icon="circle-help" title=${t("office.gone")} hint=${t("office.goneHint")} />`;
  const saved = ({ _id }, warnings) =>
    go(`${OFFICE}/payments/${_id}`, { said: warnings.map((one) => inWords(one).message) });
  const named = (values) => Object.fromEntries(check(values).map((field) => [field, [t("payments.nameIt")]]));
  return html`<${NewRecordPage} section="payments" newTitle=${t("payments.new")}>
    <${Loaded} of=${start} missing=${missing}>${() => html`<section class="card">
      <${Form} key=${id} fields=${fields(true)} path="/payments" draft=${`/payments ${id ?? ""}`} readOnly=${!may("pricing:manage")}
        initial=${start.value} toBody=${newBody} check=${named} submit=${t("payments.record")} onSaved=${saved} /></section>`}<//><//>`;
}

/** What the form begins with: of what the payment is for the customer, and what is not paid of it. */
async function readStart(kind, id) {
  const begun = { paidAt: new Date().toISOString(), way: "transfer", purpose: "account" };
  if (!kind) return begun;
  const read = READERS[kind];
  return { ...begun, ...(await read(encodeURIComponent(id))) };
}

const READERS = {
  customer: async (id) => ({ customer: id, amount: positive((await readBalance(id))?.open) }),
  request: (id) => ofJob("request", "requests", id),
  quote: (id) => ofJob("quote", "quotes", id),
  async entry(id) {
    const { customer, invoiceNumber } = (await api(`/billing-entries/${id}`)).data;
    const balance = await readBalance(customer);
    const invoice = balance?.invoices.find((one) => one.invoiceNumber === invoiceNumber);
    return { customer, purpose: "invoice", invoiceNumber, amount: positive(invoice?.open) };
  },
};

async function ofJob(kind, resource, id) {
  const { customer } = (await api(`/${resource}/${id}?fields=customer`)).data;
  const [job] = (await api(`/standing?${kind}=${id}`)).data.jobs;
  const { money } = job ?? {};
  const isFirst = positive(money?.deposit?.open);
  return { customer: idOf(customer), purpose: kind, [kind]: id, amount: isFirst ?? positive(money?.open) };
}

const positive = (amount) => (Number(amount) > 0 ? Number(amount) : undefined);
