// The tax id and the branch of a company, as Thailand numbers them (domain/tax_ids.py).
import { html } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";

/** Both fields, below a heading of their own. */
export const taxFields = () => [
  {
    name: "taxId",
    label: t("field.taxId"),
    heading: t("customers.taxData"),
    hint: t("customers.taxIdHint"),
  },
  { name: "branch", label: t("field.branch"), kind: "custom", hint: t("customers.branchHint"), draw: drawBranch },
];

/** The branch, and that it is the head office. */
const drawBranch = ({ value, values: _, onChange, ...shared }) => html`<span class="with-unit">
    <input type="text" autocomplete="off" value=${value ?? ""} onInput=${({ target }) => onChange(target.value)} ...${shared} />
    ${/^0{1,5}$/.test(value ?? "") && html`<span>${t("customers.headOffice")}</span>`}</span>`;
