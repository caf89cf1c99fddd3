// The keys by which programs act as a worker; a new one is shown once.
import { html, useState } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { date, dateTime, t } from "../../../core/i18n.js";
import { Icon } from "../../../ui/parts.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { ActionButton } from "../dialog_button.js";
import { TextList } from "../text_list.js";

const LOOK_MS = 30_000;

/** `path` is what the routes of the keys begin with: "/auth" for one's own; `canCreate`: whether new ones are offered. */
export function ApiKeys({ path, canCreate = true }) {
  const [fresh, setFresh] = useState(null);
  const found = useResource(`api keys ${path}`, () => [
    async () => (await api(`${path}/api-keys`)).data,
    {},
    { everyMs: LOOK_MS },
  ]);
  const isOwn = path === "/auth";
  const create = async ({ name = "", scopes = [], expiresAt, currentPassword = "" }) => {
    const body = { name, scopes, ...(expiresAt ? { expiresAt } : {}), ...(isOwn ? { currentPassword } : {}) };
    setFresh((await api(`${path}/api-keys`, { method: "POST", body })).data.key);
    found.load();
  };
  const revoke = (id) => api(`${path}/api-keys/${id}`, { method: "DELETE" }).then(found.load);
  return html`<section class="card access" aria-labelledby="api-keys">
    <h2 id="api-keys">${t("access.keys")}</h2>
    <p class="soft">${t("access.keysHint")}</p>
    <div role="status">${fresh && html`<p>${t("access.keyOnce")}</p><p><code>${fresh}</code></p>`}</div>
    <${Loaded} of=${found}>${() => html`
      ${found.value.length === 0 && html`<p>${t("access.noKeys")}</p>`}
      <ul>${found.value.map((row) => html`<${Key} key=${row._id} row=${row} onRevoke=${() => revoke(row._id)} />`)}</ul>`}<//>
    ${canCreate && html`<div class="form-buttons"><${ActionButton} icon="plus" label=${t("access.newKey")} hint=${t("access.newKeyHint")}
      fields=${fields(isOwn)} send=${create} /></div>`}
  </section>`;
}

function Key({ row: { _id, name, scopes, expiresAt, isExpired, lastUsedAt }, onRevoke }) {
  const until = expiresAt
    ? t(isExpired ? "access.keyEnded" : "access.keyUntil", { day: date(new Date(expiresAt)) })
    : t("access.keyEndless");
  return html`<li>
    <${Icon} name="lock" />
    <div><strong>${name}</strong> <code>gf_${_id}…</code>
      ${isExpired && html` <span class="status" data-status="cancelled"><${Icon} name="ban" />${t("access.expired")}</span>`}
      <span class="soft">${until} · ${lastUsedAt ? t("access.seen", { time: dateTime(new Date(lastUsedAt)) }) : t("access.unused")}</span>
      <span class="soft">${scopes.join(", ")}</span></div>
    <${ActionButton} icon="trash-2" label=${t("access.revoke")} hint=${t("access.revokeHint", { name })} isDanger send=${onRevoke} />
  </li>`;
}

function fields(isOwn) {
  const password = {
    name: "currentPassword",
    label: t("access.currentPassword"),
    kind: "password",
    required: true,
    attributes: { autocomplete: "current-password" },
  };
  return [
    {
      name: "name",
      label: t("access.keyName"),
      required: true,
      hint: t("access.keyNameHint"),
      attributes: { maxlength: 100 },
    },
    {
      name: "scopes",
      label: t("field.permissions"),
      kind: "custom",
      required: true,
      hint: t("access.scopesHint"),
      draw: ({ value, values, onChange, readOnly, ...shared }) =>
        html`<${TextList} value=${value ?? []} onChange=${onChange} ...${shared} />`,
    },
    { name: "expiresAt", label: t("access.keyEnd"), kind: "moment", hint: t("access.keyEndHint") },
    ...(isOwn ? [password] : []),
  ];
}
