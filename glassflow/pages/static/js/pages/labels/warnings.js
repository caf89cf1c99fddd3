// What the service warns of before labels are printed, and of the print.
import { html } from "../../../vendor/ui.js";
import { number, t } from "../../core/i18n.js";
import { Icon } from "../../ui/parts.js";

/** A list of warnings: {code, element, detail, label, labels} each. */
export default function Warnings({ warnings }) {
  return html`<ul class="warnings" aria-label=${t("labels.warnings")}>${warnings.map((one) => html`
    <li key=${one.code + one.element}><${Icon} name="triangle-alert" /><span>
      ${t(`labels.warn${one.code}`, { element: one.element, detail: one.detail,
        label: one.label, labels: number(one.labels) })}</span></li>`)}</ul>`;
}
