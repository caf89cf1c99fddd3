// A change of the panes of a request as one act: changed, cancelled and added, with what it costs.
import { html, useRef, useState } from "../../../../vendor/ui.js";
import { api, inWords } from "../../../core/api.js";
import { dateTime, number, t } from "../../../core/i18n.js";
import { OPEN } from "../../../core/pane_flow.js";
import { may } from "../../../core/permissions.js";
import { idOf } from "../../../core/records.js";
import { go } from "../../../core/router.js";
import { Form } from "../../../ui/form.js";
import { withoutEmpty } from "../../../ui/form_values.js";
import { Icon } from "../../../ui/parts.js";
import { Preview, usePreview } from "../../../ui/use_preview.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { Head, Office, REQUESTS } from "../layout.js";
import { readPanesOf } from "../panes_of.js";
import { Empty, Status } from "../parts.js";
import { Lines, signed } from "./changed.js";
import { bodyOf, isEdited, withEdit } from "./edits.js";
import { baht } from "./money.js";
import { inPanes } from "./pane_faults.js";
import { PaneRows } from "./pane_rows.js";
import { countOf, newRow } from "./rows.js";
import { readSetup, typedRows } from "./setup.js";

export const title = "change.title";
export const styles = ["ui/drawing", "ui/station_colors", "ui/grid", "pages/office/requests/requests"];

const FIELDS =
  "paneNumber,currentStatus,startedAt,glassTypeLabel,glassType,rawGlass,dimensions,laminateRole,agreedPrice,deliveredAt,version";

export default function ChangePage({ id }) {
  const setup = useResource(`change of ${id}`, () => [() => readAll(id), {}, { fresh: true }]);
  const { value } = setup;
  const missing = html`<${Empty} icon="circle-help" title=${t("office.gone")} hint=${t("office.goneHint")} />`;
  return html`<${Office}>
    <${Head}><a class="back" href=${`${REQUESTS}/${id}`}><${Icon} name="arrow-left" />${value?.request.requestNumber ?? t("requests.one")}</a>
      <h1 tabindex="-1">${t("change.title")}</h1><//>
    <${Loaded} of=${setup} missing=${missing}>${() => html`<${Body} key=${id} ...${value} />`}<//>
  <//>`;
}

async function readAll(id) {
  const path = encodeURIComponent(id);
  const { data: request } = await api(`/requests/${path}`);
  const orders = may("orders:view")
    ? (await api(`/orders?request=${path}&status_ne=cancelled&limit=100&sort=createdAt`)).data
    : [];
  const wanted = { request: id, currentStatus: OPEN.join(), laminateRole_ne: "sheet", deliveredAt: "null" };
  const { rows: panes } = await readPanesOf({ ...wanted, fields: FIELDS });
  return { request, orders, panes, ...(await readSetup()) };
}

function Body({ request, orders, panes, jobTypes, prices }) {
  const sent = useRef([]); // the keys of the rows that were sent
  const options = orders.map(({ _id, orderNumber }) => ({ value: _id, label: orderNumber }));
  const toRow = inPanes(sent);
  const fields = [
    { name: "reason", label: t("field.reason"), required: true, wide: true, attributes: { maxlength: 500 } },
    { name: "deadline", label: t("change.deadline"), kind: "moment" },
    ...(may("pricing:manage")
      ? [{ name: "charge", label: t("panes.chargeNevertheless"), kind: "checkbox", isShown: hasPriced(panes) }]
      : []),
    {
      name: "order",
      label: t("requests.addTo"),
      kind: "select",
      options,
      empty: t("requests.addToNone"),
      isShown: ({ add }) => options.length > 0 && typedRows(add).length > 0,
    },
    {
      name: "add",
      label: t("change.added"),
      isShown: () => false,
      detail: ({ field }, { add }) => toRow({ field: field.replace(/^add/, "panes") }, { panes: add }),
    },
    { name: "edits", label: t("requests.panes"), isShown: () => false },
  ];
  const toBody = (values) => {
    sent.current = typedRows(values.add).map(({ key }) => key);
    return { ...changeOf(values, panes), reason: values.reason };
  };
  const initial = { add: [newRow()], edits: {}, charge: false, order: orders.length === 1 ? orders[0]._id : undefined };
  const changedCount = ({ add, edits }) => countOf(typedRows(add)) + Object.keys(edits).length;
  return html`<section class="card"><${Form} fields=${fields} path=${`/requests/${request._id}/changes`} prefix="change" initial=${initial}
      toBody=${toBody} records=${changedCount} submit=${t("change.submit")}
      readOnly=${!may("requests:manage") || request.status === "cancelled"} onSaved=${() => go(`${REQUESTS}/${request._id}`)}>
    ${({ values, set, error }) => html`
      <${OpenPanes} panes=${panes} edits=${values.edits} onEdits=${(edits) => set("edits", edits)} />
      <${PaneRows} rows=${values.add} asked=${{ customer: request.customer }} jobTypes=${jobTypes} prices=${prices}
        faults=${(error?.faults ?? []).map((one) => ({ ...one, field: one.field?.replace(/^add\./, "panes.") }))} sent=${sent.current} onRows=${(add) => set("add", add)} />
      <${Costs} request=${request} body=${changeOf(values, panes)} />`}</${Form}></section>`;
}

const hasPriced =
  (panes) =>
  ({ edits }) =>
    panes.some(({ _id, agreedPrice }) => edits[_id]?.cancel && agreedPrice > 0);

