// Panes of another place, put on a planned delivery: they may go to its address all the same.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { Places } from "./several_places.js";

/** `isForAll` of the form lets its change name the address, though it stays as it is. */
export default function OneAddress({ values, set, error }) {
  return html`<section class="refused-panes" aria-labelledby="several-places"><${Places} places=${error.errors.places} />
    ${values.address && html`<label class="for-all"><input type="checkbox" checked=${values.isForAll} onChange=${({ target }) => set("isForAll", target.checked || undefined)} />
      ${t("delivery.forAll", { address: values.address })}</label>`}</section>`;
}
