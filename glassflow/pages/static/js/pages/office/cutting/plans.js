// The cutting plans, the latest first; live.
import { html } from "../../../../vendor/ui.js";
import { dateTime, number, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { PLAN_STATUSES } from "../../../core/record_terms.js";
import { referenceFilter } from "../../../ui/filters.js";
import { RecordList } from "../../../ui/record_list.js";
import { Empty } from "../empty.js";
import { OFFICE } from "../layout.js";
import { isSearching, PlanStatus, usePercent } from "./parts.js";

export const Plans = () => html`<section class="card" aria-labelledby="plans"><h2 id="plans">${t("cutting.plans")}</h2>
  <${RecordList} resource="cutting-plans" label=${t("cutting.plans")} event="planning:updated" populate="material" columns=${columns()}
    filters=${filters()} searchable=${false} href=${({ _id }) => `${OFFICE}/cutting/${_id}`} rowName=${({ planNumber }) => planNumber}
    empty=${html`<${Empty} icon="ruler" title=${t("cutting.noPlans")} hint=${t("cutting.noPlansHint")} />`} /></section>`;

const filters = () => [
  {
    name: "status",
    label: t("field.status"),
    options: PLAN_STATUSES.map((value) => ({ value, label: t(`cuttingstatus.${value}`) })),
  },
  referenceFilter({ name: "material", label: t("field.material"), resource: "materials" }),
];

export const columns = () => [
  {
    name: "number",
    title: t("field.planNumber"),
    width: "115px",
    fields: "planNumber",
    sort: "planNumber",
    cell: ({ planNumber }) => html`<strong>${planNumber}</strong>`,
  },
  {
    name: "state",
    title: t("field.status"),
    width: "150px",
    fields: "status",
    sort: "status",
    cell: (plan) =>
      html`<${PlanStatus} status=${plan.status} />${isSearching(plan) && html` <span class="soft">${t("cutting.searches")}</span>`}`,
  },
  {
    name: "material",
    title: t("field.material"),
    width: "3fr",
    fields: "material",
    sort: may("materials:view") && ["material", "name"].join("."),
    cell: ({ material }) => material?.name,
  },
  {
    name: "panes",
    title: t("cuttingfigure.panes"),
    width: "80px",
    cell: ({ figures }) => number(figures.panes),
  },
  {
    name: "sheets",
    title: t("cutting.sheets"),
    width: "80px",
    cell: ({ figures }) => number(figures.sheets + figures.remnants),
  },
  { name: "use", title: t("cutting.use"), width: "80px", cell: ({ figures }) => usePercent(figures) },
  {
    name: "created",
    title: t("field.createdAt"),
    width: "170px",
    isWide: true,
    fields: "createdAt",
    sort: "createdAt",
    cell: ({ createdAt }) => dateTime(new Date(createdAt)),
  },
];
