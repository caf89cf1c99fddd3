// The deliveries, the newest day first; live.
import { html } from "../../../../vendor/ui.js";
import { serviceTime } from "../../../core/api.js";
import { date, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { DELIVERY_STATUSES } from "../../../core/record_terms.js";
import { dayFilters, referenceFilter } from "../../../ui/filters.js";
import { ListPage } from "../list_page.js";
import { dayOf } from "../paper_fields.js";
import { countOf, DeliveryStatus } from "./status.js";

export const title = "office.deliveries";

export default function Deliveries() {
  return html`<${ListPage} section="deliveries" icon="truck" create="orders:manage" newTitle=${t("delivery.new")}
    hint=${t("delivery.hint")} resource="deliveries" event="delivery:updated" populate="customer,driver" sort="-plannedFor"
    filters=${filters()} columns=${columns()} rowName=${({ deliveryNumber }) => deliveryNumber} />`;
}

function filters() {
  const statuses = DELIVERY_STATUSES.map((value) => ({ value, label: t(`deliverystatus.${value}`) }));
  return [
    { name: "status", label: t("field.status"), options: statuses },
    { name: "waiting", label: t("delivery.waiting"), options: [{ value: "true", label: t("delivery.waitingYes") }] },
    referenceFilter({ name: "customer", resource: "customers", label: t("field.customer") }),
    ...dayFilters({ name: "plannedFor", from: t("delivery.dayFrom"), to: t("requests.dueTo") }),
    referenceFilter({ name: "driver", resource: "workers", label: t("field.driver"), more: true }),
    ...dayFilters({ name: "deliveredAt", from: t("panes.deliveredFrom"), to: t("panes.deliveredTo"), more: true }),
  ];
}

export function columns() {
  return [
    {
      name: "number",
      title: t("field.deliveryNumber"),
      width: "120px",
      sort: "deliveryNumber",
      cell: ({ deliveryNumber }) => html`<strong>${deliveryNumber}</strong>`,
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
      name: "day",
      title: t("field.plannedFor"),
      width: "130px",
      sort: "plannedFor",
      cell: (delivery) => html`<${Day} ...${delivery} />`,
    },
    {
      name: "address",
      title: t("delivery.to"),
      width: "3fr",
      fields: "recipient,address",
      sort: (may("customers:view") || may("orders:manage")) && "address",
      cell: ({ customer, recipient, address }) => {
        const to = recipient === customer?.name ? [address] : [recipient, address];
        return to.filter(Boolean).join(", ");
      },
    },
    {
      name: "panes",
      title: t("field.panes"),
      width: "170px",
      fields: "panes,loadedPanes,missingPanes",
      cell: countOf,
    },
    {
      name: "driver",
      title: t("field.driver"),
      width: "1fr",
      isWide: true,
      fields: "driver",
      sort: may("workers:view") && "driver.name",
      cell: ({ driver }) => driver?.name,
    },
    {
      name: "state",
      title: t("field.status"),
      width: "190px",
      sort: "status",
      cell: (delivery) => html`<${DeliveryStatus} ...${delivery} />`,
    },
    {
      name: "vehicle",
      title: t("field.vehicle"),
      width: "130px",
      fields: "vehicle",
      sort: "vehicle",
      hidden: true,
      cell: ({ vehicle }) => vehicle,
    },
    {
      name: "delivered",
      title: t("field.deliveredAt"),
      width: "130px",
      sort: "deliveredAt",
      hidden: true,
      cell: ({ deliveredAt }) => deliveredAt && date(new Date(deliveredAt)),
    },
    {
      name: "created",
      title: t("field.createdAt"),
      width: "130px",
      sort: "createdAt",
      hidden: true,
      cell: ({ createdAt }) => date(new Date(createdAt)),
    },
  ];
}

/** The day of a delivery; one that has passed without a hand-over stands out. */
export function Day({ status, plannedFor }) {
  const today = dayOf(new Date(serviceTime()).toISOString());
  const isLate = status === "planned" && dayOf(plannedFor) < today;
  return html`<span class="deadline" data-kind=${isLate ? "late" : undefined}>${date(new Date(plannedFor))}</span>`;
}
