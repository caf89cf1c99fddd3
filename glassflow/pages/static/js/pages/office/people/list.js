// The people who work with glassflow.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { roleName } from "../../../core/role_names.js";
import { Icon } from "../../../ui/parts.js";
import { ListPage } from "../list_page.js";
import { AllBadges } from "./device_login.js";

export const title = "office.people";

export default function People() {
  const active = [
    { value: "true", label: t("people.active") },
    { value: "false", label: t("people.inactive") },
  ];
  return html`<${ListPage} section="people" icon="users" create="workers:manage"
    newTitle=${t("people.new")} hint=${t("people.hint")} resource="workers" event="worker:updated"
    sort="name" populate="role" columns=${columns()}
    filters=${[{ name: "isActive", label: t("field.status"), options: active }]}>
    <p><${AllBadges} /></p>
  <//>`;
}

export function columns() {
  return [
    {
      name: "name",
      title: t("field.name"),
      width: "2fr",
      sort: "name",
      cell: ({ name }) => html`<strong>${name}</strong>`,
    },
    { name: "username", title: t("field.username"), width: "1fr", sort: "username", cell: ({ username }) => username },
    { name: "position", title: t("field.position"), width: "2fr", sort: "position", cell: ({ position }) => position },
    {
      name: "role",
      title: t("field.role"),
      width: "1fr",
      fields: "role",
      sort: may("roles:view") && "role.name",
      cell: ({ role }) => role?.name && roleName(role),
    },
    {
      name: "state",
      title: t("field.status"),
      width: "150px",
      fields: "isActive",
      sort: "isActive",
      cell: ({ isActive }) => html`<span class="status"
      data-status=${isActive ? "completed" : "cancelled"}><${Icon} name=${isActive ? "circle-check" : "ban"} />
      ${t(isActive ? "people.active" : "people.inactive")}</span>`,
    },
  ];
}
