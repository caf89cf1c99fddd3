// A new request: what the customer wants, with a row for each kind of pane, and its price.
import { html, useRef } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { idOf } from "../../../core/records.js";
import { go, query } from "../../../core/router.js";
import { withoutEmpty } from "../../../ui/form_values.js";
import { Lazy } from "../../../ui/lazy.js";
import { NewForm } from "../../../ui/new_form.js";
import { Icon } from "../../../ui/parts.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { Head, Office, REQUESTS } from "../layout.js";
import { agreedPrice, assignable, customer, facts } from "../request_fields.js";
import { useFirstField } from "../use_first_field.js";
import { inPanes } from "../pane_grid/pane_faults.js";
import { countOf, newRow, toPane } from "../pane_grid/rows.js";
import { checkRows, ofDraft, readSetup, typedRows } from "../pane_grid/setup.js";

export const title = "requests.new";
export const styles = ["ui/drawing", "ui/station_colors", "ui/grid", "pages/office/requests/requests"];

const paneRows = () => import("../pane_grid/pane_rows.js").then(({ PaneRows }) => ({ default: PaneRows }));

export default function NewRequest() {
  const from = query.value.get("copy");
  const setup = useResource(`new request ${from ?? ""}`, () => [
    () => readAll(from),
    {
      "jobType:updated": () => undefined,
    },
    { fresh: true },
  ]);
  return html`<${Office}>
    <${Head}><a class="back" href=${REQUESTS}><${Icon} name="arrow-left" />${t("office.requests")}</a>
      <h1 tabindex="-1">${t("requests.new")}</h1><//>
    <${Loaded} of=${setup}>${() => html`<${Body} key=${from} from=${from} ...${setup.value} />`}<//>
  <//>`;
}

/** What the page offers, and what is copied. */
async function readAll(from) {
  const setup = await readSetup();
  if (!from) return { ...setup, initial: { panes: [newRow()] } };
  const { data: request } = await api(`/requests/${encodeURIComponent(from)}`);
  const { readCopied } = await import("../pane_grid/copied_rows.js");
  const panes = await readCopied(from);
  const { details, deliveryLocation } = request;
  const copied = {
    customer: request.customer,
    details: { type: details.type },
    deliveryLocation,
    assignedTo: await assignable(request.assignedTo),
  };
  return { ...setup, initial: { ...copied, panes: panes.length ? panes : [newRow()] } };
}

function Body({ from, jobTypes, prices, initial }) {
  const sent = useRef([]); // the keys of the rows that were sent
  useFirstField("field-customer");
  const fields = [
    customer(),
    { name: "details.type", label: t("requests.type"), hint: t("requests.typeHint") },
    {
      name: "details.quantity",
      label: t("field.quantity"),
      kind: "number",
      min: 1,
      step: 1,
      isShown: ({ panes }) => !typedRows(panes).length,
    },
    { name: "deadline", label: t("field.deadline"), kind: "moment" },
    ...facts(),
    { ...agreedPrice(), hint: t("requests.agreedPriceHint") },
    { name: "panes", label: t("requests.panes"), isShown: () => false, detail: inPanes(sent) },
  ];
  const toBody = async (values) => {
    const rows = typedRows(values.panes);
    sent.current = rows.map(({ key }) => key);
    const { type, quantity, estimatedPrice } = values.details ?? {};
    const ofFirst = jobTypes.find(({ code }) => code === rows[0]?.jobType)?.name;
    const { totalOf } = await import("../pane_grid/price.js");
    const details = {
      type: type || ofFirst,
      quantity: rows.length ? Math.max(1, Math.round(countOf(rows))) : quantity,
      // asked for again: the price that is shown may still be that of the rows before
      estimatedPrice: estimatedPrice ?? (await totalOf(values.panes, values.customer)),
    };
    return withoutEmpty({ ...values, customer: idOf(values.customer), details, panes: rows.map(toPane) });
  };
  return html`<section class="card"><${NewForm} fields=${fields} path="/requests" draft=${`/requests ${from ?? ""}`} initial=${initial}
      toBody=${toBody} check=${checkRows(sent)} ...${ofDraft(from)} strict records=${({ panes }) => countOf(typedRows(panes))} readOnly=${!may("requests:manage")} onSaved=${({ _id }) => go(`${REQUESTS}/${_id}`)}>
    ${({ values, set, error }) => html`<${Lazy} load=${paneRows} rows=${values.panes} asked=${{ customer: values.customer }} jobTypes=${jobTypes}
      prices=${prices} faults=${error?.faults ?? []} sent=${sent}
      onRows=${(panes) => set("panes", panes)} />`}<//></section>`;
}
