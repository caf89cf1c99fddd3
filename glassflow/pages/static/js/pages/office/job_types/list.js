// The job types: kinds of work that the workshop offers.
import { html } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { nameOf } from "../../../core/station_names.js";
import { ListPage } from "../list_page.js";
import { Station } from "../parts.js";

export const title = "office.job-types";
export const styles = ["pages/office/stock/stock", "ui/station_colors"];

export default function JobTypes() {
  const isActive = {
    name: "isActive",
    label: t("field.status"),
    options: [
      { value: "true", label: t("field.isActive") },
      { value: "false", label: t("form.notInUse") },
    ],
  };
  return html`<${ListPage} section="job-types" icon="wrench" create="job_types:manage" newTitle=${t("jobtypes.new")}
    hint=${t("jobtypes.hint")} resource="job-types" event="jobType:updated" sort="name" populate="defaultMaterial"
    columns=${columns()} filters=${[isActive]} />`;
}

export function columns() {
  return [
    {
      name: "name",
      title: t("field.name"),
      width: "2fr",
      sort: "name",
      cell: (jobType) => html`<strong>${nameOf(jobType)}</strong>`,
    },
    { name: "code", title: t("field.code"), width: "110px", sort: "code", cell: ({ code }) => code },
    {
      name: "sheets",
      title: t("field.sheetsPerPane"),
      width: "130px",
      sort: "sheetsPerPane",
      cell: ({ sheetsPerPane }) => number(sheetsPerPane),
    },
    {
      name: "steps",
      title: t("field.defaultRouting"),
      width: "4fr",
      fields: "defaultRouting",
      cell: ({ defaultRouting }) => html`<span class="legend">
      ${defaultRouting.map((id, index) => html`<${Station} key=${index} station=${id} />`)}</span>`,
    },
    {
      name: "material",
      title: t("field.defaultMaterial"),
      width: "2fr",
      fields: "defaultMaterial",
      sort: may("materials:view") && "defaultMaterial.name",
      cell: ({ defaultMaterial }) => defaultMaterial?.name,
    },
    {
      name: "use",
      title: t("field.status"),
      width: "120px",
      hidden: true,
      fields: "isActive",
      sort: "isActive",
      cell: ({ isActive }) => t(isActive ? "field.isActive" : "form.notInUse"),
    },
  ];
}
