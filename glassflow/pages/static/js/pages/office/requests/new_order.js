// The form of a new order of a request, which takes over its panes.
import { html, useRef, useState } from "../../../../vendor/ui.js";
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
import { ChoiceGroup } from "../choice_group.js";
import { kindsOf, matching, materialOf, materialsOf, stationsOf } from "../kinds.js";
import { ORDERS } from "../layout.js";
import { OF_KIND, readPanes } from "../panes_of.js";
import { Routes } from "../parts.js";
import { readRows } from "../read_rows.js";
import { assignable } from "../request_fields.js";
import { MATERIALS, orderFields } from "../order_fields.js";

const MOST_LISTED = 500; // the API limits the length of arrays

export default function NewOrder({ request }) {
  const start = useResource(`new order of ${request._id}`, () => [() => readStart(request), {}, { fresh: true }]);
  return html`<${Loaded} of=${start}>${() => html`<${NewOrderForm} request=${request} ...${start.value} />`}<//>`;
}

/** `panes` are those that the order can take over, `suggested` their materials, `initial` what the form begins with. */
function NewOrderForm({ request, panes, suggested, initial }) {
  const all = kindsOf(panes, suggested);
  const [chosen, setChosen] = useState(null); // ids of units; null is all of them
  const isChosen = (pane) =>
    !chosen || chosen.includes(pane.laminateRole === "sheet" ? idOf(pane.parentPane) : pane._id);
  const kinds = chosen ? kindsOf(panes.filter(isChosen), suggested) : all;
  const [count, most] = [kinds, all].map((some) => some.reduce((sum, one) => sum + one.panes.length, 0));
  const isPlain = kinds.length < 2 && !kinds[0]?.own; // one choice of a material
  const [material, ...fields] = orderFields(most === 0);
  if (may("panes:manage") && panes.some((pane) => isChosen(pane) && isRefused(pane))) fields.push(REASON());
  const printsLabels = useRef(false);
  const check = ({ paneMaterials }) => {
    if (most && !count) return { panes: [t("requests.noPanesChosen")] };
    const isComplete = isPlain || kinds.every((kind) => materialOf(kind, paneMaterials));
    return isComplete ? {} : { paneMaterials: [t("requests.materialsMissing")] };
  };
  const toBody = ({ paneMaterials, ...values }) =>
    withoutEmpty({
      ...values,
      ...(!isPlain && materialsOf(kinds, paneMaterials)),
      ...(most && { quantity: count }),
      // all of them need no list, except against those that are added meanwhile
      ...((count < most || (most && most <= MOST_LISTED)) && { panes: kinds.flatMap((kind) => kind.panes) }),
      stations: stationsOf(
        kinds,
        stations().map(({ _id }) => _id),
      ),
      request: request._id,
      customer: idOf(request.customer),
    });
  const made = ({ _id }) =>
    printsLabels.current ? go(`/floor/labels?order=${_id}`, "print") : go(`${ORDERS}/${_id}?from=request`);
  return html`<div onSubmit=${({ submitter }) => (printsLabels.current = submitter?.name === "labels")}><${Form} fields=${[...(most > 1 ? [choice(all, panes, chosen, setChosen)] : []), isPlain ? material : materials(kinds), ...fields]} path="/orders" prefix="order"
    draft=${`/orders of ${request._id}`} submit=${t("requests.makeOrder")} records=${() => count}
    initial=${initial} check=${check} toBody=${toBody}
    second=${most > 0 && html`<button class="quiet-button" name="labels"><${Icon} name="printer" />${t("requests.makeAndPrint")}</button>`}
    onSaved=${made}>
    ${() => isPlain && kinds[0] && html`<div class="kind"><h3>${t("field.routing")}</h3><${Routes} routes=${kinds[0].routes} /></div>`}<//></div>`;
}

/** Whether a pane is beyond a limit, and nobody has said why it is made nevertheless. */
const isRefused = ({ makeability, overrideReason, laminateRole }) =>
  laminateRole !== "sheet" && !overrideReason && makeability.some(({ level }) => level === "refusal");

/** Why panes that cannot be made are ordered. */
const REASON = () => ({
  name: "overrideReason",
  label: t("field.overrideReason"),
  hint: t("requests.overrideHint"),
  kind: "textarea",
  rows: 2,
  wide: true,
});

/** The field of the panes that the order takes over, by kind of glass. */
const choice = (kinds, panes, chosen, onChosen) => ({
  name: "panes",
  label: t("requests.panesOfOrder"),
  kind: "custom",
  wide: true,
  draw: (field) => html`<${Ticks} kinds=${kinds} panes=${panes} chosen=${chosen} onChosen=${onChosen} ...${field} />`,
});

function Ticks({ id, kinds, panes, chosen, onChosen, ...field }) {
  const byId = new Map(panes.map((pane) => [pane._id, pane]));
  const everything = kinds.flatMap((kind) => kind.panes);
  const ticked = new Set(chosen ?? everything);
  const put = (ids, next) =>
    onChosen(everything.filter((one) => (ids.includes(one) ? next.includes(one) : ticked.has(one))));
  const said = { done: number(ticked.size), count: number(everything.length) };
  return html`<div id=${id} tabindex="-1" role="group" aria-label=${t("requests.panesOfOrder")}
      aria-invalid=${field["aria-invalid"]} aria-describedby=${field["aria-describedby"]}><p>${t("requests.chosenPanes", said)}</p>
    <ul class="choice-groups">${kinds.map(({ key, words, panes: ids }) => html`<${ChoiceGroup} key=${key} className="of-kind"
      label=${t("requests.wholeKind", { count: number(ids.length), words })} panes=${ids.map((one) => byId.get(one))}
      columns=${["number", "size"]} chosen=${ticked} put=${put}
      summary=${html`<strong>${t("office.countOfKind", { count: number(ids.length) })}</strong> <span>${words}</span>`} />`)}</ul></div>`;
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

/** What the form needs: the panes that have no order yet, their materials, and `initial` values. */
async function readStart({ _id, assignedTo, details }) {
  const query = { request: _id, order: "null", currentStatus_ne: "cancelled", includeMerged: true };
  const fields = `paneNumber,makeability,overrideReason,${OF_KIND}`;
  // without the permission the order takes all of them
  const found = may("panes:view") ? await readPanes({ ...query, fields, populate: "material" }) : [];
  const panes = found.filter(({ currentStatus }) => currentStatus !== "defected"); // there is a remake
  const suggested = await readSuggested(panes);
  const [first] = kindsOf(panes, suggested);
  const initial = { quantity: details.quantity, material: first?.material, assignedTo: await assignable(assignedTo) };
  return { panes, suggested, initial };
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