/** What the API gets of the values; without the reason, as a preview asks. */
function changeOf({ add, edits, order, deadline, charge }, panes) {
  const typed = typedRows(add);
  return withoutEmpty({
    ...bodyOf(panes, edits, typed),
    order: typed.length ? order : undefined,
    deadline,
    charge: (charge && hasPriced(panes)({ edits })) || undefined,
  });
}

/** The open panes: their sizes and glass to be typed over, and ticks for what is done to several. */
function OpenPanes({ panes, edits, onEdits }) {
  const [ticked, setTicked] = useState(new Set());
  const [glass, setGlass] = useState({ glassType: "", thickness: "" });
  if (!panes.length) return null;
  const toggle = (id) =>
    setTicked((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]));
  const some = panes.filter(({ _id }) => ticked.has(_id));
  const apply = (change) => {
    onEdits(some.reduce((next, pane) => withEdit(next, pane, change), edits));
    setTicked(new Set());
  };
  const input = (
    pane,
    name,
    kind,
  ) => html`<input type="text" inputmode=${kind} aria-label=${`${pane.paneNumber} ${t(CELLS[name])}`}
    value=${edits[pane._id]?.[name] ?? start(pane)[name]} disabled=${edits[pane._id]?.cancel}
    onInput=${({ target }) => onEdits(withEdit(edits, pane, { [name]: target.value }))} />`;
  const typedGlass = (
    name,
    kind,
  ) => html`<label><span>${t(CELLS[name])}</span><input type="text" inputmode=${kind} value=${glass[name]}
    onInput=${({ target }) => setGlass({ ...glass, [name]: target.value })} /></label>`;
  return html`<section class="open-panes" aria-labelledby="open-panes"><h2 id="open-panes">${t("change.open")}</h2>
    <p class="soft">${t("change.openHint")}</p>
    <div class="open-panes-rows"><table><thead><tr>
      <th><input type="checkbox" aria-label=${t("change.tickAll")} checked=${ticked.size === panes.length}
        onChange=${({ target }) => setTicked(new Set(target.checked ? panes.map(({ _id }) => _id) : []))} /></th>
      <th scope="col">${t("field.pane")}</th>${Object.values(CELLS).map((one) => html`<th scope="col" key=${one}>${t(one)}</th>`)}</tr></thead>
      <tbody>${panes.map((pane) => {
        const edit = edits[pane._id];
        return html`<tr key=${pane._id} class=${edit?.cancel ? "is-cancelled" : isEdited(pane, edit) ? "is-changed" : ""}>
          <td><input type="checkbox" aria-label=${pane.paneNumber} checked=${ticked.has(pane._id)} onChange=${() => toggle(pane._id)} /></td>
          <th scope="row">${pane.paneNumber} ${edit?.cancel ? html`<span class="status-line"><${Icon} name="ban" /> ${t("change.cancelled")}</span>`
            : html`<${Status} status=${pane.currentStatus} />`}${pane.startedAt && html`<small class="lacks">${t("change.begun")}</small>`}</th>
          <td>${input(pane, "width", "decimal")}</td><td>${input(pane, "height", "decimal")}</td>
          <td>${input(pane, "glassType", "text")}</td><td>${input(pane, "thickness", "decimal")}</td></tr>`;
      })}</tbody></table></div>
    <div class="open-panes-acts" role="group" aria-label=${t("change.ofTicked")}><b>${t("list.selected", { count: number(some.length) })}</b>
      <button type="button" class="quiet-button" disabled=${!some.length} onClick=${() => apply({ cancel: true })}><${Icon} name="ban" />${t("change.cancel")}</button>
      <button type="button" class="quiet-button" disabled=${!some.some(({ _id }) => edits[_id])} onClick=${() => apply(null)}><${Icon} name="undo-2" />${t("change.keep")}</button>
      ${typedGlass("glassType", "text")}${typedGlass("thickness", "decimal")}
      <button type="button" class="quiet-button" disabled=${!some.length || !(glass.glassType || glass.thickness)} onClick=${() => apply(withoutEmpty(glass))}>
        <${Icon} name="check" />${t("change.replaceGlass")}</button></div></section>`;
}

const CELLS = {
  width: "requests.width",
  height: "requests.height",
  glassType: "panes.glass",
  thickness: "requests.thickness",
};

const start = ({ dimensions, rawGlass, glassType }) => ({
  width: String(dimensions?.width || ""),
  height: String(dimensions?.height || ""),
  glassType: rawGlass?.glassType || glassType || "",
  thickness: String(rawGlass?.thickness || dimensions?.thickness || ""),
});

/** What the change does to the agreed price and the deadline, as the service says. */
function Costs({ request, body }) {
  const isAsked = Object.keys(body).some((name) => name !== "order" && name !== "charge");
  const preview = usePreview(`/requests/${request._id}/changes/preview`, isAsked ? body : null, request.version);
  return html`<${Preview} of=${preview} label=${t("change.costs")} draw=${({ change, deadline }) => html`
    <p>${t("change.before", { amount: baht(change.before) })} <strong>${signed(change.after - change.before)}</strong> ${t("change.after", { amount: baht(change.after) })}</p>
    <${Lines} change=${change} />
    ${body.deadline && html`<p>${t("change.deadlineMoves", { from: request.deadline ? dateTime(new Date(request.deadline)) : "–", to: dateTime(new Date(deadline)) })}</p>`}
    ${preview.warnings?.map((one) => html`<p class="soft" key=${one.field + one.message}>${inWords(one).message}</p>`)}`} />`;
}
