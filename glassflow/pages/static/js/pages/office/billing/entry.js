// One billing entry: what can still be changed, and what it charges.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { Lazy } from "../../../ui/lazy.js";
import { KnownRecordPage } from "../known_record.js";
import { Standing } from "../standing/slot.js";
import { BillingStatus } from "./parts.js";

export const title = "billing.one";
export const styles = ["pages/office/quotes/quotes", "pages/office/billing/billing", "pages/office/standing/standing"];

const actions = () => import("./actions.js");
const details = () => import("./details.js");

export default function Entry({ id }) {
  return html`<${KnownRecordPage} section="billing" resource="billing-entries" id=${id} event="billing:updated"
    populate="customer,delivery,creditOf,billedBy" manage="pricing:manage" nameOf=${({ entryNumber }) => entryNumber} fields=${fields}
    isClosed=${({ status }) => status !== "open"} canDelete=${() => false}
    actions=${(entry, load) => html`<${BillingStatus} status=${entry.status} />
      ${may("pricing:manage") && html`<${Lazy} load=${actions} entry=${entry} onDone=${load} />`}`}
    above=${({ _id }) => html`<${Standing} kind="entry" id=${_id} />`}
    below=${(entry) => html`<${Lazy} load=${details} entry=${entry} />`} />`;
}

/** The fields; one that does not change any more has no hint of what to type. */
function fields({ status }) {
  return [
    {
      name: "adjustment",
      label: t("field.adjustment"),
      kind: "number",
      unit: t("requests.bahtUnit"),
      hint: status === "open" && t("billing.adjustmentHint"),
    },
    { name: "notes", label: t("field.notes"), kind: "textarea", wide: true },
  ];
}
