// One price list, or a new one.
import { html, useEffect } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { joinRoom } from "../../../core/live.js";
import { may } from "../../../core/permissions.js";
import { Lazy } from "../../../ui/lazy.js";
import { Icon } from "../../../ui/parts.js";
import { OFFICE } from "../layout.js";
import { RecordPage } from "../record.js";
import { nameField } from "../same_name.js";

export const title = "pricelists.one";
export const styles = ["ui/grid", "pages/office/prices/prices"];

const ownRates = () => import("../prices/own_rates.js");

export default function PriceList({ id = "new" }) {
  useEffect(() => {
    joinRoom("pricing").catch(() => {}); // a change that is missed is found when the record is saved
  }, []);
  return html`<${RecordPage} section="price-lists" resource="price-lists" id=${id} event="priceList:updated"
    manage="pricing:manage" newTitle=${t("pricelists.new")} nameOf=${({ name }) => name}
    fields=${id === "new" ? fields({}) : fields} initial=${initial}
    below=${(record, reload) => html`<${Customers} list=${record} />
      <${Lazy} key=${record._id} load=${ownRates} list=${record} onChange=${reload} />`} />`;
}

export const initial = { percent: 0 };

/** The fields of a price list; of a new one, of {}. */
export function fields({ name = "" }) {
  return [
    nameField({
      resource: "price-lists",
      section: "price-lists",
      stored: name,
      label: t("field.name"),
      wide: true,
    }),
    {
      name: "percent",
      label: t("field.percent"),
      kind: "number",
      min: -100,
      max: 1000,
      unit: "%",
      hint: t("pricelists.percentHint"),
    },
    { name: "validFrom", label: t("field.validFrom"), kind: "moment" },
    { name: "validTo", label: t("field.validTo"), kind: "moment", hint: t("pricelists.validHint") },
    { name: "notes", label: t("field.notes"), kind: "textarea", wide: true },
  ];
}

function Customers({ list }) {
  if (!may("customers:view")) return null;
  return html`<p><a class="quiet-button" href=${`${OFFICE}/customers?priceList=${list._id}`}>
    <${Icon} name="users" />${t("pricelists.customers")}</a></p>`;
}
