// The ways to the change of a request, from its page or from that of one of its orders.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { Icon } from "../../../ui/parts.js";
import { REQUESTS } from "../layout.js";

/** `request` and `order` are ids, `panes` those of the page, live; without any there are only new ones to be added. */
export default function ChangeLinks({ request, order = "", panes }) {
  const link = (
    page,
    icon,
    label,
  ) => html`<a class="quiet-button" href=${`${REQUESTS}/${request}/${page}${order && `?order=${order}`}`}>
    <${Icon} name=${icon} />${label}</a>`;
  return html`<div class="form-buttons">${link("panes", "plus", t("requests.addPanes"))}
    ${panes.value?.rows.length > 0 && link("change", "pencil", t("requestchange.change"))}</div>`;
}
