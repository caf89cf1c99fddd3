// A new delivery: for whom and when, where it goes, and its panes. The address may name what it
// begins with: `?customer=`, the finished panes of `?order=`, or what was not handed over of `?rest=`.
import { html } from "../../../../vendor/ui.js";
import { api, serviceTime } from "../../../core/api.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { idOf } from "../../../core/records.js";
import { go, query } from "../../../core/router.js";
import { Form, keepDraft } from "../../../ui/form.js";
import { Lazy } from "../../../ui/lazy.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { OFFICE } from "../layout.js";
import { dayOf } from "../paper_fields.js";
import { NewRecordPage } from "../record.js";
import { useFirstField } from "../use_first_field.js";
import { fields, newBody } from "./fields.js";
import { readFinished } from "./to_choose.js";

export const title = "delivery.new";
export const styles = ["pages/office/choice_groups", "pages/office/deliveries/deliveries"];

const choice = () => import("./pane_choice.js");
const restPart = () => import("./rest.js");

export default function NewDelivery() {
  const given = query.value.toString();
  const start = useResource(`new delivery ${given}`, () => [
    () => readStart(new URLSearchParams(given)),
    {},
    { fresh: true },
  ]);
  return html`<${NewRecordPage} section="deliveries" newTitle=${t("delivery.new")}>
    <${Loaded} of=${start}>${() => html`<${Body} key=${given} given=${given} initial=${start.value} />`}<//><//>`;
}

async function readStart(given) {
  const [rest, order] = [given.get("rest"), given.get("order")];
  const plannedFor = dayOf(new Date(serviceTime()).toISOString());
  const start = { plannedFor, customer: given.get("customer"), panes: [] };
  if (rest) {
    const { readRest } = await import("./rest.js");
    return { ...start, ...(await readRest(rest)) };
  }
  if (!order) return start;
  const { data } = await api(`/orders/${encodeURIComponent(order)}`);
  return { ...start, customer: idOf(data.customer), panes: await readFinished(data) };
}

function Body({ given, initial }) {
  useFirstField("field-customer");
  const check = ({ panes }) => (panes?.length ? {} : { panes: [t("delivery.choosePanes")] });
  const rest = new URLSearchParams(given).get("rest");
  const draft = `/deliveries ${given}`;
  /** Show the deliveries that were planned instead of the one in the form. */
  const showPlanned = (customer) => {
    keepDraft(draft, null);
    go(`${OFFICE}/deliveries?status=planned&customer=${idOf(customer)}`);
  };
  return html`${rest && html`<${Lazy} load=${restPart} id=${rest} />`}
    <section class="card"><${Form} fields=${fields()} path="/deliveries" draft=${draft} initial=${initial}
      check=${check} toBody=${newBody} records=${({ panes }) => panes.length} readOnly=${!may("orders:manage")}
      onSaved=${({ _id }) => go(`${OFFICE}/deliveries/${_id}`)}>
    ${(form) => html`<${Lazy} load=${choice} ...${form} planEach=${{ toBody: newBody, onPlanned: () => showPlanned(form.values.customer) }} />`}<//></section>`;
}
