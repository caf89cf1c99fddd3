// A change of a request: panes added, changed and cancelled at once, with what it costs before it is done.
import { html, useRef, useState } from "../../../../vendor/ui.js";
import { api, inWords } from "../../../core/api.js";
import { date, t } from "../../../core/i18n.js";
import { may, seesPrices } from "../../../core/permissions.js";
import { idOf, updated, withChange } from "../../../core/records.js";
import { go, path, query } from "../../../core/router.js";
import { Field } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import { Lazy } from "../../../ui/lazy.js";
import { Icon } from "../../../ui/parts.js";
import { Preview, usePreview } from "../../../ui/use_preview.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { Head, Office, OFFICE, REQUESTS } from "../layout.js";
import { baht, money, signed } from "../money.js";
import { readPanesOf } from "../panes_of.js";
import { Empty } from "../parts.js";
import { isOpenRequest } from "../statuses.js";
import { changeBody, openPanes } from "./change_values.js";
import { cellOf, inPanes } from "../pane_grid/pane_faults.js";
import { countOf, newRow } from "../pane_grid/rows.js";
import { checkRows, readSetup, typedRows } from "../pane_grid/setup.js";

export const title = "requestchange.title";
export const styles = [
  "ui/drawing",
  "ui/station_colors",
  "ui/grid",
  "ui/preview",
  "pages/office/requests/requests",
  "pages/office/requests/change",
];

const FIELDS =
  "paneNumber,laminateRole,parentPane,currentStatus,currentStation,startedAt,deliveredAt,request,glassTypeLabel,glassType,rawGlass,dimensions,mark,version";
const paneRows = () => import("../pane_grid/pane_rows.js").then(({ PaneRows }) => ({ default: PaneRows }));
const changeLines = () => import("../request_change_lines.js").then(({ ChangeLines }) => ({ default: ChangeLines }));
const ADDED = /^add\./;
const PRICE = "details.estimatedPrice"; // the preview says it by itself

export default function ChangeRequest({ id }) {
  const setup = useResource(`change of ${id}`, () => [
    () => readAll(id),
    {
      "order:updated": (value, { data }) => (idOf(data.request) === id ? undefined : value),
      "request:updated": (value, { data }) =>
        data._id === id ? { ...value, request: updated(value.request, data) } : value,
      "pane:updated": (value, payload) =>
        idOf(payload.data.request) === id ? { ...value, panes: withChange(value.panes, payload) } : value,
      "jobType:updated": () => undefined,
    },
    { fresh: true },
  ]);
  const { value } = setup;
  const missing = html`<${Empty} icon="circle-help" title=${t("office.gone")} hint=${t("office.goneHint")} />`;
  return html`<${Office}>
    <${Head}><a class="back" href=${`${REQUESTS}/${id}`}><${Icon} name="arrow-left" />${value?.request.requestNumber ?? t("requests.one")}</a>
      <h1 tabindex="-1">${t(title)}</h1><//>
    <${Loaded} of=${setup} missing=${missing}>${() => html`<${Body} key=${path.value} ...${value} onStale=${setup.load} />`}<//>
  <//>`;
}

async function readAll(id) {
  const asked = encodeURIComponent(id);
  const { data: request } = await api(`/requests/${asked}`);
  const orders = may("orders:view")
    ? (await api(`/orders?request=${asked}&status_ne=cancelled&limit=100&sort=createdAt`)).data
    : [];
  const fields = seesPrices() ? `${FIELDS},agreedPrice` : FIELDS;
  const { rows: panes, isCut } = may("panes:view") ? await readPanesOf({ request: id, fields }) : { rows: [] };
  return { request, orders, panes, isCut, ...(await readSetup()) };
}

