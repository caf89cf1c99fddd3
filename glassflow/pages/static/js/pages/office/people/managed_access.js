// What who manages workers does with the logins of another worker.
import { html, useState } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { session } from "../../../core/session.js";
import { ActionButton } from "../dialog_button.js";
import { ApiKeys } from "./api_keys.js";
import { Sessions } from "./sessions.js";

/** A new password, the sessions and the API keys of a worker; one's own are on the account page. */
export function ManagedAccess({ worker }) {
  if (!may("workers:manage")) return null;
  if (session.value.worker?._id === worker._id) {
    return html`<p><a href="/floor/office/account">${t("access.account")}</a></p>`;
  }
  const path = `/workers/${worker._id}`;
  return html`<${Reset} path=${path} worker=${worker} /><${Sessions} path=${path} /><${ApiKeys} path=${path} canCreate=${worker.isActive} />`;
}

function Reset({ path, worker }) {
  const [password, setPassword] = useState(null);
  const send = async (_, { version }) => {
    const headers = { "If-Match": `"${version}"` };
    setPassword((await api(`${path}/reset-password`, { method: "POST", headers })).data.password);
  };
  return html`<section class="card access" aria-labelledby="reset">
    <h2 id="reset">${t("access.password")}</h2>
    <p class="soft">${t("access.resetWhat")}</p>
    <div role="status">${password && html`<p>${t("access.passwordOnce")}</p><p><code>${password}</code></p>`}</div>
    <div class="form-buttons"><${ActionButton} icon="refresh-cw" label=${t("access.reset")} hint=${t("access.resetHint")}
      isDanger record=${worker} send=${send} /></div>
  </section>`;
}
