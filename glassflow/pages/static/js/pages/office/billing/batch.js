// Actions on the selected entries: billed with one invoice, or taken off theirs.
import { html, useEffect, useState } from "../../../../vendor/ui.js";
import { onEvent } from "../../../core/events.js";
import { t } from "../../../core/i18n.js";
import { idOf, updated } from "../../../core/records.js";
import { Icon } from "../../../ui/parts.js";
import { Bill, Unbill } from "./actions.js";

/** The buttons for the selected rows; see RecordList. */
export default function BillingActions({ rows, clear, list }) {
  const entries = useNewest(rows);
  const open = entries.filter(({ status }) => status === "open");
  const billed = entries.filter(({ status }) => status === "billed");
  const left = entries.filter(({ status }) => status !== "open");
  const done = () => [clear(), list.load()];
  return html`${open.length > 0 && (ofOne(open) ? html`<${Bill} entries=${open} left=${left} onDone=${done} />` : html`<${Several} />`)}
    ${billed.length > 0 && html`<${Unbill} entries=${billed} onDone=${done} />`}`;
}

const ofOne = (entries) => new Set(entries.map(({ customer }) => idOf(customer))).size === 1;

const Several = () => html`<span class="soft" id="several">${t("billing.several")}</span>
  <button type="button" class="quiet-button" disabled aria-describedby="several"><${Icon} name="receipt-text" />${t("billing.bill")}</button>`;

/** The selected rows as they are now: one that somebody else bills leaves the list, and stays selected. */
function useNewest(rows) {
  const [heard, setHeard] = useState({});
  useEffect(
    () => onEvent("billing:updated", ({ data }) => setHeard((before) => ({ ...before, [data._id]: data }))),
    [],
  );
  return rows.map((row) => (heard[row._id] ? updated(row, heard[row._id]) : row));
}
