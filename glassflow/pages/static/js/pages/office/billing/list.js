// The billing entries, those without an invoice first, below what they add up to; live.
import { html } from "../../../../vendor/ui.js";
import { date, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { query } from "../../../core/router.js";
import { dayFilters, referenceFilter, textFilter } from "../../../ui/filters.js";
import { address } from "../../../ui/record_list.js";
import { Lazy } from "../../../ui/lazy.js";
import { DialogButton } from "../dialog_button.js";
import { amountColumn } from "../invoices.js";
import { ListPage } from "../list_page.js";
import { Figures } from "./figures.js";
import { BillingStatus, Exported, Panes } from "./parts.js";

export const title = "office.billing";
export const styles = ["pages/office/billing/billing"];

const accounts = () => import("./accounts.js");

const TABS = ["open", "billed", "void", "all"];

export default function Billing() {
  const given = query.value.get("show");
  const tab = TABS.includes(given) ? given : TABS[0];
  return html`<${ListPage} section="billing" icon="banknote" hint=${t(tab === "open" ? "billing.hintOpen" : "billing.hint")}
    resource="billing-entries" event="billing:updated" populate="customer,delivery" sort="-deliveredAt" columns=${columns()} filters=${filters()}
    fixed=${tab === "all" ? {} : { status: tab }} actions=${may("pricing:manage") && (() => import("./batch.js"))}
    rowName=${({ entryNumber }) => entryNumber}>
    <div class="billing-top"><p class="soft">${t("billing.noInvoices")}</p><${DialogButton} icon="receipt-text" label=${t("accounts.open")}>
      ${(close) => html`<${Lazy} load=${accounts} onDone=${close} />`}<//></div><${Figures} /><${Tabs} tab=${tab} /><//>`;
}

const Tabs = ({ tab }) =>
  html`<nav class="tabs" aria-label=${t("billing.tabs")}>${TABS.map((one) => html`
  <a key=${one} href=${address({ show: one, page: null })} aria-current=${tab === one ? "page" : undefined}>
    ${one === "all" ? t("list.all") : t(`billingstatus.${one}`)}</a>`)}</nav>`;

function filters() {
  return [
    referenceFilter({ name: "customer", resource: "customers", label: t("field.customer") }),
    textFilter({ name: "invoiceNumber", label: t("field.invoiceNumber"), more: true }),
    {
      name: "exportState",
      label: t("field.exportState"),
      options: ["null", "exported", "changed"].map((value) => ({ value, label: t(`exportstate.${value}`) })),
      more: true,
    },
    ...dayFilters({ name: "deliveredAt", from: t("panes.deliveredFrom"), to: t("panes.deliveredTo"), more: true }),
  ];
}

export function columns() {
  return [
    {
      name: "number",
      title: t("field.entryNumber"),
      width: "86px",
      sort: "entryNumber",
      cell: ({ entryNumber }) => html`<strong>${entryNumber}</strong>`,
    },
    {
      name: "delivery",
      title: t("field.delivery"),
      width: "100px",
      isWide: true,
      fields: "delivery,reason",
      sort: "delivery",
      cell: ({ delivery, reason }) =>
        delivery?.deliveryNumber ?? html`<span class="reason" title=${reason}>${reason}</span>`,
    },
    {
      name: "customer",
      title: t("field.customer"),
      width: "minmax(100px, 2fr)",
      fields: "customer",
      sort: may("customers:view") && "customer.name",
      cell: ({ customer }) => customer?.name ?? "–",
    },
    {
      name: "delivered",
      title: t("billing.date"),
      width: "114px",
      sort: "deliveredAt",
      cell: ({ deliveredAt }) => date(new Date(deliveredAt)),
    },
    {
      name: "panes",
      title: t("field.paneCount"),
      width: "minmax(60px, 130px)",
      fields: "paneCount,unpricedPanes",
      sort: "paneCount",
      cell: (entry) => html`<${Panes} entry=${entry} />`,
    },
    { ...amountColumn("net"), width: "minmax(105px, 130px)", sort: "net" },
    { ...amountColumn("vat"), width: "minmax(95px, 120px)", sort: "vat", isWide: true },
    { ...amountColumn("gross"), width: "minmax(105px, 130px)", sort: "gross" },
    {
      name: "invoice",
      title: t("field.invoiceNumber"),
      width: "minmax(88px, 150px)",
      sort: "invoiceNumber",
      cell: ({ invoiceNumber }) => invoiceNumber,
    },
    {
      name: "state",
      title: t("field.status"),
      width: "140px",
      isWide: true,
      sort: "status",
      cell: ({ status }) => html`<${BillingStatus} status=${status} />`,
    },
    {
      name: "billed",
      title: t("field.billedAt"),
      width: "115px",
      hidden: true,
      sort: "billedAt",
      cell: ({ billedAt }) => billedAt && date(new Date(billedAt)),
    },
    {
      name: "exported",
      title: t("field.exportState"),
      width: "115px",
      hidden: true,
      sort: "exportState",
      cell: (entry) => html`<${Exported} entry=${entry} />`,
    },
    {
      name: "notes",
      title: t("field.notes"),
      width: "2fr",
      hidden: true,
      sort: "notes",
      cell: ({ notes }) => notes,
    },
  ];
}
