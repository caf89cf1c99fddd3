// All panes, with every filter of the API; selected ones are scanned, corrected or printed.
import { html } from "../../../../vendor/ui.js";
import { serviceTime } from "../../../core/api.js";
import { date, dateTime, number, t } from "../../../core/i18n.js";
import { OPEN, TERMINAL } from "../../../core/pane_flow.js";
import { may } from "../../../core/permissions.js";
import { idOf } from "../../../core/records.js";
import { workingDuration, workingSeconds } from "../../../core/working_time.js";
import { useNow } from "../../../ui/connection.js";
import { dayFilters, givenFilter, referenceFilter, textFilter } from "../../../ui/filters.js";
import { passportOf } from "../layout.js";
import { ListPage } from "../list_page.js";
import { Deadline, Station, Status } from "../parts.js";
import { stationOptions } from "../station_options.js";

export const title = "office.panes";
export const styles = ["pages/office/panes/panes", "ui/station_colors"];

const ROLES = ["single", "sheet", "parent"];

export default function Panes() {
  return html`<${ListPage} section="panes" icon="layers" hint=${t("panes.hint")} resource="panes" event="pane:updated"
    populate="order.customer,request,material" sort="-createdAt" columns=${columns()} filters=${filters()}
    href=${({ paneNumber }) => passportOf(paneNumber)} rowName=${({ paneNumber }) => paneNumber}
    actions=${() => import("./batch.js")} />`;
}

const byNumber = ({ paneNumber }) => paneNumber;
const choices = (values, group) => values.map((value) => ({ value, label: t(`${group}.${value}`) }));

function filters() {
  const places = stationOptions();
  return [
    {
      name: "status",
      label: t("field.status"),
      options: [{ value: String(OPEN), label: t("officetab.open") }, ...choices([...OPEN, ...TERMINAL], "status")],
    },
    {
      name: "station",
      label: t("field.currentStation"),
      options: [...places, { value: "null", label: t("office.noStation") }],
    },
    ...(may("customers:view") && (may("requests:view") || may("orders:view"))
      ? [referenceFilter({ name: "customer", label: t("field.customer"), resource: "customers" })]
      : []),
    referenceFilter({
      name: "order",
      label: t("field.order"),
      resource: "orders",
      nameOf: ({ orderNumber }) => orderNumber,
    }),
    referenceFilter({
      name: "request",
      label: t("field.request"),
      resource: "requests",
      more: true,
      nameOf: ({ requestNumber }) => requestNumber,
    }),
    referenceFilter({ name: "rack", label: t("field.rack"), resource: "racks", more: true }),
    referenceFilter({ name: "material", label: t("field.material"), resource: "materials", more: true }),
    textFilter({ name: "glassType", label: t("field.glassType"), more: true }),
    textFilter({ name: "jobType", label: t("field.jobType"), more: true }),
    { name: "laminateRole", label: t("field.laminateRole"), options: choices(ROLES, "panesrole"), more: true },
    referenceFilter({
      name: "parentPane",
      resource: "panes",
      query: { laminateRole: "parent" },
      label: t("panes.ofUnit"),
      nameOf: byNumber,
      more: true,
    }),
    { name: "laminateStation", label: t("field.laminateStation"), options: places, more: true },
    { name: "routing", label: t("panes.onRoute"), options: places, more: true },
    referenceFilter({ name: "remakeOf", resource: "panes", label: t("field.remakeOf"), nameOf: byNumber, more: true }),
    givenFilter({ name: "remakeOf", label: t("field.remake"), option: t("panes.onlyRemakes") }),
    ...(may("inventory:view")
      ? [
          referenceFilter({
            name: "inventory",
            resource: "inventories",
            label: t("panes.lot"),
            nameOf: ({ inventoryNumber }) => inventoryNumber,
            more: true,
          }),
        ]
      : []),
    ...(may("withdrawals:view")
      ? [
          referenceFilter({
            name: "withdrawal",
            resource: "withdrawals",
            label: t("field.withdrawal"),
            nameOf: ({ withdrawalNumber }) => withdrawalNumber,
            more: true,
          }),
        ]
      : []),
    { name: "isWithdrawn", label: t("field.isWithdrawn"), options: yesNo(), more: true },
    {
      name: "labelledAt",
      label: t("field.labelledAt"),
      options: [{ value: "null", label: t("panes.noLabel") }],
      more: true,
    },
    {
      name: "deliveredAt",
      label: t("field.deliveredAt"),
      options: [{ value: "null", label: t("panes.notDelivered") }],
      more: true,
    },
    {
      name: "includeMerged",
      label: t("panes.merged"),
      options: [{ value: "true", label: t("panes.mergedToo") }],
      more: true,
    },
    ...dayFilters({ name: "createdAt", from: t("panes.createdFrom"), to: t("panes.createdTo"), more: true }),
    ...dayFilters({ name: "arrivedAt", from: t("panes.arrivedFrom"), to: t("panes.arrivedTo"), more: true }),
    ...dayFilters({ name: "completedAt", from: t("panes.completedFrom"), to: t("panes.completedTo"), more: true }),
    ...dayFilters({ name: "deliveredAt", from: t("panes.deliveredFrom"), to: t("panes.deliveredTo"), more: true }),
  ];
}

