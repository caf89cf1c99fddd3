// Customers that are the same, side by side: one stays and gets what the others have.
import { html, useState } from "../../../../vendor/ui.js";
import { api, timeFor } from "../../../core/api.js";
import { number, t } from "../../../core/i18n.js";
import { RetryKey } from "../../../core/retry_key.js";
import { Dialog } from "../../../ui/dialog.js";
import { Icon } from "../../../ui/parts.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { Working } from "../../../ui/working.js";
import { wordsFor } from "../batch.js";

const OWN = ["requests", "orders"];
const retryKey = new RetryKey();

/** The dialog; `onClose(isDone)`. */
export default function Merge({ customers, onClose }) {
  const counts = useResource(`work of ${customers.map(({ _id }) => _id)}`, () => [() => readCounts(customers)]);
  const [kept, setKept] = useState(null);
  return html`<${Dialog} title=${t("customers.mergeTitle")} className="wide" onClose=${() => onClose(false)}>
    <${Loaded} of=${counts}>${() => html`<fieldset class="merged"><legend>${t("customers.stays")}</legend>
        ${customers.map((one) => html`<${Choice} key=${one._id} customer=${one} counts=${counts.value[one._id]}
          checked=${one._id === kept?._id} onChoose=${() => setKept(one)} />`)}</fieldset>
      ${kept && html`<${Confirm} key=${kept._id} kept=${kept} others=${customers.filter((one) => one !== kept)} counts=${counts.value}
        onDone=${() => onClose(true)} />`}`}<//><//>`;
}

/** How many requests and orders each customer has, by id. */
async function readCounts(customers) {
  const counts = {};
  for (const { _id } of customers) {
    counts[_id] = {};
    for (const name of OWN) {
      const { pagination } = await api(`/${name}?customer=${_id}&limit=1&fields=customer`);
      counts[_id][name] = pagination.total;
    }
  }
  return counts;
}

function Choice({ customer, counts, checked, onChoose }) {
  const { name, contact, phone, email, taxId, address, discount, priceList, notes } = customer;
  const facts = [
    ["field.contact", contact],
    ["field.phone", phone],
    ["field.email", email],
    ["field.taxId", taxId],
    ["field.address", address],
    ["field.discount", discount > 0 && `${number(discount)} %`],
    ["field.priceList", priceList?.name],
    ["field.notes", notes],
    ["office.requests", number(counts.requests)],
    ["office.orders", number(counts.orders)],
  ];
  return html`<label class="card"><span class="choice"><input type="radio" name="kept" checked=${checked} onChange=${onChoose} /><strong>${name}</strong></span>
    <dl>${facts.map(([key, value]) => html`<div key=${key}><dt>${t(key)}</dt>
      <dd>${value || html`<span class="soft">${t("customers.none")}</span>`}</dd></div>`)}</dl></label>`;
}

function Confirm({ kept, others, counts, onDone }) {
  const [{ sending, error }, setState] = useState({});
  const moved = (name) => others.reduce((sum, { _id }) => sum + counts[_id][name], 0);
  const [requests, orders] = OWN.map(moved);
  const send = async () => {
    setState({ sending: true });
    const body = { customers: others.map(({ _id }) => _id) };
    const headers = { "If-Match": `"${kept.version}"`, "Idempotency-Key": retryKey.of([kept, body]) };
    try {
      await api(`/customers/${kept._id}/merge`, {
        method: "POST",
        body,
        headers,
        timeoutMs: timeFor(requests + orders),
      });
      retryKey.answered();
      onDone();
    } catch (failure) {
      retryKey.failed(failure);
      setState({ error: failure });
    }
  };
  const { name } = kept;
  return html`<div class="will-merge" role="status"><p>${t("customers.mergeSay", { requests: number(requests), orders: number(orders), name })}</p>
      <p>${t("customers.mergeFields", { name })}</p><p><strong>${t("customers.mergeGone")}</strong></p></div>
    <div role="alert">${error && html`<p class="fault"><${Icon} name="circle-alert" /><span>${wordsFor(error)}</span></p>`}</div>
    <div class="form-buttons"><button type="button" class="main-button danger" disabled=${sending} onClick=${send}>
      <${Icon} name=${sending ? "hourglass" : "users"} />${t("customers.merge")}</button>
      ${sending && html`<${Working} count=${0} />`}</div>`;
}