function Body({ request, orders, panes: rows, isCut, jobTypes, prices, onStale }) {
  const sent = useRef([]); // the keys of the new rows in the body
  const mayWait = may("pricing:view") && request.details.estimatedPrice > 0;
  const asked =
    orders.find(({ _id }) => _id === query.value.get("order")) ?? (orders.length === 1 ? orders[0] : undefined);
  const [initial] = useState(() => ({ panes: [newRow()], order: asked?._id, cancel: [], edits: {} }));
  const { panes, begun } = openPanes(rows);
  const inOpen = (place) => ({
    name: place,
    label: t("requests.panes"),
    isShown: () => false,
    detail: ({ field }, values) => ofPane(panes, paneOf(changeBody(values, panes), field), field),
  });
  const fields = [
    {
      name: "reason",
      label: t("field.reason"),
      hint: t("requestchange.reasonHint"),
      required: true,
      attributes: { maxlength: 500 },
    },
    { name: "deadline", label: t("requestchange.deadline"), kind: "moment" },
    ...(mayWait
      ? [{ name: "waits", label: t("requestchange.waits"), hint: t("requestchange.waitsHint"), kind: "checkbox" }]
      : []),
    ...["panes", "order", "edits", "charge"].map((name) => ({
      name,
      label: t("requests.panes"),
      isShown: () => false,
      ...(name === "panes" && { detail: inPanes(sent) }),
    })),
    {
      name: "add",
      label: t("requests.panes"),
      isShown: () => false,
      detail: (fault, values) => inPanes(sent)({ ...fault, field: fault.field.replace(ADDED, "panes.") }, values),
    },
    inOpen("cancel"),
    inOpen("change"),
  ];
  const toBody = (values) => ({
    ...changeBody(values, panes),
    ...(chargeable(values, panes) > 0 && values.charge && { charge: true }),
    ...(values.waits && { waits: true }),
    reason: values.reason,
  });
  const back = ({ confirmation }, warnings) =>
    confirmation
      ? go(`${OFFICE}/quotes/${confirmation._id}`)
      : go(`${REQUESTS}/${request._id}`, { said: warnings.map((one) => inWords(one).message) });
  return html`<section class="card"><${Form} fields=${fields} path=${`/requests/${request._id}/changes`} initial=${initial} toBody=${toBody} check=${checkRows(sent, "add")} strict
      parent=${request} records=${(values) => recordsOf(values)} submit=${t("requestchange.change")} onStale=${onStale}
      readOnly=${!may("requests:manage") || !isOpenRequest(request)} onSaved=${back}>
    ${(form) => html`<${Parts} ...${form} request=${request} orders=${orders} panes=${panes} begun=${begun} isCut=${isCut}
      jobTypes=${jobTypes} prices=${prices} sent=${sent} />`}<//></section>`;
}

const recordsOf = ({ panes, cancel, edits }) => countOf(typedRows(panes)) + cancel.length + Object.keys(edits).length;

/** The price in baht of the cancelled panes that may be charged nevertheless by this worker. */
const chargeable = ({ cancel }, panes) =>
  may("pricing:manage")
    ? panes.reduce((sum, { _id, agreedPrice }) => sum + (cancel.includes(_id) ? (agreedPrice ?? 0) : 0), 0)
    : 0;

/** The id of the pane that a fault of a body is about; undefined for another one. */
function paneOf(body, field) {
  const [list, at, inner, index] = field.split(".");
  if (list === "cancel") return body?.cancel?.[at];
  const { panes } = body?.change?.[at] ?? {};
  return inner === "panes" ? panes?.[index] : panes?.[0];
}

const VALUE = /^change\.(\d+)\.values\.?(.*)$/;

/** How the summary of the form tells a fault of a pane that there is. */
function ofPane(panes, id, field) {
  const row = panes.findIndex(({ _id }) => _id === id);
  if (row < 0) return undefined;
  const cell = cellOf(VALUE.exec(field)?.[2] ?? "") ?? "cancel";
  const open = () => document.querySelector(`.open-panes [data-row="${row}"][data-column="${cell}"]`)?.focus();
  return { label: panes[row].paneNumber, open };
}

/** The fault of a cell of a pane that there is, of those of a body; without a cell what no cell has. */
function faultIn(faults, body, { _id: id }, cell) {
  return faults.find(({ field = "" }) => {
    const [, at, path] = VALUE.exec(field) ?? [];
    if (at !== undefined) return body?.change?.[at]?.panes.includes(id) && cellOf(path) === cell;
    return !cell && /^(cancel|change)\./.test(field) && paneOf(body, field) === id;
  })?.message;
}

