// The route of a new piece, where the stations of the old route no longer exist.
import { html } from "../../../../vendor/ui.js";
import { addTexts, t } from "../../../core/i18n/index.js";
import { Route } from "../requests/route.js";
import { texts } from "../requests/texts.js";

addTexts(texts);

export default function NewRoute({ value, onChange }) {
  return html`<div class="field"><label for="new-route">${t("claims.newRoute")}</label>
    <${Route} id="new-route" value=${value} onChange=${onChange} /></div>`;
}
