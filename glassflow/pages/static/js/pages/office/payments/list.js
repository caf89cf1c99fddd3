// What customers have paid, the newest first; live.
import { html, useEffect } from "../../../../vendor/ui.js";
import { date, t } from "../../../core/i18n.js";
import { joinRoom } from "../../../core/live.js";
import { may } from "../../../core/permissions.js";
import { dayFilters, referenceFilter, textFilter } from "../../../ui/filters.js";
import { ListPage } from "../list_page.js";
import { Amount, PaymentStatus, Purpose } from "./parts.js";

export const title = "office.payments";
export const styles = ["pages/office/payments/payments"];

const STATUSES = ["recorded", "void"];

export default function Payments() {
  useEffect(() => {
    joinRoom("pricing").catch(() => {}); // it is read again every half a minute
  }, []);
  return html`<${ListPage} section="payments" icon="circle-check" create="pricing:manage" newTitle=${t("payments.new")} hint=${t("payments.hint")}
    resource="payments" event="payment:updated" populate="customer,quote,request" sort="-paidAt" columns=${columns()} filters=${filters()}
    rowName=${({ paymentNumber }) => paymentNumber} />`;
}

function filters() {
  const statuses = STATUSES.map((value) => ({ value, label: t(`paymentstatus.${value}`) }));
  return [
    referenceFilter({ name: "customer", resource: "customers", label: t("field.customer") }),
    ...dayFilters({ name: "paidAt", from: t("payments.paidFrom"), to: t("payments.paidTo") }),
    textFilter({ name: "invoiceNumber", label: t("field.invoiceNumber"), more: true }),
    { name: "status", label: t("field.status"), options: statuses, more: true },
  ];
}

export function columns() {
  return [
    {
      name: "number",
      title: t("field.paymentNumber"),
      width: "110px",
      sort: "paymentNumber",
      cell: ({ paymentNumber, status }) =>
        status === "void" ? html`<s>${paymentNumber}</s>` : html`<strong>${paymentNumber}</strong>`,
    },
    {
      name: "paid",
      title: t("field.paidAt"),
      width: "115px",
      sort: "paidAt",
      cell: ({ paidAt }) => date(new Date(paidAt)),
    },
    {
      name: "customer",
      title: t("field.customer"),
      width: "2fr",
      fields: "customer",
      sort: may("customers:view") && "customer.name",
      cell: ({ customer }) => customer?.name ?? "–",
    },
    {
      name: "amount",
      title: t("payments.amount"),
      width: "125px",
      fields: "amount,status",
      sort: "amount",
      cell: (payment) => html`<${Amount} payment=${payment} />`,
    },
    {
      name: "way",
      title: t("field.way"),
      width: "130px",
      sort: "way",
      cell: ({ way }) => t(`paymentway.${way}`),
    },
    {
      name: "purpose",
      title: t("payments.purpose"),
      width: "2fr",
      fields: "invoiceNumber,request,quote",
      sort: "invoiceNumber",
      cell: (payment) => html`<${Purpose} payment=${payment} isPlain />`,
    },
    {
      name: "state",
      title: t("field.status"),
      width: "130px",
      isWide: true,
      sort: "status",
      cell: ({ status }) => html`<${PaymentStatus} status=${status} />`,
    },
    {
      name: "note",
      title: t("field.note"),
      width: "2fr",
      hidden: true,
      sort: "note",
      cell: ({ note }) => note,
    },
  ];
}
