// One job type, or a new one: what new panes of this work get by default.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { RecordPage } from "../record.js";
import RouteField from "../route_field.js";
import { TextList } from "../text_list.js";

export const title = "jobtypes.one";
export const styles = ["pages/office/stock/stock", "ui/station_colors"];

export default function JobType({ id = "new" }) {
  return html`<${RecordPage} section="job-types" resource="job-types" id=${id} event="jobType:updated"
    manage="job_types:manage" newTitle=${t("jobtypes.new")} nameOf=${({ name }) => name} fields=${fields()}
    initial=${initial} another=${() => initial} />`;
}

export const initial = { sheetsPerPane: 1, isActive: true };

/** The fields of a job type. */
export function fields() {
  return [
    { name: "name", label: t("field.name"), required: true },
    { name: "code", label: t("field.code"), required: true, attributes: { maxlength: 64 } },
    {
      name: "sheetsPerPane",
      label: t("field.sheetsPerPane"),
      kind: "number",
      min: 1,
      max: 26,
      step: 1,
      required: true,
      hint: t("jobtypes.sheetsHint"),
    },
    { name: "isTempered", label: t("field.isTempered"), kind: "checkbox", hint: t("jobtypes.temperedHint") },
    {
      name: "defaultMaterial",
      label: t("field.defaultMaterial"),
      kind: "reference",
      resource: "materials",
      query: { isActive: true },
    },
    {
      name: "defaultRouting",
      label: t("field.defaultRouting"),
      kind: "custom",
      wide: true,
      hint: t("jobtypes.routeHint"),
      draw: (field) => html`<${RouteField} ...${field} />`,
    },
    {
      name: "defaultRawGlassTypes",
      label: t("field.defaultRawGlassTypes"),
      kind: "custom",
      wide: true,
      hint: t("jobtypes.glassTypesHint"),
      draw: ({ value, onChange, ...shared }) =>
        html`<${TextList} value=${value ?? []} onChange=${onChange} ...${shared} />`,
    },
    { name: "description", label: t("field.description"), kind: "textarea", wide: true },
    { name: "isActive", label: t("field.isActive"), kind: "checkbox", hint: t("jobtypes.inactiveHint") },
  ];
}
