// The form of a new order of a request, which takes over its panes.
import { html, useRef } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { idOf } from "../../../core/records.js";
import { go } from "../../../core/router.js";
import { stations } from "../../../core/stations.js";
import { Form } from "../../../ui/form.js";
import { Icon } from "../../../ui/parts.js";
import { withoutEmpty } from "../../../ui/form_values.js";
import { Reference } from "../../../ui/reference.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { countOf, kindsOf, matching, materialOf, materialsOf, stationsOf } from "../kinds.js";
import { ORDERS } from "../layout.js";
import { OF_KIND, readPanes } from "../panes_of.js";
import { readRows } from "../read_rows.js";
import { Routes } from "../routes.js";
import { assignable } from "./fields.js";
import { MATERIALS, orderFields } from "./order_fields.js";

export default function NewOrder({ request }) {
  const start = useResource(`new order of ${request._id}`, () => [() => readStart(request), {}, { fresh: true }]);
  return html`<${Loaded} of=${start}>${() => html`<${NewOrderForm} request=${request} ...${start.value} />`}<//>`;
}

/** `kinds` are those of the panes that the order will take over, `initial` what the form begins with. */
function NewOrderForm({ request, kinds, initial }) {
  const isPlain = kinds.length < 2 && !kinds[0]?.own; // one choice of a material
  const [material, ...fields] = orderFields();
  const printsLabels = useRef(false);
  const check = ({ paneMaterials }) =>
    isPlain || kinds.every((kind) => materialOf(kind, paneMaterials))
      ? {}
      : { paneMaterials: [t("requests.materialsMissing")] };
  const toBody = ({ paneMaterials, ...values }) =>
    withoutEmpty({
      ...values,
      ...(!isPlain && materialsOf(kinds, paneMaterials)),
      stations: stationsOf(
        kinds,
        stations().map(({ _id }) => _id),
      ),
      request: request._id,
      customer: idOf(request.customer),
    });
  const made = ({ _id }) =>
    printsLabels.current ? go(`/floor/labels?order=${_id}`, "print") : go(`${ORDERS}/${_id}?from=request`);
  return html`<div onSubmit=${({ submitter }) => (printsLabels.current = submitter?.name === "labels")}><${Form} fields=${[isPlain ? material : materials(kinds), ...fields]} path="/orders" prefix="order"
    draft=${`/orders of ${request._id}`} submit=${t("requests.makeOrder")} records=${() => initial.quantity}
    initial=${{ ...initial, quantity: initial.quantity || request.details.quantity }} check=${check} toBody=${toBody}
    second=${initial.quantity > 0 && html`<button class="quiet-button" name="labels"><${Icon} name="printer" />${t("requests.makeAndPrint")}</button>`}
    onSaved=${made}>
    ${() => isPlain && kinds[0] && html`<div class="kind"><h3>${t("field.routing")}</h3><${Routes} routes=${kinds[0].routes} /></div>`}<//></div>`;
}

/** The field of the materials of several kinds of glass: a line for each. */
const materials = (kinds) => ({
  name: "paneMaterials",
  label: t("requests.materials"),
  kind: "custom",
  wide: true,
  required: kinds.some(({ own }) => !own),
  draw: (field) => html`<${Kinds} kinds=${kinds} ...${field} />`,
});

/** `value` are the ids of the chosen materials by the keys of their kinds. The first choice has the id of the field. */
function Kinds({ kinds, id, value, onChange, ...shared }) {
  const first = kinds.findIndex(({ own }) => !own);
  return html`<ul class="kinds">${kinds.map((kind, index) => {
    const { key, words, panes, own, routes } = kind;
    const line = index === first ? id : `${id}-${index}`;
    const chosen = materialOf(kind, value);
    const glass = html`<b>${t("office.countOfKind", { count: number(panes.length) })}</b> ${words}`;
    const isInvalid = shared["aria-invalid"] && !chosen ? "true" : undefined;
    return html`<li key=${key} class="kind">
      ${own
        ? html`<p>${glass}</p><p><span class="soft">${t("field.material")}</span> ${own.name ?? "–"}</p>`
        : html`<label for=${line}>${glass}</label><${Reference} ...${MATERIALS} adds value=${chosen} shared=${{ ...shared, id: line, "aria-invalid": isInvalid }}
            onChange=${(material) => onChange({ ...value, [key]: material })} />`}
      <${Routes} routes=${routes} /></li>`;
  })}</ul>`;
}

/** What the form needs: `kinds` of the panes that have no order yet, and `initial` values, as those of the request. */
async function readStart({ _id, assignedTo }) {
  const query = { request: _id, order: "null", currentStatus_ne: "cancelled", includeMerged: true };
  const panes = await readPanes({ ...query, fields: OF_KIND, populate: "material" });
  const kinds = kindsOf(panes, await readSuggested(panes));
  const initial = { quantity: countOf(panes), material: kinds[0]?.material, assignedTo: await assignable(assignedTo) };
  return { kinds, initial };
}

/** A function that suggests the material of a pane: that of its job type, or the only one of its glass. */
async function readSuggested(panes) {
  if (!panes.length || !may("materials:view")) return () => null;
  const { rows: active } = await readRows("materials", { isActive: true, sort: "name", fields: "specDetails" });
  const { rows: types } = may("job_types:view")
    ? await readRows("job-types", { sort: "code", fields: "code,defaultMaterial" })
    : { rows: [] };
  const isActive = (id) => active.some(({ _id }) => _id === id);
  const ofType = new Map(types.map(({ code, defaultMaterial }) => [code, idOf(defaultMaterial)]));
  return (pane) => (isActive(ofType.get(pane.jobType)) ? ofType.get(pane.jobType) : matching(pane, active));
}
