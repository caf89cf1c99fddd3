// The own rates of a price list, typed as on the page of prices; loaded after the page.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { Editor } from "../prices/prices.js";
import { ReadOnly } from "../prices/read_only.js";

const AMOUNTS = ["holePriceEach", "notchPrice"];

/** `record` is the price list; `onChange()` reads it again. */
export default function Rates({ record, onChange }) {
  const list = { minimumArea: null, ...record }; // the amount that a price list does not have
  const given = AMOUNTS.filter((name) => list[name] !== null);
  const path = `/price-lists/${record._id}`;
  return html`<h2>${t("pricelists.own")}</h2><p class="soft">${t("pricelists.ownHint")}</p>
    ${may("pricing:manage")
      ? html`<${Editor} list=${list} path=${path} method="PATCH" draft=${`${path} rates`} amounts=${AMOUNTS} needed=${[]}
          onSaved=${onChange} onStale=${onChange} />`
      : html`<${ReadOnly} list=${list} amounts=${given} />`}`;
}
