// One's own account: the password, where one is logged in, and one's API keys.
import { html, useState } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { t } from "../../../core/i18n.js";
import { session } from "../../../core/session.js";
import { ActionButton } from "../dialog_button.js";
import { Head, Office } from "../layout.js";
import { ApiKeys } from "./api_keys.js";
import { Sessions } from "./sessions.js";

export const title = "access.account";
export const styles = ["pages/office/people/people"];

export default function Account() {
  const { worker } = session.value;
  return html`<${Office}>
    <${Head}><h1 tabindex="-1">${t("access.account")}</h1><p class="soft">${worker.name} · ${worker.username}</p><//>
    <${OwnPassword} />
    <${Sessions} path="/auth" />
    <${ApiKeys} path="/auth" />
  <//>`;
}

function OwnPassword() {
  const [isSaved, setSaved] = useState(false);
  const send = async ({ currentPassword = "", password = "" }) => {
    await api("/auth/me", { method: "PATCH", body: { currentPassword, password } });
    setSaved(true);
  };
  const fields = [
    ["currentPassword", "current-password"],
    ["password", "new-password"],
  ].map(([name, autocomplete]) => ({
    name,
    label: t(`access.${name === "password" ? "newPassword" : name}`),
    kind: "password",
    required: true,
    attributes: { autocomplete },
  }));
  return html`<section class="card access" aria-labelledby="password">
    <h2 id="password">${t("access.password")}</h2>
    <p role="status">${isSaved && t("access.passwordSaved")}</p>
    <div class="form-buttons"><${ActionButton} icon="lock" label=${t("access.changePassword")} hint=${t("access.changePasswordHint")}
      fields=${fields} send=${send} /></div>
  </section>`;
}
