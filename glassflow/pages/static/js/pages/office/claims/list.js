// The claims by their status, those that wait for a decision first; live.
import { html } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { date, number, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { CLAIM_DECISIONS, CLAIM_STATUSES, DEFECTS } from "../../../core/record_terms.js";
import { query } from "../../../core/router.js";
import { dayFilters, referenceFilter } from "../../../ui/filters.js";
import { address } from "../../../ui/record_list.js";
import { useResource } from "../../../ui/use_resource.js";
import { pendingClaims } from "../counts.js";
import { ListPage } from "../list_page.js";
import { Station, Status } from "../parts.js";
import { stationOptions } from "../station_options.js";
import { SOURCES } from "./fields.js";

export const title = "office.claims";
export const styles = ["pages/office/claims/claims", "ui/station_colors"];

const TABS = [...CLAIM_STATUSES, "all"];

export default function Claims() {
  const given = query.value.get("show");
  const tab = TABS.includes(given) ? given : TABS[0];
  return html`<${ListPage} section="claims" icon="triangle-alert" create="claims:create" newTitle=${t("claims.new")}
    hint=${t(tab === "pending" ? "claims.hintPending" : "claims.hint")} resource="claims" event="claim:updated"
    populate="pane,order,reportedBy,approvedBy,defectStation,remadePane" sort="-claimDate" columns=${columns()} filters=${filters()}
    fixed=${tab === "all" ? {} : { status: tab }}><${Tabs} tab=${tab} /><//>`;
}

function Tabs({ tab }) {
  const pending = useResource("claims pending", () => [countPending, { "claim:updated": () => undefined }]);
  return html`<nav class="tabs" aria-label=${t("claims.tabs")}>${TABS.map((one) => html`
    <a key=${one} href=${address({ show: one, page: null })} aria-current=${tab === one ? "page" : undefined}>
      ${t(`claimstab.${one}`)}${one === "pending" && pending.value !== undefined && html` <b>${number(pending.value)}</b>`}</a>`)}</nav>`;
}

async function countPending() {
  const { pagination } = await api("/claims?status=pending&limit=1&fields=claimNumber");
  return (pendingClaims.value = pagination.total);
}

function filters() {
  return [
    {
      name: "source",
      label: t("field.source"),
      options: SOURCES.map((value) => ({ value, label: t(`claimssource.${value}`) })),
    },
    {
      name: "defectCode",
      label: t("field.defectCode"),
      options: DEFECTS.map((value) => ({ value, label: t(`defect.${value}`) })),
    },
    { name: "defectStation", label: t("field.defectStation"), options: stationOptions(), more: true },
    ...(may("customers:view") && may("orders:view")
      ? [referenceFilter({ name: "customer", label: t("field.customer"), resource: "customers", more: true })]
      : []),
    referenceFilter({
      name: "order",
      label: t("field.order"),
      resource: "orders",
      more: true,
      nameOf: ({ orderNumber }) => orderNumber,
    }),
    referenceFilter({
      name: "pane",
      label: t("field.pane"),
      resource: "panes",
      more: true,
      nameOf: ({ paneNumber }) => paneNumber,
    }),
    referenceFilter({ name: "material", label: t("field.material"), resource: "materials", more: true }),
    {
      name: "decision",
      label: t("claims.oldPiece"),
      options: CLAIM_DECISIONS.map((value) => ({ value, label: t(`claims.${value}`) })),
      more: true,
    },
    ...dayFilters({ name: "claimDate", from: t("claims.from"), to: t("claims.to"), more: true }),
  ];
}

export function columns() {
  return [
    {
      name: "number",
      title: t("field.claimNumber"),
      width: "120px",
      sort: "claimNumber",
      cell: ({ claimNumber }) => html`<strong>${claimNumber}</strong>`,
    },
    {
      name: "state",
      title: t("field.status"),
      width: "130px",
      sort: "status",
      cell: ({ status }) => html`<${Status} status=${status} />`,
    },
    {
      name: "pane",
      title: t("field.pane"),
      width: "125px",
      fields: "pane",
      sort: may("panes:view") && "pane.paneNumber",
      cell: ({ pane }) => pane?.paneNumber,
    },
    {
      name: "defect",
      title: t("field.defectCode"),
      width: "110px",
      sort: "defectCode",
      cell: ({ defectCode }) => defectCode && t(`defect.${defectCode}`),
    },
    {
      name: "description",
      title: t("field.description"),
      width: "3fr",
      fields: "description",
      sort: "description",
      cell: ({ description }) => description,
    },
    {
      name: "order",
      title: t("field.order"),
      width: "110px",
      isWide: true,
      fields: "order",
      sort: may("orders:view") && "order.orderNumber",
      cell: ({ order }) => order?.orderNumber,
    },
    {
      name: "foundAt",
      title: t("field.defectStation"),
      width: "2fr",
      hidden: true,
      fields: "defectStation",
      sort: may("stations:view") && "defectStation.position",
      cell: ({ defectStation }) => defectStation && html`<${Station} station=${defectStation} />`,
    },
    {
      name: "by",
      title: t("field.reportedBy"),
      width: "2fr",
      isWide: true,
      fields: "reportedBy",
      sort: may("workers:view") && "reportedBy.name",
      cell: ({ reportedBy }) => reportedBy?.name,
    },
    {
      name: "decidedBy",
      title: t("field.approvedBy"),
      width: "2fr",
      hidden: true,
      fields: "approvedBy",
      sort: may("workers:view") && "approvedBy.name",
      cell: ({ approvedBy }) => approvedBy?.name,
    },
    {
      name: "rejectedWith",
      title: t("field.rejectedWith"),
      width: "150px",
      hidden: true,
      fields: "rejectedWith",
      sort: "rejectedWith",
      cell: ({ rejectedWith }) => rejectedWith,
    },
    {
      name: "remade",
      title: t("field.remadePane"),
      width: "130px",
      hidden: true,
      fields: "remadePane",
      sort: may("panes:view") && "remadePane.paneNumber",
      cell: ({ remadePane }) => remadePane?.paneNumber,
    },
    {
      name: "date",
      title: t("field.claimDate"),
      width: "125px",
      sort: "claimDate",
      cell: ({ claimDate }) => date(new Date(claimDate)),
    },
  ];
}
