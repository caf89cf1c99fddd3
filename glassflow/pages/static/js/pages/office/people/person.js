// One worker, or a new one.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { roleName } from "../../../core/role_names.js";
import { RecordPage } from "../record.js";
import { nameField } from "../same_name.js";
import { ManagedAccess } from "./managed_access.js";
import { DeviceLogin } from "./device_login.js";

export const title = "people.one";
export const styles = ["pages/office/people/people"];

const INITIAL = { isActive: true };

export default function Person({ id = "new" }) {
  return html`<${RecordPage} section="people" resource="workers" event="worker:updated" id=${id} populate="role"
    manage="workers:manage" newTitle=${t("people.new")} nameOf=${({ name }) => name} fields=${id === "new" ? fields({}) : fields}
    initial=${INITIAL} another=${() => INITIAL}
    below=${(worker) => html`<${DeviceLogin} worker=${worker} /><${ManagedAccess} worker=${worker} />`} />`;
}

function fields({ _id = undefined, name = "" }) {
  const isNew = !_id;
  return [
    nameField({ resource: "workers", section: "people", about: "username", stored: name, label: t("field.name") }),
    { name: "position", label: t("field.position"), required: true },
    {
      name: "role",
      label: t("field.role"),
      kind: "reference",
      resource: "roles",
      nameOf: roleName,
      required: true,
      hint: t("people.roleHint"),
    },
    {
      name: "username",
      label: t("field.username"),
      required: true,
      attributes: { autocapitalize: "none", spellcheck: false, maxlength: 64 },
    },
    {
      name: "password",
      label: t(isNew ? "access.password" : "password.new"),
      kind: "password",
      required: isNew,
      hint: t(isNew ? "people.passwordHint" : "people.newPasswordHint"),
      attributes: { autocomplete: "new-password" },
    },
    {
      name: "station",
      label: t("people.station"),
      kind: "reference",
      resource: "stations",
      query: { sort: "position" },
      hint: t("people.stationHint"),
    },
    { name: "isActive", label: t("people.isActive"), kind: "checkbox", hint: t("people.isActiveHint") },
  ];
}
