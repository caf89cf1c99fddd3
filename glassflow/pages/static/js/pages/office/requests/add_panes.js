// Further panes of a request, written as those of a new one.
import { html, useRef } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { idOf } from "../../../core/records.js";
import { go, query } from "../../../core/router.js";
import { Form } from "../../../ui/form.js";
import { withoutEmpty } from "../../../ui/form_values.js";
import { Icon } from "../../../ui/parts.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { Head, Office, REQUESTS } from "../layout.js";
import { Empty } from "../parts.js";
import { inPanes } from "./pane_faults.js";
import { PaneRows } from "./pane_rows.js";
import { countOf, newRow, toPane } from "./rows.js";
import { readSetup, typedRows } from "./setup.js";

export const title = "requests.addPanes";
export const styles = ["ui/drawing", "ui/station_colors", "ui/grid", "pages/office/requests/requests"];

export default function AddPanes({ id }) {
  const setup = useResource(`panes to be added to ${id}`, () => [
    () => readAll(id),
    {
      "order:updated": (value, { data }) => (idOf(data.request) === id ? undefined : value),
      "jobType:updated": () => undefined,
    },
    { fresh: true },
  ]);
  const { value } = setup;
  const missing = html`<${Empty} icon="circle-help" title=${t("office.gone")} hint=${t("office.goneHint")} />`;
  return html`<${Office}>
    <${Head}><a class="back" href=${`${REQUESTS}/${id}`}><${Icon} name="arrow-left" />${value?.request.requestNumber ?? t("requests.one")}</a>
      <h1 tabindex="-1">${t("requests.addPanes")}</h1><//>
    <${Loaded} of=${setup} missing=${missing}>${() => html`<${Body} key=${id} ...${value} />`}<//>
  <//>`;
}

async function readAll(id) {
  const path = encodeURIComponent(id);
  const { data: request } = await api(`/requests/${path}`);
  const orders = may("orders:view")
    ? (await api(`/orders?request=${path}&status_ne=cancelled&limit=100&sort=createdAt`)).data
    : [];
  return { request, orders, ...(await readSetup()) };
}

function Body({ request, orders, jobTypes, prices }) {
  const sent = useRef([]); // the keys of the rows that were sent
  const options = orders.map(({ _id, orderNumber }) => ({ value: _id, label: orderNumber }));
  const fields = [
    {
      name: "order",
      label: t("requests.addTo"),
      kind: "select",
      options,
      empty: t("requests.addToNone"),
      hint: t("requests.addToHint"),
    },
    { name: "panes", label: t("requests.panes"), isShown: () => false, detail: inPanes(sent) },
  ];
  const toBody = ({ order, panes }) => {
    const rows = typedRows(panes);
    sent.current = rows.map(({ key }) => key);
    return withoutEmpty({ order, panes: rows.map(toPane) });
  };
  const asked =
    orders.find(({ _id }) => _id === query.value.get("order")) ?? (orders.length === 1 ? orders[0] : undefined);
  const initial = { panes: [newRow()], order: asked?._id };
  return html`<section class="card"><${Form} fields=${fields} path=${`/requests/${request._id}/panes`} initial=${initial}
      toBody=${toBody} strict records=${({ panes }) => countOf(typedRows(panes))} submit=${t("requests.addPanes")} readOnly=${!may("requests:manage") || request.status === "cancelled"}
      onSaved=${() => go(`${REQUESTS}/${request._id}`)}>
    ${({ values, set, error }) => html`<${PaneRows} rows=${values.panes} asked=${{ customer: request.customer }} jobTypes=${jobTypes}
      prices=${prices} faults=${error?.faults ?? []} sent=${sent.current}
      onRows=${(panes) => set("panes", panes)} />`}<//></section>`;
}
