// A new quote: for whom, and a row for each kind of pane, with its price.
import { html, useRef } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { go, query } from "../../../core/router.js";
import { Lazy } from "../../../ui/lazy.js";
import { NewForm } from "../../../ui/new_form.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { OFFICE } from "../layout.js";
import { NewRecordPage } from "../record.js";
import { newRow } from "../pane_grid/rows.js";
import { checkRows, ofDraft } from "../pane_grid/setup.js";
import { useFirstField } from "../use_first_field.js";
import { fields, newBody, rowsOf } from "./fields.js";

export const title = "quotes.new";
export const styles = ["ui/drawing", "ui/station_colors", "ui/grid", "pages/office/requests/requests"];

const rows = () => import("./rows.js");

export default function NewQuote() {
  const from = query.value.get("copy");
  const start = useResource(`new quote ${from ?? ""}`, () => [() => readStart(from), {}, { fresh: true }]);
  return html`<${NewRecordPage} section="quotes" newTitle=${t("quotes.new")}>
    <${Loaded} of=${start}>${() => html`<${Body} key=${from} from=${from} initial=${start.value} />`}<//><//>`;
}

/** What is copied of a quote: all but its dates. */
async function readStart(from) {
  if (!from) return { panes: [newRow()], language: "th" };
  const { data: quote } = await api(`/quotes/${encodeURIComponent(from)}`);
  const { customer, project, leadTime, discountPercent, depositPercent, language, isRush } = quote;
  const { deliveryAddress, notes, conditions } = quote;
  const copied = {
    customer,
    project,
    leadTime,
    discountPercent,
    depositPercent,
    language,
    isRush,
    deliveryAddress,
    notes,
    conditions,
  };
  return { ...copied, panes: rowsOf(quote.panes) };
}

function Body({ from, initial }) {
  const sent = useRef([]); // the keys of the rows that were sent
  useFirstField("field-customer");
  return html`<section class="card"><${NewForm} fields=${fields(sent)} path="/quotes" draft=${`/quotes ${from ?? ""}`} initial=${initial}
      toBody=${newBody(sent)} check=${checkRows(sent)} ...${ofDraft(from)} strict readOnly=${!may("requests:manage")} onSaved=${({ _id }) => go(`${OFFICE}/quotes/${_id}`)}>
    ${(form) => html`<${Lazy} load=${rows} ...${form} sent=${sent} />`}<//></section>`;
}
