// Assigns the selected orders or requests to a worker, or to nobody.
import { html, useState } from "../../../vendor/ui.js";
import { number, t } from "../../core/i18n.js";
import { idOf } from "../../core/records.js";
import { Reference } from "../../ui/reference.js";
import { BatchDialog, becomes, changeEach } from "./batch.js";
import { plan } from "./batch_plan.js";
import { Status } from "./parts.js";

/** The dialog; see BatchButtons. `resource` is the list of the API, `nameOf(record)` names one. */
export function Assign({ resource, nameOf, records, onClose }) {
  const [worker, setWorker] = useState(null);
  const [isNobody, setNobody] = useState(false);
  const assignedTo = isNobody ? null : idOf(worker);
  const name = isNobody ? t("batch.nobody") : worker?.name;
  const isMissing = !isNobody && !worker;
  const planned = plan(records, name, (record) => !isMissing && idOf(record.assignedTo) === assignedTo && "same");
  const say = isMissing ? "" : isNobody ? "batch.unassigns" : "batch.assigns";
  return html`<${BatchDialog} title=${t("batch.assign")} plan=${planned} nameOf=${nameOf} why=${(reason) => t(`batchwhy.${reason}`)} missing=${isMissing}
    say=${say && t(say, { count: number(planned.taken.length), name })} onClose=${onClose}
    state=${({ status, assignedTo: before }) => html`<${Status} status=${status} /> <span>${before?.name ?? t("batch.nobody")}</span>`}
    then=${({ to }) => to && becomes(to)} after=${({ status }) => html`<${Status} status=${status} /> <span>${name}</span>`}
    send=${(taken, tell) => changeEach(resource, taken, { assignedTo }, tell)}>
    <div class="field"><label for="assign-to">${t("batch.assignTo")}</label>
      <${Reference} resource="workers" query=${{ isActive: true }} value=${worker} onChange=${(_, row) => [setWorker(row ?? null), setNobody(false)]}
        shared=${{ id: "assign-to" }} /></div>
    <label class="check"><input type="checkbox" checked=${isNobody} onChange=${(event) => [setNobody(event.target.checked), setWorker(null)]} />
      ${t("batch.nobody")}</label>
  <//>`;
}
