// The customer's file is read into the grid of panes, by the reader of what is pasted into it.
import { html, useRef, useState } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { Failure } from "../../../ui/exports.js";
import { sendFile } from "../../../ui/files.js";
import { tableOf } from "../../../ui/grid_paste.js";
import { Icon } from "../../../ui/parts.js";
import { TABLES, typeOf } from "../../../ui/table_file.js";
import { newKey } from "./rows.js";

const MARKED = '#field-panes :is([aria-invalid="true"], [data-level])';

/**
 * The button and what was read. `columns` are those of the grid; `onTable(table, id)` puts a table of
 * `tableOf` into the rows, whose `ofFile` is `id`, and returns what is against it, in words; `onUndo(id)` takes these
 * rows away. `faults` and `doubts` are how many cells are marked.
 */
export default function ReadFile({ columns, onTable, onUndo, faults, doubts }) {
  const [{ busy, error, refused, read }, setState] = useState({});
  const choose = async (event) => {
    const [file] = event.target.files;
    event.target.value = "";
    if (!file) return;
    setState({ busy: true });
    try {
      const { data } = await sendFile("/requests/cells", file, await typeOf(file));
      setState(put(file, data));
    } catch (failure) {
      setState({ error: failure });
    }
  };
  const put = ({ name }, { rows, sheet }) => {
    const typed = columns.filter(({ draw }) => !draw);
    const cells = rows.map((row) => row.map((cell) => cell.trim()));
    const table = tableOf(cells, typed);
    if (!table) return { refused: t("readfile.noHeads", { file: name }) };
    if (!table.lines.length) return { refused: t("readfile.noRows", { file: name }) };
    const id = newKey();
    const against = onTable(table, id);
    return against ? { refused: against } : { read: { id, name, sheet, ...table } };
  };
  const undo = () => {
    onUndo(read.id);
    setState({});
  };
  return html`<div class="read-file">
    <label class="quiet-button file-button"><input type="file" class="visually-hidden" accept=${TABLES} disabled=${busy} onChange=${choose} />
      <${Icon} name=${busy ? "hourglass" : "upload"} />${t("readfile.button")}</label>
    <div role="alert">${refused && html`<p class="fault"><${Icon} name="circle-alert" />${refused}</p>`}<${Failure} error=${error} /></div>
    <div role="status">${read && html`<${Read} ...${read} faults=${faults} doubts=${doubts} onUndo=${undo} />`}</div>
  </div>`;
}

function Read({ name, sheet, heads, lines, left, faults, doubts, onUndo }) {
  const last = useRef(null); // the marked cell that was shown last
  const next = () => {
    const all = [...document.querySelectorAll(MARKED)];
    const isAfter = (cell) => last.current?.compareDocumentPosition(cell) & Node.DOCUMENT_POSITION_FOLLOWING;
    last.current = all.find(isAfter) ?? all[0];
    last.current?.focus();
  };
  const other = heads.find(({ column, factor }) => column?.needed && factor !== 1);
  return html`<p><${Icon} name="circle-check" /><span>${t("readfile.rows", { count: lines.length, file: name })}
      ${sheet && ` ${t("readfile.sheet", { sheet })}`}${other && ` ${t("readfile.converted", { head: other.text })}`}</span></p>
    ${left.length > 0 && html`<details><summary>${t("readfile.left", { count: left.length })}</summary>
      <ul>${left.map(({ line, text }) => html`<li key=${line}>${t("readfile.line", { line: number(line) })}: ${text}</li>`)}</ul></details>`}
    ${faults + doubts > 0 && html`<p class="status-line"><${Icon} name="triangle-alert" />
      <span>${[faults && t("readfile.faults", { count: faults }), doubts && t("readfile.doubts", { count: doubts })].filter(Boolean).join(" · ")}</span></p>`}
    <div class="form-buttons">${faults + doubts > 0 && html`<button type="button" class="quiet-button" onClick=${next}>
        <${Icon} name="chevron-down" />${t("readfile.next")}</button>`}
      <button type="button" class="quiet-button" onClick=${onUndo}><${Icon} name="undo-2" />${t("readfile.undo")}</button></div>`;
}
