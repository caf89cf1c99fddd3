// What can be done with a request or an order, besides changing its fields.
import { html } from "../../../vendor/ui.js";
import { api, inWords, Refused, timeFor } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { Form } from "../../ui/form.js";
import { Icon } from "../../ui/parts.js";
import { Lazy } from "../../ui/lazy.js";
import { ActionButton, DialogButton } from "./dialog_button.js";

const STALE = 412;

/** Change a record as long as nobody else has, since it was shown; else `onStale()` reads it again. Returns {data, warnings}. */
export async function change(path, record, body, onStale) {
  try {
    const headers = { "If-Match": `"${record.version}"` };
    const { data, warnings = [] } = await api(`${path}/${record._id}`, {
      method: "PATCH",
      body,
      headers,
      timeoutMs: timeFor(panesOf(record)),
    });
    return { data, warnings: warnings.map((one) => inWords(one).message) };
  } catch (error) {
    if (error instanceof Refused && error.status === STALE) onStale();
    throw error;
  }
}

/** How many panes a request or an order has, as far as it says. */
const panesOf = ({ paneCount, details }) => paneCount ?? details?.quantity;

/** Cancel a request or an order; `reason` is the field that says why, if there is one. */
export function Cancel({ record, path, hint, reason, onStale }) {
  const fields = reason
    ? [{ name: reason, label: t("requests.cancelReason"), kind: "textarea", rows: 2, wide: true }]
    : [];
  return html`<${ActionButton} icon="ban" label=${t("requests.cancel")} hint=${hint} fields=${fields} record=${record} records=${panesOf(record)} isDanger
    about=${html`<${Lazy} load=${() => import("./will_cancel.js")} of=${`${path}/${record._id}`} />`}
    send=${(values, seen) => change(path, seen, { status: "cancelled", ...values }, onStale)} />`;
}

/**
 * Take a cancellation back. What is left out is told to `onSaid`, as a list of sentences: the page shows
 * it, because it may have removed this button by then.
 */
export function TakeBack({ record, path, hint, onStale, onSaid }) {
  return html`<${ActionButton} icon="undo-2" label=${t("requests.takeBack")} hint=${hint} record=${record} records=${panesOf(record)}
    send=${async (_, seen) => onSaid((await change(path, seen, { status: "pending" }, onStale)).warnings)} />`;
}

/** What was left out as a cancellation was taken back. */
export function Warnings({ of }) {
  return html`<div role="status">${of.map((one) => html`<p class="status-line"><${Icon} name="triangle-alert" /> ${one}</p>`)}</div>`;
}

/** A new deadline, with its reason where there was another one. */
export function ChangeDeadline({ request, onStale }) {
  const isFirst = !request.deadline;
  const fields = [
    { name: "deadline", label: t("field.deadline"), kind: "moment", required: true },
    {
      name: "deadlineChangeReason",
      label: t("requests.reason"),
      kind: "textarea",
      rows: 2,
      required: true,
      wide: true,
      isShown: () => !isFirst,
    },
  ];
  // the reason of the change before is not that of this one
  return html`<${DialogButton} icon="clock" label=${t(isFirst ? "requests.setDeadline" : "requests.changeDeadline")}>
    ${(close) => html`<${Form} fields=${fields} record=${{ ...request, deadlineChangeReason: "" }} path="/requests"
      prefix="deadline" draft=${`/requests/${request._id} deadline`} onStale=${onStale} onSaved=${close} />`}<//>`;
}
