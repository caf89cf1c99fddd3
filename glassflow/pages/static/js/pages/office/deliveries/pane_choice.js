// The choice of the panes of a delivery: whole orders, or single panes of them.
import { html, useEffect, useMemo, useRef } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { idOf } from "../../../core/records.js";
import { Lazy } from "../../../ui/lazy.js";
import { Icon } from "../../../ui/parts.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { ChoiceGroup } from "../choice_group.js";
import { OFFICE } from "../layout.js";
import { groupsOf, isFinished, placesOf, readToChoose, withPane } from "./to_choose.js";

const COLUMNS = ["number", "glass", "size", "state"];
const severalPlaces = () => import("./several_places.js");
const OF_CUSTOMER = ["panes", "recipient", "address", "contact", "phone"];

/**
 * `id` is the delivery, if there is one; `values`, `set`, `faults` and `error` are those of its form. `planEach` of
 * a new one is what `SeveralPlaces` needs.
 */
export default function PaneChoice({ id, planEach, faults, ...form }) {
  const { values, set, error } = form;
  const customer = idOf(values.customer);
  const before = useRef(customer);
  useEffect(() => {
    // what was chosen and typed was for the customer before
    if (before.current && before.current !== customer)
      OF_CUSTOMER.forEach((name) => set(name, name === "panes" ? [] : ""));
    before.current = customer;
  }, [customer]);
  const whenSent = useMemo(() => values.panes, [error]);
  return html`<section class="pane-choice" id="field-panes" tabindex="-1" aria-labelledby="choose-panes" aria-invalid=${faults.panes ? "true" : undefined}>
    <h2 id="choose-panes">${t("field.panes")} <b>${number(values.panes?.length ?? 0)}</b></h2>
    ${faults.panes && html`<p class="field-fault">${faults.panes.join(" ")}</p>`}
    ${values.panes === whenSent && html`<${Refused} error=${error} />`}
    ${customer ? html`<${OfCustomer} key=${customer} customer=${customer} id=${id} form=${form} planEach=${planEach} />`
      : html`<p class="soft">${t("delivery.customerFirst")}</p>`}</section>`;
}

/** Which panes were refused, and why. */
function Refused({ error }) {
  if (error?.code !== "PANES_REFUSED") return null;
  return html`<div class="refused-panes"><p><strong>${t("delivery.refused")}</strong></p>
    <ul>${error.errors.panes.map(({ paneNumber, reason, delivery }) => html`<li key=${paneNumber}><strong>${paneNumber}</strong> ${t(`deliverywhy.${reason}`, { delivery: delivery ?? "" })}</li>`)}</ul></div>`;
}

function OfCustomer({ customer, id, form, planEach }) {
  const panes = useResource(`panes of ${customer} for ${id ?? "a new delivery"}`, () => [
    () => readToChoose(customer, id),
    {
      "pane:updated": withPane,
      "delivery:updated": (value, { data }) => (idOf(data.customer) === customer ? undefined : value),
    },
  ]);
  return html`<${Loaded} of=${panes}>${() => html`<${Groups} ...${panes.value} customer=${customer} form=${form} planEach=${planEach} />`}<//>`;
}

function Groups({ rows, isCut, requests, elsewhere, customer, form, planEach }) {
  const chosen = form.values.panes ?? [];
  const groups = groupsOf(rows, requests);
  const all = new Set(chosen);
  const listed = new Set(rows.map(({ _id }) => _id));
  const gone = chosen.filter((id) => !listed.has(id));
  /** Choose of some panes those of `next`. */
  const put = (ids, next) => {
    const changed = new Set(ids);
    form.set("panes", [...chosen.filter((id) => !changed.has(id)), ...next]);
  };
  // it stays, and says what is planned, once the rest has one place
  const isSeveral = useRef(false);
  isSeveral.current ||= form.error?.code === "SEVERAL_PLACES" || placesOf(rows, all, requests).length > 1;
  return html`${gone.length > 0 && html`<p class="gone-panes"><${Icon} name="triangle-alert" /><span>${t("delivery.gone", { count: number(gone.length) })}</span>
      <button type="button" class="quiet-button" onClick=${() => put(gone, [])}><${Icon} name="x" />${t("delivery.takeOff")}</button></p>`}
    ${groups.length === 0 && html`<p class="soft">${t("delivery.noPanes")}</p>`}
    <ul class="choice-groups">${groups.map((group) => html`<${Group} key=${group.key} ...${group} chosen=${all} put=${put} isAlone=${groups.length === 1} />`)}</ul>
    ${elsewhere > 0 && html`<p class="soft">${t("delivery.elsewhere", { count: number(elsewhere) })} <a href=${`${OFFICE}/deliveries?status=planned&customer=${customer}`}>${t("delivery.seeThem")}</a></p>`}
    ${isCut && html`<p>${t("office.panesCut", { count: number(rows.length + elsewhere) })}</p>`}
    ${planEach && isSeveral.current && html`<${Lazy} load=${severalPlaces} ...${form} rows=${rows} requests=${requests} planEach=${planEach} />`}`;
}

/** One order: ticked as a whole, or opened for its panes. */
function Group({ name, reference, panes, chosen, put, isAlone }) {
  const ids = panes.map(({ _id }) => _id);
  const finished = panes.filter(isFinished).map(({ _id }) => _id);
  const summary = html`<strong>${name}</strong>${reference && html`<span>${reference}</span>`}
    <span class="soft">${t("delivery.finishedOf", { done: number(finished.length), count: number(ids.length) })}</span>`;
  return html`<${ChoiceGroup} label=${t("delivery.wholeOrder", { name })} summary=${summary} panes=${panes} columns=${COLUMNS}
      chosen=${chosen} put=${put} startsOpen=${isAlone}>
    ${finished.length > 0 && finished.length < ids.length && html`<button type="button" class="quiet-button" onClick=${() => put(ids, finished)}>
      <${Icon} name="circle-check" />${t("delivery.onlyFinished", { count: number(finished.length) })}</button>`}<//>`;
}
