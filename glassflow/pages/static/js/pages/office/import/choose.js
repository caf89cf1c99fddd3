// What is imported: a file, or rows that are pasted from a spreadsheet.
import { html, useState } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { downloadExport, Failure } from "../../../ui/exports.js";
import { cellsOf } from "../../../ui/grid_paste.js";
import { Icon } from "../../../ui/parts.js";
import { CSV, TABLES, typeOf } from "../../../ui/table_file.js";
import { IMPORTS } from "../../../ui/imports.js";
import { toCsv } from "./rows.js";

const NO_RECORD = "0".repeat(24); // an export of this id has the row of names only

/** `onChosen({body, type})` gets what is to be checked; `children` tell how that went. */
export function Choose({ resource, busy, onChosen, children }) {
  const [text, setText] = useState("");
  const [{ error, empty }, setState] = useState({});
  const chosen = async ([file]) => file && onChosen({ body: file, type: await typeOf(file) });
  const pasted = (event) => {
    event.preventDefault();
    const cells = cellsOf(text);
    setState({ empty: cells.length < 2 });
    if (cells.length < 2) return;
    const isTable = cells.some((row) => row.length > 1); // else it may be the text of a CSV file
    onChosen({ body: isTable ? toCsv(cells) : text, type: CSV });
  };
  const template = () =>
    downloadExport(`/${resource}/export.xlsx?_id=${NO_RECORD}`).then(
      () => setState({}),
      (failure) => setState({ error: failure }),
    );
  const drop = (event) => {
    event.preventDefault();
    if (!busy) chosen(event.dataTransfer.files);
  };
  return html`<section class="card import-choose" onDragOver=${(event) => event.preventDefault()} onDrop=${drop}>
    <p>${t("import.how")} ${t(`importknown.${IMPORTS[resource].known}`)} ${t("import.checked")}</p>
    <div class="form-buttons"><label class="main-button file-button"><${Icon} name="upload" /><span>${t("import.file")}</span>
        <input type="file" class="visually-hidden" accept=${TABLES} disabled=${busy}
          onChange=${(event) => { chosen(event.target.files); event.target.value = ""; }} /></label>
      <button type="button" class="quiet-button" onClick=${template}><${Icon} name="download" />${t("import.template")}</button></div>
    <form class="form" onSubmit=${pasted}>
      <div class="field"><label for="import-text">${t("import.paste")}</label>
        <textarea id="import-text" rows="8" spellcheck=${false} value=${text} onInput=${(event) => setText(event.target.value)}></textarea></div>
      <div class="form-buttons"><button class="quiet-button" disabled=${busy || !text.trim()}><${Icon} name="check" />${t("import.check")}</button></div>
    </form>
    ${children}
    <div role="alert">${empty && html`<p class="fault"><${Icon} name="circle-alert" />${t("import.noRows")}</p>`}<${Failure} error=${error} /></div>
  </section>`;
}
