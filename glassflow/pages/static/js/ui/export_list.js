// The dialog that exports a list: which columns, in which format, and by which name it is
// saved to be made again.
import { html, useState } from "../../vendor/ui.js";
import { number, t } from "../core/i18n.js";
import { IMPORTS } from "./imports.js";
import { Dialog } from "./dialog.js";
import { downloadExport, Failure, FORMATS } from "./exports.js";
import { Icon } from "./parts.js";
import { SaveExport } from "./save_export.js";

/**
 * The parameters of an export, without those of a page. `chosen` are its fields, none for all;
 * without `isWhole` people read it: heads are the labels of fields.
 */
export function exportParameters({ page, limit, populate, fields, ...parameters }, chosen = [], isWhole = false) {
  if (isWhole) return parameters;
  return { ...parameters, form: "readable", ...(chosen.length && { fields: chosen.join(",") }) };
}

export default function ExportDialog({ resource, parameters, fields, total, onClose }) {
  const [all, setAll] = useState(false);
  const [{ busy, error }, setState] = useState({});
  const query = String(new URLSearchParams(exportParameters(parameters, fields, all)));
  const run = async (format) => {
    setState({ busy: format });
    try {
      await downloadExport(`/${resource}/export.${format}?${query}`);
      onClose();
    } catch (failure) {
      setState({ error: failure });
    }
  };
  const choice = (value, key) => html`<label><input type="radio" name="columns" checked=${all === value}
    onChange=${() => setAll(value)} /><span>${t(key)}<small>${t(`${key}Hint`)}</small></span></label>`;
  return html`<${Dialog} title=${t("export.title")} className="with-form export-dialog" onClose=${onClose}>
    <p>${total === undefined ? t("export.whole") : t("export.rows", { count: number(total) })}</p>
    ${IMPORTS[resource] && html`<fieldset class="export-columns"><legend>${t("list.columns")}</legend>
      ${choice(false, "export.shown")}${choice(true, "export.all")}</fieldset>`}
    <div role="alert"><${Failure} error=${error} /></div>
    <div class="form-buttons">${FORMATS.map((format, index) => html`<button key=${format} type="button" disabled=${Boolean(busy)}
      class=${index ? "quiet-button" : "main-button"} onClick=${() => run(format)}>
      <${Icon} name=${busy === format ? "hourglass" : "download"} />${t(`export.${format}`)}</button>`)}
      <p role="status">${busy && t("exports.busy")}</p></div>
    <${SaveExport} resource=${resource} query=${query} />
  <//>`;
}
