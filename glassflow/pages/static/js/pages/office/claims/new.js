// A new claim, of a pane or of an order: `?pane=` with a number, or `?order=` with an id.
import { html, useState } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { idOf } from "../../../core/records.js";
import { go, query } from "../../../core/router.js";
import { session } from "../../../core/session.js";
import { Form } from "../../../ui/form.js";
import { Icon } from "../../../ui/parts.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { Head, Office, OFFICE, ORDERS, passportOf } from "../layout.js";
import { Empty, Status } from "../parts.js";
import { defectFields, sent } from "./fields.js";

export const title = "claims.new";
export const styles = ["pages/office/claims/claims", "ui/photos"];

const numberOf = ({ paneNumber }) => paneNumber;

async function readOf({ pane, order }) {
  if (pane) return { pane: (await api(`/panes/${encodeURIComponent(pane)}?populate=order`)).data };
  if (order) return { order: (await api(`/orders/${encodeURIComponent(order)}`)).data };
  return {};
}

export default function NewClaim() {
  const of = { pane: query.value.get("pane"), order: query.value.get("order") };
  const read = useResource(`new claim ${JSON.stringify(of)}`, () => [() => readOf(of)]);
  const back = of.pane ? passportOf(of.pane) : of.order ? `${ORDERS}/${of.order}` : `${OFFICE}/claims`;
  const missing = html`<${Empty} icon="circle-help" title=${t("office.gone")} hint=${t("office.goneHint")} />`;
  return html`<${Office}><${Head}>
      <a class="back" href=${back}><${Icon} name="arrow-left" />${of.pane ?? t(of.order ? "field.order" : "office.claims")}</a>
      <h1 tabindex="-1">${t("claims.new")}</h1><//>
    <${Loaded} of=${read} missing=${missing}>${() => html`<${ClaimForm} key=${back} ...${read.value} />`}<//><//>`;
}

function ClaimForm({ pane, order }) {
  const from = pane ? "?from=pane" : order ? "?from=order" : "";
  const [ids] = useState(() => new Map()); // of the photos that were sent
  const fields = [
    ...(pane ? [] : [paneField(order)]),
    ...defectFields(),
    ...(may("claims:manage") ? [reporterField()] : []),
  ];
  const initial = { source: "worker", photos: [], reportedBy: session.value.worker._id };
  const check = (values) => (pane || order || values.pane ? {} : { pane: [t("claims.whichPane")] });
  return html`<section class="card">
    <p class="status-line">${pane && html`<strong>${pane.paneNumber}</strong> <${Status} status=${pane.currentStatus} />`}
      ${(order ?? pane?.order)?.orderNumber} <span>${t("claims.holds")}</span></p>
    <${Form} fields=${fields} initial=${initial} check=${check} draft=${`claim ${pane?._id ?? order?._id}`} submit=${t("claims.raise")}
      path=${order ? `/orders/${order._id}/claims` : "/claims/from-pane"} toBody=${(values) => bodyOf(values, ids, pane, order)}
      onSaved=${({ _id }) => go(`${OFFICE}/claims/${_id}${from}`)} /></section>`;
}

function paneField(order) {
  return {
    name: "pane",
    label: t("field.pane"),
    kind: "reference",
    resource: "panes",
    nameOf: numberOf,
    required: !order,
    hint: order ? t("claims.wholeOrder") : undefined,
    query: order ? { order: order._id } : {},
  };
}

const reporterField = () => ({
  name: "reportedBy",
  label: t("field.reportedBy"),
  kind: "reference",
  resource: "workers",
  required: true,
});

/** The body of the claim, under its order or from the number of its pane. */
async function bodyOf({ pane: chosen, photos, ...values }, ids, known, order) {
  const pane = known ?? (chosen ? (await api(`/panes/${idOf(chosen)}`)).data : null);
  const named = order
    ? { pane: pane?._id, material: idOf(pane?.material) ?? idOf(order.material) }
    : { paneNumber: pane.paneNumber };
  return { ...values, ...named, photos: await sent(photos, ids) };
}
