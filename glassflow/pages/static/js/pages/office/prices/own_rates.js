// The own rates of a price list, typed as on the page of prices.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { Editor } from "./prices.js";
import { ReadOnly } from "./read_only.js";

const AMOUNTS = ["holePriceEach", "notchPrice"];

/** `onChange()` reads the list again after a change. */
export default function OwnRates({ list, onChange }) {
  const path = `/price-lists/${list._id}`;
  const given = AMOUNTS.filter((name) => list[name] !== null);
  return html`<h2>${t("pricelists.own")}</h2><p class="soft">${t("pricelists.ownHint")}</p>
    ${
      may("pricing:manage")
        ? html`<${Editor} list=${list} path=${path} method="PATCH" draft=${`${path} rates`} amounts=${AMOUNTS} needed=${[]}
            onSaved=${onChange} onStale=${onChange} />`
        : html`<${ReadOnly} list=${list} amounts=${given} />`
    }`;
}
