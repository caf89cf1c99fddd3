// How a worker identifies on shared devices, and where they are logged in.
import { html } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { date, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { go } from "../../../core/router.js";
import { session } from "../../../core/session.js";
import { Icon } from "../../../ui/parts.js";
import { ActionButton } from "../dialog_button.js";

/** The badge, the PIN and the logins of a worker: for who manages workers; one's own PIN for oneself. */
export function DeviceLogin({ worker }) {
  const { _id, badgeIssuedAt, pinSetAt } = worker;
  const isOwn = session.value.worker?._id === _id;
  if (!may("workers:manage") && !isOwn) return null;
  return html`<section class="card" aria-labelledby="device-login">
    <h2 id="device-login">${t("people.devices")}</h2>
    <p class="soft">${t("people.devicesHint")}</p>
    <dl>
      <dt>${t("people.badge")}</dt><dd>${badgeIssuedAt ? t("people.since", { day: date(new Date(badgeIssuedAt)) }) : t("people.noBadge")}</dd>
      <dt>${t("people.pin")}</dt><dd>${pinSetAt ? t("people.since", { day: date(new Date(pinSetAt)) }) : t("people.noPin")}</dd>
    </dl>
    <div class="form-buttons">
      ${isOwn && html`<${ActionButton} icon="lock" label=${t("people.ownPin")} hint=${t("people.setPinHint")}
        fields=${[pinField(), passwordField()]} done=${t("people.pinSet")} send=${setOwnPin} />`}
      ${may("workers:manage") && html`<${Managed} worker=${worker} isOwn=${isOwn} />`}
    </div>
  </section>`;
}

function Managed({ worker, isOwn }) {
  const { _id, badgeIssuedAt, pinSetAt } = worker;
  const call =
    (method, path, body) =>
    (values, { version }) =>
      api(`/workers/${_id}/${path}`, { method, body: body?.(values), headers: { "If-Match": `"${version}"` } });
  const print = `/floor/labels?workers=${_id}`;
  const issue = (values, seen) => call("POST", "badge")(values, seen).then(() => go(print));
  return html`${badgeIssuedAt ? html`<a class="quiet-button" href=${print}><${Icon} name="printer" />${t("people.printBadge")}</a>
        <${ActionButton} icon="refresh-cw" label=${t("people.replaceBadge")} hint=${t("people.replaceBadgeHint")} isDanger
          record=${worker} send=${issue} />
        <${ActionButton} icon="ban" label=${t("people.revokeBadge")} hint=${t("people.revokeBadgeHint")} isDanger
          record=${worker} send=${call("DELETE", "badge")} />`
        : html`<${ActionButton} icon="id-card" label=${t("people.newBadge")} hint=${t("people.newBadgeHint")}
          record=${worker} send=${issue} />`}
      ${!isOwn && html`<${ActionButton} icon="lock" label=${t("people.setPin")} hint=${t("people.setPinHint")} fields=${[pinField()]}
        done=${t("people.pinSet")} record=${worker} send=${call("PUT", "pin", ({ pin = "" }) => ({ pin }))} />`}
      ${pinSetAt && html`<${ActionButton} icon="trash-2" label=${t("people.clearPin")} hint=${t("people.clearPinHint")} isDanger
        record=${worker} send=${call("DELETE", "pin")} />`}
      <${ActionButton} icon="log-out" label=${t("people.logOut")} hint=${t("people.logOutHint")} isDanger
        record=${worker} send=${call("POST", "logout")} />`;
}

const setOwnPin = ({ pin = "", currentPassword = "" }) =>
  api("/auth/me/pin", { method: "PUT", body: { pin, currentPassword } });

const passwordField = () => ({
  name: "currentPassword",
  label: t("access.currentPassword"),
  kind: "password",
  required: true,
  attributes: { autocomplete: "current-password" },
});

const pinField = () => ({
  name: "pin",
  label: t("people.newPin"),
  kind: "password",
  required: true,
  attributes: { inputmode: "numeric", maxlength: 8, autocomplete: "off" },
});

/** Print the badges of all: who has none gets one. */
export function AllBadges() {
  if (!may("workers:manage")) return null;
  const send = async () => {
    await api("/workers/badges", { method: "POST", body: {} });
    go("/floor/labels?workers=all");
  };
  return html`<${ActionButton} icon="id-card" label=${t("people.badges")} hint=${t("people.badgesHint")} send=${send} />`;
}
