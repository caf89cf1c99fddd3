// The requests of customers.
import { html } from "../../../../vendor/ui.js";
import { date, number, t } from "../../../core/i18n.js";
import { may, seesPrices } from "../../../core/permissions.js";
import { REQUEST_STATUSES } from "../../../core/record_terms.js";
import { dayFilters, referenceFilter } from "../../../ui/filters.js";
import { ListPage } from "../list_page.js";
import { baht } from "../money.js";
import { Deadline, Status } from "../parts.js";
import { isOpenRequest } from "../statuses.js";

export const title = "office.requests";
export const styles = ["pages/office/requests/requests"];

export default function Requests() {
  return html`<${ListPage} section="requests" icon="file-text" create="requests:manage"
    newTitle=${t("requests.new")} hint=${t("requests.hint")} resource="requests" event="request:updated"
    populate="customer,assignedTo" filters=${filters()} columns=${columns()}
    actions=${(may("requests:manage") || may("panes:view")) && (() => import("./batch.js"))} rowName=${({ requestNumber }) => requestNumber} />`;
}

function filters() {
  const statuses = REQUEST_STATUSES.map((value) => ({ value, label: t(`status.${value}`) }));
  return [
    { name: "status", label: t("field.status"), options: statuses },
    referenceFilter({ name: "customer", resource: "customers", label: t("field.customer") }),
    referenceFilter({ name: "assignedTo", resource: "workers", label: t("field.assignedTo") }),
    ...dayFilters({ name: "deadline", from: t("requests.dueFrom"), to: t("requests.dueTo") }),
    ...dayFilters({ name: "createdAt", from: t("requests.createdFrom"), to: t("requests.dueTo"), more: true }),
  ];
}

export function columns() {
  return [
    {
      name: "number",
      title: t("field.requestNumber"),
      width: "130px",
      sort: "requestNumber",
      cell: ({ requestNumber }) => html`<strong>${requestNumber}</strong>`,
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
      name: "type",
      title: t("requests.type"),
      width: "2fr",
      fields: "details",
      sort: "details.type",
      cell: ({ details }) => details.type,
    },
    {
      name: "quantity",
      title: t("field.quantity"),
      width: "90px",
      fields: "details",
      sort: "details.quantity",
      cell: ({ details }) => number(details.quantity ?? 0),
    },
    {
      name: "due",
      title: t("field.deadline"),
      width: "170px",
      sort: "deadline",
      cell: (request) => html`<${Deadline} deadline=${request.deadline} isOpen=${isOpenRequest(request)} />`,
    },
    {
      name: "state",
      title: t("field.status"),
      width: "150px",
      sort: "status",
      cell: ({ status }) => html`<${Status} status=${status} />`,
    },
    {
      name: "assignedTo",
      title: t("field.assignedTo"),
      width: "1fr",
      fields: "assignedTo",
      sort: may("workers:view") && "assignedTo.name",
      cell: ({ assignedTo }) => assignedTo?.name,
    },
    ...(seesPrices() ? [priceColumn()] : []),
    {
      name: "reference",
      title: t("field.referenceId"),
      width: "130px",
      hidden: true,
      fields: "referenceId",
      sort: "referenceId",
      cell: ({ referenceId }) => referenceId,
    },
    {
      name: "delivery",
      title: t("field.deliveryLocation"),
      width: "2fr",
      hidden: true,
      fields: "deliveryLocation",
      sort: "deliveryLocation",
      cell: ({ deliveryLocation }) => deliveryLocation,
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

const priceColumn = () => ({
  name: "price",
  title: t("requests.price"),
  width: "130px",
  hidden: true,
  fields: "details",
  sort: "details.estimatedPrice",
  cell: ({ details }) => details.estimatedPrice > 0 && baht(details.estimatedPrice),
});
