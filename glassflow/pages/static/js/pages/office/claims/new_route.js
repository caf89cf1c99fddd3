// The route of a new piece, where the stations of the old route no longer exist.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import RouteField from "../route_field.js";

export default function NewRoute({ value, onChange }) {
  return html`<div class="field"><label for="new-route">${t("claims.newRoute")}</label>
    <${RouteField} id="new-route" value=${value} onChange=${onChange} /></div>`;
}
