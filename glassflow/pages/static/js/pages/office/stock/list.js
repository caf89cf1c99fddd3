// The stock: materials with their lots and sum, live.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { query } from "../../../core/router.js";
import { OFFICE } from "../layout.js";
import { ListPage } from "../list_page.js";
import { Links, Lots } from "../lots/lots.js";
import { withEvent, withMaterial } from "../lots/model.js";
import { Level } from "../lots/parts.js";

export const title = "office.stock";
export const styles = ["pages/office/stock/stock"];

const LOT_FIELDS = "inventoryNumber,material,stockType,dimensions,location,storageColor,quantity,isActive"; // of an export

const ON = {
  "inventory:updated": (list, payload, readAgain) => {
    const rows = withEvent(list.rows, payload);
    if (rows !== list.rows || query.peek().has("low")) readAgain(); // another may be low now
    return rows === list.rows ? list : { ...list, rows };
  },
  "material:updated": (list, payload, readAgain) => {
    const rows = withMaterial(list.rows, payload);
    if (rows === undefined) return undefined;
    readAgain();
    return { ...list, rows };
  },
};

export default function Stock() {
  const low = query.value.has("low");
  return html`<${ListPage} section="stock" icon="warehouse" create="inventory:manage" newTitle=${t("stock.takeIn")}
    hint=${t("stock.hint")} resource="materials/stock" sort="name" on=${ON}
    filters=${[{ name: "low", label: t("list.show"), options: [{ value: "true", label: t("stock.onlyLow") }] }]}
    imported="inventories" exported=${{ resource: "inventories", fixed: { sort: "inventoryNumber", search: "" }, fields: LOT_FIELDS }}
    draw=${(rows, { load }) => html`<div class="holdings" aria-label=${t("office.stock")} data-low=${low ? "" : undefined}>
      ${rows.map((row) => html`<${Holding} key=${row._id} material=${row} onChange=${load} />`)}</div>`} />`;
}

function Holding({ material, onChange }) {
  const { _id, name, code, brand, lots, isActive } = material;
  return html`<section class="card holding" data-low=${material.isLow ? "" : undefined} aria-labelledby=${`holding-${_id}`}>
    <header>
      <div><h2 id=${`holding-${_id}`}><a href=${`${OFFICE}/materials/${_id}?from=stock`}>${name}</a></h2>
        <p class="soft">${[code, brand, !isActive && t("form.notInUse")].filter(Boolean).join(" · ")}</p></div>
      <${Level} material=${material} />
      <${Links} material=${material} />
    </header>
    ${lots.length === 0 ? html`<p class="soft">${t("stock.noLots")}</p>`
      : html`<${Lots} material=${material} onChange=${onChange} />`}
  </section>`;
}
