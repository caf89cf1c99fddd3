// The routes of panes of one kind: the stations of each in order, one route below the other.
import { html } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { Station } from "./parts.js";

export function Routes({ routes }) {
  return routes.map((route) =>
    route.length
      ? html`<ol class="steps" key=${route.join()} aria-label=${t("field.routing")}>${route.map((station, index) => html`
          <li key=${index}><${Station} station=${station} /></li>`)}</ol>`
      : html`<p class="soft">${t("office.noRouteOfKind")}</p>`,
  );
}
