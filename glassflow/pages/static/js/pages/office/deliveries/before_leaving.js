// What is to be known before a planned delivery leaves: that it is not paid, changed places; live.
import { html } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { idOf } from "../../../core/records.js";
import { money } from "../../../ui/money.js";
import { Icon } from "../../../ui/parts.js";
import { ActionButton } from "../dialog_button.js";
import { readPlaces } from "./address.js";
import { useChecklist } from "./checklist.js";
import { keyOf } from "./to_choose.js";

export default function BeforeLeaving({ delivery, onStale }) {
  const { unpaid, changedPlaces = [] } = useChecklist(delivery._id).value ?? {};
  return html`${unpaid && html`<p class="gone-panes"><${Icon} name="banknote" /><span>${
    unpaid.missing ? t("delivery.unpaidAmount", { amount: money(unpaid.missing) }) : t("delivery.unpaid")
  }</span></p>`}
    ${changedPlaces.length > 0 && html`<${ChangedPlaces} changed=${changedPlaces} delivery=${delivery} onStale=${onStale} />`}`;
}

/** The delivery takes the new place with its contact, or keeps its address: both confirm it. */
function ChangedPlaces({ changed, delivery, onStale }) {
  const own = t("delivery.ownPlace");
  const places = [...new Set(changed.map(({ now }) => now))].filter((one) => one || may("customers:view"));
  const change = async (body) => {
    const headers = { "If-Match": `"${delivery.version}"` };
    await api(`/deliveries/${delivery._id}`, { method: "PATCH", body, headers });
    onStale();
  };
  const use = async (place) => {
    const known = await readPlaces(idOf(delivery.customer));
    const address = place || known[0]?.address;
    const isThere = (one) => keyOf(one.address) === keyOf(address);
    const { contact, phone } = known.find(isThere) ?? known.at(-1) ?? {}; // else of the customer
    return change({ address, contact, phone });
  };
  return html`<section class="card" aria-label=${t("delivery.placesChanged")}>
    ${changed.map(({ requestNumber, before, now }) => html`<p class="gone-panes" key=${requestNumber}><${Icon} name="triangle-alert" />
      <span>${t("delivery.placeChanged", { request: requestNumber, now: now || own, before: before || own })}</span></p>`)}
    ${may("orders:manage") && html`<div class="form-buttons">
      ${places.map((place) => html`<${ActionButton} key=${place} icon="map-pin" label=${t("delivery.usePlace", { place: place || own })} record=${delivery}
        hint=${t("delivery.usePlaceHint", { place: place || own, address: delivery.address || "–" })} send=${() => use(place)} />`)}
      ${delivery.address && html`<${ActionButton} icon="check" label=${t("delivery.keepPlace")} record=${delivery}
        hint=${t("delivery.keepPlaceHint", { address: delivery.address })} send=${() => change({ address: delivery.address })} />`}</div>`}
  </section>`;
}