const yesNo = () => [
  { value: "true", label: t("form.yes") },
  { value: "false", label: t("form.no") },
];
const day = (moment) => moment && date(new Date(moment));

/** How long a pane has been at its station, in working time. */
function Age({ since, station }) {
  const moment = new Date(since);
  const seconds = workingSeconds(moment.getTime(), serviceTime(useNow(false)), station);
  return html`<time datetime=${since} title=${dateTime(moment)}>${workingDuration(seconds, { unitDisplay: "short", station })}</time>`;
}

export function columns() {
  return [
    {
      name: "number",
      title: t("field.paneNumber"),
      width: "130px",
      sort: "paneNumber",
      cell: ({ paneNumber }) => html`<strong>${paneNumber}</strong>`,
    },
    {
      name: "state",
      title: t("field.status"),
      width: "140px",
      fields: "currentStatus",
      sort: "currentStatus",
      cell: ({ currentStatus }) => html`<${Status} status=${currentStatus} />`,
    },
    {
      name: "station",
      title: t("field.currentStation"),
      width: "2fr",
      fields: "currentStation",
      sort: may("stations:view") && "currentStation.position",
      cell: ({ currentStation }) => currentStation && html`<${Station} station=${currentStation} />`,
    },
    {
      name: "age",
      title: t("field.panes.arrivedAt"),
      width: "100px",
      fields: "arrivedAt",
      sort: "-arrivedAt",
      isWide: true,
      cell: ({ arrivedAt, currentStation }) =>
        arrivedAt && html`<${Age} since=${arrivedAt} station=${idOf(currentStation)} />`,
    },
    {
      name: "glass",
      title: t("panes.glass"),
      width: "2fr",
      fields: "glassTypeLabel,material",
      sort: "glassTypeLabel",
      cell: ({ glassTypeLabel, material }) => glassTypeLabel || material?.name,
    },
    {
      name: "mark",
      title: t("field.mark"),
      width: "110px",
      fields: "mark",
      sort: "mark",
      isWide: true,
      cell: ({ mark }) => mark,
    },
    {
      name: "size",
      title: t("field.dimensions"),
      width: "155px",
      fields: "dimensions",
      sort: "dimensions.area",
      cell: ({ dimensions: { width, height } }) =>
        width > 0 && t("office.mm", { size: `${number(width)} × ${number(height)}` }),
    },
    {
      name: "order",
      title: t("field.order"),
      width: "110px",
      fields: "order",
      sort: "order.orderNumber",
      cell: ({ order }) => order?.orderNumber,
    },
    {
      name: "customer",
      title: t("field.customer"),
      width: "2fr",
      isWide: true,
      fields: "order",
      sort: may("customers:view") && "order.customer.name",
      cell: ({ order }) => order?.customer?.name,
    },
    {
      name: "due",
      title: t("office.due"),
      width: "130px",
      fields: "request",
      sort: "request.deadline",
      cell: ({ request, currentStatus }) =>
        request?.deadline && html`<${Deadline} deadline=${request.deadline} isOpen=${OPEN.includes(currentStatus)} />`,
    },
    {
      name: "request",
      title: t("field.request"),
      width: "120px",
      hidden: true,
      fields: "request",
      sort: "request.requestNumber",
      cell: ({ request }) => request?.requestNumber,
    },
    {
      name: "material",
      title: t("field.material"),
      width: "2fr",
      hidden: true,
      fields: "material",
      sort: "material.name",
      cell: ({ material }) => material?.name,
    },
    {
      name: "role",
      title: t("field.laminateRole"),
      width: "120px",
      hidden: true,
      fields: "laminateRole",
      sort: "laminateRole",
      cell: ({ laminateRole }) => t(`panesrole.${laminateRole}`),
    },
    {
      name: "label",
      title: t("field.labelledAt"),
      width: "140px",
      sort: "labelledAt",
      hidden: true,
      cell: ({ labelledAt }) => day(labelledAt),
    },
    {
      name: "created",
      title: t("field.createdAt"),
      width: "140px",
      sort: "createdAt",
      hidden: true,
      cell: ({ createdAt }) => day(createdAt),
    },
    {
      name: "completed",
      title: t("field.completedAt"),
      width: "140px",
      sort: "completedAt",
      hidden: true,
      cell: ({ completedAt }) => day(completedAt),
    },
  ];
}
