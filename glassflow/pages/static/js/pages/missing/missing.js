// The page for an address below /floor that names none.
import { html } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { Icon } from "../../ui/parts.js";

export const title = "missing.title";

export default function Missing() {
  return html`<main class="message">
    <${Icon} name="map-pin-off" />
    <h1 tabindex="-1">${t("missing.title")}</h1>
    <p>${t("missing.text", { path: location.pathname })}</p>
    <a class="main-button" href="/floor/">
      <${Icon} name="arrow-left" />${t("missing.home")}</a>
  </main>`;
}
