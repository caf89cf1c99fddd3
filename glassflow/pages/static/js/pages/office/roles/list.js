// The roles.
import { html } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { roleDescription, roleName } from "../../../core/role_names.js";
import { ListPage } from "../list_page.js";

export const title = "office.roles";

export default function Roles() {
  return html`<${ListPage} section="roles" icon="shield-check" create="roles:manage"
    newTitle=${t("roles.new")} hint=${t("roles.hint")} resource="roles" event="role:updated" sort="name"
    columns=${columns()} />`;
}

export function columns() {
  return [
    {
      name: "name",
      title: t("field.name"),
      width: "1fr",
      sort: "name",
      cell: (role) => html`<strong>${roleName(role)}</strong>`,
    },
    {
      name: "description",
      title: t("field.description"),
      width: "3fr",
      fields: "description",
      sort: "description",
      cell: roleDescription,
    },
    {
      name: "keys",
      title: t("field.permissions"),
      width: "140px",
      fields: "permissions",
      cell: ({ permissions }) =>
        permissions.includes("*") ? t("history.everything") : t("roles.count", { count: number(permissions.length) }),
    },
    {
      name: "kind",
      title: t("roles.kind"),
      width: "160px",
      fields: "isSystem",
      sort: "isSystem",
      cell: ({ isSystem }) => isSystem && t("field.isSystem"),
    },
  ];
}
