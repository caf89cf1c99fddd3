// Parts of the pages of withdrawals: what they take, and how they are decided.
import { html, useState } from "../../../../vendor/ui.js";
import { api, Refused } from "../../../core/api.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { Dialog } from "../../../ui/dialog.js";
import { explain } from "../../../ui/fault.js";
import { Icon } from "../../../ui/parts.js";
import { useResource } from "../../../ui/use_resource.js";
import { OFFICE } from "../layout.js";
import { amount, lotName } from "../lots/parts.js";
import { readByIds } from "../read_by_ids.js";

export const POPULATE = "material,order,withdrawnBy,approvedBy,inventory";

/**
 * The lots that withdrawals hold stock of, by id; {} without the key that reads them, null
 * while they are read.
 */
export function useLots(withdrawals) {
  const held = withdrawals.flatMap(({ allocations }) => allocations.map(({ inventory }) => inventory));
  const ids = may("inventory:view") ? [...new Set(held)].sort() : [];
  const { value } = useResource(`lots ${ids}`, () => [
    async () => Object.fromEntries((await readByIds("inventories", ids)).map((lot) => [lot._id, lot])),
  ]);
  return value ?? null;
}

/** The lots that a withdrawal takes from, with the quantity of each. */
export function Allocations({ allocations, lots, unit }) {
  if (!allocations.length) return html`<p class="soft">${t("withdrawals.takesNothing")}</p>`;
  return html`<ul class="allocations">${allocations.map(({ inventory, quantity }) => {
    const lot = lots?.[inventory];
    return html`<li key=${inventory}><strong>${amount(quantity, unit)}</strong>
      ${lot ? html`<a href=${`${OFFICE}/stock/${lot._id}`}>${lotName(lot)}</a>` : lots && html`<span>${t("withdrawals.anyLot")}</span>`}</li>`;
  })}</ul>`;
}

/** The two decisions on a pending withdrawal, each said before it is taken. */
export function Decide({ withdrawal, lots, onDone }) {
  const [status, setStatus] = useState("");
  if (withdrawal.status !== "pending" || !may("withdrawals:manage")) return null;
  const number = withdrawal.withdrawalNumber;
  const button = (kind, icon) => html`<button type="button" class="quiet-button" onClick=${() => setStatus(kind)}>
    <${Icon} name=${icon} />${t(`withdrawals.${kind}`)}<span class="visually-hidden"> ${number}</span></button>`;
  return html`<span class="decide">
    ${button("approved", "circle-check")}${button("rejected", "ban")}
    ${status && html`<${Decision} withdrawal=${withdrawal} lots=${lots} status=${status}
      onClose=${() => setStatus("")} onDone=${onDone} />`}</span>`;
}

function Decision({ withdrawal, lots, status, onClose, onDone }) {
  const [state, setState] = useState({});
  // as it was when the dialog opened: what was read is what is decided
  const [{ _id, withdrawalNumber, quantity, material, allocations, version }] = useState(withdrawal);
  const facts = { number: withdrawalNumber, amount: amount(quantity, material?.unit), name: material?.name ?? "" };
  const decide = async () => {
    setState({ sending: true });
    try {
      const headers = { "If-Match": `"${version}"` };
      const { data } = await api(`/withdrawals/${_id}`, { method: "PATCH", body: { status }, headers });
      onClose();
      onDone?.(data);
    } catch (error) {
      setState({ error });
    }
  };
  const { error, sending } = state;
  const said = error && (error instanceof Refused && error.status < 500 ? error.message : explain(error));
  return html`<${Dialog} title=${t(`withdrawals.${status}Title`, facts)} onClose=${onClose}>
    <p>${t(`withdrawals.${status}Hint`, facts)}</p>
    <${Allocations} allocations=${allocations} lots=${lots} unit=${material?.unit} />
    ${status === "rejected" && lots && allocations.some(({ inventory }) => !lots[inventory]) && html`<p class="soft">${t("withdrawals.otherLot")}</p>`}
    <p class="soft">${t("withdrawals.final")}</p>
    <div role="alert">${error && html`<p class="fault"><${Icon} name="circle-alert" /><span>${said}</span></p>`}</div>
    <div class="form-buttons"><button type="button" class=${`main-button ${status === "rejected" ? "danger" : ""}`} disabled=${sending}
      onClick=${decide}><${Icon} name=${status === "rejected" ? "ban" : "check"} />${t(`withdrawals.${status}`)}</button></div><//>`;
}