function Parts({ values, set, error, request, orders, panes, begun, isCut, jobTypes, prices, sent }) {
  const isAdding = path.value.endsWith("/panes");
  const [adds, setAdds] = useState(isAdding || typedRows(values.panes).length > 0);
  const price = chargeable(values, panes);
  const changed = changeBody(values, panes);
  const body = changed && { ...changed, ...(price > 0 && values.charge && { charge: true }) };
  const asked = usePreview(`/requests/${request._id}/changes/preview`, body, request.version);
  const faults = [...(error?.faults ?? []), ...(asked.error?.faults ?? [])];
  sent.current = typedRows(values.panes).map(({ key }) => key);
  const orderField = {
    name: "order",
    label: t("requests.addTo"),
    kind: "select",
    options: orders.map(({ _id, orderNumber }) => ({ value: _id, label: orderNumber })),
    empty: t("requests.addToNone"),
    hint: t("requests.addToHint"),
  };
  const charge = { name: "charge", label: t("panes.chargeNevertheless"), kind: "checkbox" };
  const added = adds
    ? html`<div class="added-panes" key="added"><${Lazy} load=${paneRows} heading=${t("requestchange.added")} rows=${values.panes} asked=${{ customer: request.customer }} jobTypes=${jobTypes} prices=${prices}
          faults=${faults.map((one) => ({ ...one, field: one.field?.replace(ADDED, "panes.") }))} sent=${sent}
          onRows=${(rows) => set("panes", rows)} />
        <${Field} field=${orderField} value=${values.order} values=${values} onChange=${(order) => set("order", order)} /></div>`
    : html`<div class="form-buttons" key="added"><button type="button" class="quiet-button" onClick=${() => setAdds(true)}>
        <${Icon} name="plus" />${t("requests.addPanes")}</button></div>`;
  const open = html`<section class="changed-panes" key="open" aria-labelledby="open-panes"><h2 id="open-panes">${t("requestchange.panes")}</h2>
    <${Lazy} load=${() => import("./open_panes.js")} panes=${panes} begun=${begun} edits=${values.edits} cancel=${values.cancel} faultOf=${(pane, cell) => faultIn(faults, body, pane, cell)}
      onEdits=${(edits) => set("edits", edits)} onCancel=${(cancel) => set("cancel", cancel)} />
    ${isCut && html`<p>${t("office.panesCut", { count: panes.length })}</p>`}
    ${price > 0 && html`<${Field} field=${charge} value=${values.charge} values=${values} onChange=${(is) => set("charge", is)} />`}</section>`;
  return html`${isAdding ? [added, open] : [open, added]}
    <${Preview} of=${asked} label=${t("stock.preview")} draw=${(data) => html`<${Previewed} ...${data} said=${asked.warnings} request=${request} />`} />
    ${asked.error?.faults?.length > 0 && html`<ul class="preview-faults">${asked.error.faults.map(({ field, message }) => html`
      <li key=${field + message}>${[placeOf(field, body, panes), message].filter(Boolean).join(": ")}</li>`)}</ul>`}`;
}

/** Of which pane a fault of the preview is: its number, or its row among the new ones. */
function placeOf(field = "", body, panes) {
  const [list, at] = field.split(".");
  if (list === "add") return at && t("requests.row", { number: Number(at) + 1 });
  return panes.find(({ _id }) => _id === paneOf(body, field))?.paneNumber;
}

/** What the change would be: amounts, panes, the deadline, and what people have to know. */
function Previewed({ change: { before, after, lines }, deadline, said, request }) {
  const day = (moment) => (moment ? date(new Date(moment)) : "–");
  const notes = said.filter(({ field }) => field !== PRICE);
  return html`<h2>${t("stock.preview")}</h2>
    <${Lazy} load=${changeLines} lines=${lines} />
    <table class="agreed-lines"><thead class="visually-hidden"><tr><th scope="col">${t("field.agreedPrice")}</th><th scope="col">${t("requests.bahtUnit")}</th></tr></thead>
      <tbody><tr><th scope="row">${t("requestchange.before")}</th><td>${money(before)}</td></tr>
        <tr><th scope="row">${t("requestchange.difference")}</th><td class="difference">${signed(after - before)}</td></tr></tbody>
      <tfoot><tr><th scope="row">${t("requestchange.after")}</th><td>${baht(after)}</td></tr></tfoot></table>
    ${deadline !== (request.deadline ?? null) && html`<p>${t("field.deadline")}: ${day(request.deadline)} → ${day(deadline)}</p>`}
    ${notes.map((one) => html`<p class="status-line" key=${one.message}><${Icon} name="triangle-alert" /> ${inWords(one).message}</p>`)}`;
}
