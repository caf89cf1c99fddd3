// The lots of one material, and what is done with it.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { Icon } from "../../../ui/parts.js";
import { OFFICE } from "../layout.js";
import { LotActions } from "./actions.js";
import { amount, kindOf } from "./parts.js";

/** What is done with a material. */
export function Links({ material: { _id, name } }) {
  const link = (href, icon, key) => html`<a class="quiet-button" href=${href}><${Icon} name=${icon} />${t(key)}
    <span class="visually-hidden"> ${name}</span></a>`;
  return html`<nav class="holding-links" aria-label=${name}>
    ${may("inventory:manage") && link(`${OFFICE}/stock/new?material=${_id}`, "plus", "stock.takeIn")}
    ${may("withdrawals:create") && link(`${OFFICE}/withdrawals/new?material=${_id}`, "package-minus", "stock.withdraw")}
    ${may("material_logs:view") && link(`${OFFICE}/materials/${_id}/book`, "file-text", "book.page")}
  </nav>`;
}

/** `from` is what leads back to this page from that of a lot (see `Back`). */
export function Lots({ material: { name, unit, lots }, from, onChange }) {
  return html`<ul class="lots" aria-label=${t("stock.lots", { name })}>${lots.map((lot) => html`
    <li key=${lot._id} data-inactive=${lot.isActive ? undefined : ""}>
      <a href=${`${OFFICE}/stock/${lot._id}${from ? `?from=${from}` : ""}`}>${lot.inventoryNumber}</a>
      <span class="lot-place"><${Icon} name="map-pin" />${[lot.location, lot.storageColor].filter(Boolean).join(" · ")}</span>
      <span class="lot-kind soft" data-sized=${lot.dimensions?.width > 0 ? "" : undefined}>${kindOf(lot)}${!lot.isActive && ` · ${t("form.notInUse")}`}</span>
      <strong class="lot-quantity">${amount(lot.quantity, unit)}</strong>
      <${LotActions} lot=${lot} unit=${unit} readAgain=${onChange} />
    </li>`)}</ul>`;
}
