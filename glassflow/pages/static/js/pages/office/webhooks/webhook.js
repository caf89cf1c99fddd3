// One webhook with its deliveries, or a new one.
import { html } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { t } from "../../../core/i18n.js";
import { go } from "../../../core/router.js";
import { Icon } from "../../../ui/parts.js";
import { ActionButton } from "../dialog_button.js";
import { TextList } from "../text_list.js";
import { OFFICE } from "../layout.js";
import { RecordPage } from "../record.js";
import { Deliveries } from "./deliveries.js";
import { State } from "./parts.js";

export const title = "webhooks.one";
export const styles = ["pages/office/webhooks/webhooks"];

let fresh = {}; // the id of a webhook and its new secret, which is shown once

export default function Webhook({ id = "new" }) {
  const created = (webhook) => {
    fresh = webhook;
    go(`${OFFICE}/webhooks/${webhook._id}`);
  };
  return html`<${RecordPage} section="webhooks" resource="webhooks" event="webhook:updated" id=${id} manage="*"
    newTitle=${t("webhooks.new")} nameOf=${({ url }) => hostOf(url)} fields=${fields()}
    initial=${{ events: ["*"], isActive: true }} ...${id === "new" ? { onSaved: created } : {}}
    actions=${(webhook) => html`<${State} webhook=${webhook} />`}
    below=${(webhook) => html`<${Secret} webhook=${webhook} /><${Deliveries} webhook=${webhook} />`} />`;
}

function hostOf(url) {
  return new URL(url).host;
}

function fields() {
  return [
    {
      name: "url",
      label: t("field.url"),
      required: true,
      wide: true,
      hint: t("webhooks.urlHint"),
      attributes: { type: "url", maxlength: 2000, spellcheck: false, autocapitalize: "none" },
    },
    {
      name: "events",
      label: t("field.events"),
      kind: "custom",
      required: true,
      wide: true,
      hint: t("webhooks.eventsHint"),
      draw: ({ value, values, onChange, ...shared }) =>
        html`<${TextList} value=${value ?? []} onChange=${onChange} ...${shared} />`,
    },
    { name: "isActive", label: t("webhooks.isActive"), kind: "checkbox", hint: t("webhooks.isActiveHint") },
  ];
}

/** The secret, where it is new; why the service has switched the webhook off; a new secret. */
function Secret({ webhook }) {
  const replace = async (_, { version }) => {
    const headers = { "If-Match": `"${version}"` };
    fresh = (await api(`/webhooks/${webhook._id}/secret`, { method: "POST", body: {}, headers })).data;
  };
  const secret = fresh._id === webhook._id && fresh.secret;
  return html`<section class="card secret" aria-labelledby="secret">
    <h2 id="secret">${t("webhooks.secret")}</h2>
    ${webhook.disabledReason && html`<p class="fault"><${Icon} name="circle-alert" />
      <span>${t("webhooks.disabledReason", { reason: webhook.disabledReason })}</span></p>`}
    <div role="status">${secret && html`<p>${t("webhooks.secretOnce")}</p><p><code>${secret}</code></p>`}</div>
    <p class="soft">${t("webhooks.secretHint")}</p>
    <div class="form-buttons"><${ActionButton} icon="refresh-cw" label=${t("webhooks.replace")}
      hint=${t("webhooks.replaceHint")} record=${webhook} send=${replace} /></div>
  </section>`;
}
