// What has become of the events of a webhook; those that were not taken can be sent again.
import { html, useState } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { dateTime, number, t } from "../../../core/i18n.js";
import { explain } from "../../../ui/fault.js";
import { Icon } from "../../../ui/parts.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { Sign } from "./parts.js";

const FINAL = ["parked", "delivered"];
const LOOK_MS = 5_000; // deliveries are no events

export function Deliveries({ webhook }) {
  const path = `/webhooks/${webhook._id}/deliveries`;
  const found = useResource(`deliveries ${webhook._id}`, () => [
    async () => (await api(path)).data,
    {},
    { everyMs: LOOK_MS },
  ]);
  return html`<section class="card deliveries" aria-labelledby="deliveries">
    <h2 id="deliveries">${t("webhooks.deliveries")}</h2>
    <${Loaded} of=${found}>${() => html`<${Progress} progress=${found.value.progress} />
      ${found.value.deliveries.length === 0 && html`<p class="soft">${t("webhooks.noDeliveries")}</p>`}
      <ul>${found.value.deliveries.map((row) => html`<${Delivery} key=${row._id} row=${row} path=${path}
        onSent=${found.load} />`)}</ul>`}<//>
  </section>`;
}

function Progress({ progress }) {
  const { failingSince, lastFault, nextAt, parked } = progress;
  if (!failingSince && !parked) return null;
  return html`<p class="fault"><${Icon} name="triangle-alert" /><span>
    ${failingSince && t("webhooks.failing", { time: dateTime(new Date(failingSince)), fault: lastFault })}
    ${failingSince && nextAt && ` ${t("webhooks.next", { time: dateTime(new Date(nextAt)) })}`}
    ${parked > 0 && ` ${t("webhooks.parked", { count: number(parked) })}`}</span></p>`;
}

function Delivery({ row, path, onSent }) {
  const [{ sending, error }, setState] = useState({});
  const send = async () => {
    setState({ sending: true });
    try {
      await api(`${path}/${row._id}/resend`, { method: "POST", body: {} });
      setState({});
      onSent();
    } catch (failure) {
      setState({ error: failure });
    }
  };
  const name = row.event ?? t("webhooks.numbers", { first: number(row.seq), last: number(row.upto) });
  return html`<li>
    <${Sign} state=${row.status} /><strong>${name}</strong>
    <span class="soft">${row.at && dateTime(new Date(row.at))} · ${t("webhooks.attempts", { count: number(row.attempts) })}
      ${row.fault && ` · ${row.fault}`}</span>
    ${FINAL.includes(row.status) && html`<button type="button" class="quiet-button" disabled=${sending} onClick=${send}>
      <${Icon} name="rotate-cw" />${t("webhooks.again")}</button>`}
    <span role="alert">${error && (error.status < 500 ? error.message : explain(error))}</span>
  </li>`;
}
