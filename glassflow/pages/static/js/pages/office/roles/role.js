// One role, or a new one: its name, and the matrix of what it allows.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { roleName } from "../../../core/role_names.js";
import { RecordPage } from "../record.js";
import { Matrix } from "./matrix.js";

export const title = "roles.one";
export const styles = ["pages/office/roles/roles"];

export default function Role({ id = "new" }) {
  return html`<${RecordPage} section="roles" resource="roles" event="role:updated" id=${id}
    manage="roles:manage" newTitle=${t("roles.new")} nameOf=${roleName} fields=${fields()}
    initial=${{ permissions: [] }} canDelete=${({ isSystem }) => !isSystem} />`;
}

function fields() {
  return [
    { name: "name", label: t("field.name"), required: true },
    { name: "description", label: t("field.description"), wide: true },
    {
      name: "permissions",
      label: t("roles.permissions"),
      kind: "custom",
      wide: true,
      draw: (properties) => html`<${Matrix} ...${properties} />`,
      show: (keys) => keys?.join(", "),
    },
  ];
}
