// The button that lets a list be exported as a file; what it opens is loaded then.
import { html, useState } from "../../vendor/ui.js";
import { t } from "../core/i18n.js";
import { Lazy } from "./lazy.js";
import { Icon } from "./parts.js";

/**
 * `resource` is the list of the API, `parameters` its filters, search and sort, `columns` the
 * columns that are shown, as `RecordList` takes them; `total` is how many rows there are.
 */
export function ExportButton({ resource, parameters, columns, total }) {
  const [open, setOpen] = useState(false);
  return html`<button type="button" class="quiet-button export" onClick=${() => setOpen(true)}>
      <${Icon} name="download" />${t("list.export")}</button>
    ${open && html`<${Lazy} load=${() => import("./export_list.js")} resource=${resource} parameters=${parameters}
      fields=${fieldsOf(columns)} total=${total} onClose=${() => setOpen(false)} />`}`;
}

/** The fields of the records that columns show, in their order. */
export function fieldsOf(columns) {
  return [...new Set(columns.flatMap(({ fields, sort = "" }) => (fields ?? sort).split(",")).filter(Boolean))];
}
