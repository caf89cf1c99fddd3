// The credits of a billed entry, and what is left of it; live.
import { html } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { t } from "../../../core/i18n.js";
import { idOf, withChange } from "../../../core/records.js";
import { money } from "../../../ui/money.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { OFFICE } from "../layout.js";
import { counting, leftOf } from "./credit_rows.js";
import { BillingStatus } from "./parts.js";

const MOST = 100;

/** The credits of the entry `id`, also void ones, the oldest first. */
export const useCredits = (id) =>
  useResource(`credits of ${id}`, () => [
    async () => (await api(`/billing-entries?creditOf=${id}&limit=${MOST}&sort=entryNumber`)).data,
    {
      "billing:updated": (rows, payload) =>
        idOf(payload.data.creditOf) === id || rows.some(({ _id }) => _id === payload.data._id)
          ? withChange(rows, payload)
          : rows,
    },
  ]);

/** Nothing for an entry without credits. */
export default function Credits({ entry }) {
  const credits = useCredits(entry._id);
  const rows = counting(credits.value ?? []);
  if (!rows.length && !credits.error) return null;
  return html`<section class="card" aria-labelledby="credits"><h2 id="credits">${t("billing.credits")}</h2>
    <${Loaded} of=${credits}>${() => html`<table class="quote-lines billing-parts credits">
      <thead><tr><th scope="col">${t("field.entryNumber")}</th><th scope="col">${t("field.net")}</th></tr></thead>
      <tbody>${rows.map((one) => html`<tr key=${one._id}><th scope="row"><a href=${`${OFFICE}/billing/${one._id}`}>${one.entryNumber}</a>${" "}
          <${BillingStatus} status=${one.status} /> <span class="soft">${one.invoiceNumber}</span><br /><span>${one.reason}</span></th>
        <td data-title=${t("field.net")}>${money(one.net)}</td></tr>`)}</tbody>
      <tfoot><tr><th scope="row">${t("billing.left")}</th><td>${money(leftOf(entry, rows).left)}</td></tr></tfoot>
    </table>`}<//></section>`;
}
