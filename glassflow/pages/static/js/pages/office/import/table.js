// The rows of a file after its dry run: what each would do, and faults to be corrected.
import { html, useState } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { Icon } from "../../../ui/parts.js";
import { choices, columnName } from "./columns.js";
import { decidedRows, faultsByCell } from "./rows.js";

const ACTIONS = ["fault", "created", "updated", "unchanged"];
const LOOKS = {
  // icon and colour, as of a status
  fault: ["triangle-alert", "claimed"],
  created: ["plus", "completed"],
  updated: ["pencil", "in_progress"],
  unchanged: ["check", "cancelled"],
};
const PAGE = 50;

/**
 * `data` is the answer of a dry run with its table. `onCheck(table)` checks changed rows,
 * `onRun()` imports them as they were checked; `children` tell how that went.
 */
export function Checked({ resource, data, busy, onCheck, onRun, onOther, children }) {
  const [columns, setColumns] = useState(data.table.columns);
  const [rows, setRows] = useState(() => decidedRows(data));
  const [edited, setEdited] = useState(data.table.columns.includes("")); // columns without a name are left out
  const [most, setMost] = useState(PAGE);
  const titleOf = (name) => columnName(resource, name);
  const faults = faultsByCell(data, titleOf);
  const counts = Object.fromEntries(ACTIONS.map((one) => [one, rows.filter(({ action }) => action === one).length]));
  const [shown, setShown] = useState(ACTIONS.find((one) => counts[one]) ?? "");
  const heading = faults.get(data.table.header) ?? {};
  const isFaulty = data.errors.length > 0;
  const stored = data.created + data.updated;
  const change =
    (set) =>
    (...values) => {
      set(...values);
      setEdited(true);
    };
  const setCell = change((row, index, text) =>
    setRows((all) => all.map((one) => (one.row === row ? { ...one, cells: withItem(one.cells, index, text) } : one))),
  );
  const leave = change((row) => setRows((all) => all.map((one) => (one.row === row ? { ...one, left: true } : one))));
  const setColumn = change((index, name) => setColumns((all) => withItem(all, index, name)));
  const listed = rows.filter(({ action, left }) => !left && (!shown || action === shown));
  return html`<section class="import-checked">
    <p class="import-state" data-faulty=${isFaulty ? "" : undefined}><${Icon} name=${isFaulty ? "triangle-alert" : "circle-check"} />
      ${t(edited ? "import.changed" : isFaulty ? "import.fix" : stored ? "import.ready" : "import.nothing")}</p>
    ${data.sheet && html`<p class="soft">${t("import.sheet", { sheet: data.sheet })}</p>`}
    ${heading[""] && html`<p class="fault"><${Icon} name="circle-alert" /><span>${heading[""].map((one) => html`${one}<br />`)}</span></p>`}
    <div class="import-counts" role="group" aria-label=${t("import.what")}>${ACTIONS.filter((one) => counts[one]).map((one) => html`
      <button key=${one} type="button" class="quiet-button" aria-pressed=${String(shown === one)} onClick=${() => setShown(one)}>
        <${Action} of=${one} /> <b>${number(counts[one])}</b></button>`)}</div>
    <div class="import-scroll" tabindex="0" role="region" aria-label=${t("import.rows")}><table>
      <thead><tr><th scope="col">${t("grid.row")}</th><th scope="col">${t("import.what")}</th>
        ${columns.map((name, index) => html`<th key=${index} scope="col"><${Heading} name=${name} given=${data.table.columns[index]}
          faults=${heading[data.table.columns[index]]} known=${choices(data.table.taken)} titleOf=${titleOf} onChange=${(next) => setColumn(index, next)} /></th>`)}</tr></thead>
      <tbody>${listed.slice(0, most).map((one) => html`<${Row} key=${one.row} of=${one} columns=${columns} titleOf=${titleOf}
        faults=${faults.get(one.row)} onCell=${setCell} onLeave=${leave} />`)}</tbody></table></div>
    ${listed.length > most && html`<button type="button" class="quiet-button" onClick=${() => setMost(most + PAGE)}>
      <${Icon} name="chevron-down" />${t("import.more")}</button>`}
    ${children}
    <div class="form-buttons">${isFaulty || edited
      ? html`<button type="button" class="main-button" disabled=${busy || !edited} onClick=${() => onCheck({ columns, rows })}>
          <${Icon} name="refresh-cw" />${t("import.checkAgain")}</button>`
      : html`<button type="button" class="main-button" disabled=${busy || !stored} onClick=${onRun}>
          <${Icon} name="upload" />${t("import.run", { count: number(stored) })}</button>`}
      <button type="button" class="quiet-button" disabled=${busy} onClick=${onOther}><${Icon} name="undo-2" />${t("import.other")}</button></div>
  </section>`;
}

const withItem = (all, index, item) => all.map((one, at) => (at === index ? item : one));

function Action({ of }) {
  const [icon, status] = LOOKS[of] ?? LOOKS.fault;
  return html`<span class="status" data-status=${status}><${Icon} name=${icon} />${t(`importaction.${of || "fault"}`)}</span>`;
}

/** The name of a column; one that the service does not know is to be chosen or left out. */
function Heading({ name, given, faults, known, titleOf, onChange }) {
  if (!faults) return html`<span title=${name}>${titleOf(name)}</span>`;
  return html`<span>${given}</span><select aria-label=${`${t("import.unknown")}: ${given}`} aria-invalid="true"
      onChange=${(event) => onChange(event.target.value)}>
      ${!known.includes(name) && name !== "" && html`<option value=${name} selected>${t("import.unknown")}</option>`}
      <option value="" selected=${name === ""}>${t("import.leaveOut")}</option>
      ${known.map((one) => html`<option key=${one} value=${one} selected=${one === name}>${titleOf(one)}</option>`)}</select>
    ${given && html`<small class="field-fault">${faults.join(" ")}</small>`}`;
}

function Row({ of: { row, cells, action, changes }, columns, titleOf, faults, onCell, onLeave }) {
  const isFaulty = action === "fault";
  return html`<tr data-action=${action}><th scope="row">${row}</th>
    <td class="import-action">${action && html`<${Action} of=${action} />`}
      ${faults?.[""] && html`<small class="field-fault">${faults[""].join(" ")}</small>`}
      ${isFaulty && html`<button type="button" class="icon-button" aria-label=${t("import.leave", { row })} title=${t("import.leave", { row })}
        onClick=${() => onLeave(row)}><${Icon} name="trash-2" /></button>`}</td>
    ${columns.map((name, index) => html`<td key=${index}>${isFaulty
      ? html`<${Typed} name=${name} title=${titleOf(name)} row=${row} text=${cells[index]} faults=${faults?.[name]} onChange=${(text) => onCell(row, index, text)} />`
      : html`<${Shown} text=${cells[index]} change=${action === "updated" && changes[name]} />`}</td>`)}</tr>`;
}

function Typed({ name, title, row, text, faults, onChange }) {
  const id = `import-${row}-${name}`;
  return html`<input id=${id} type="text" autocomplete="off" value=${text} aria-label=${t("import.cell", { column: title, row })}
      aria-invalid=${faults ? "true" : undefined} aria-describedby=${faults && `${id}-fault`}
      onInput=${(event) => onChange(event.target.value)} />
    ${faults && html`<small class="field-fault" id=${`${id}-fault`}>${faults.join(" ")}</small>`}`;
}

function Shown({ text, change }) {
  if (!change) return html`<span class="import-cell">${text}</span>`;
  return html`<span class="import-cell"><del>${change.from || t("import.empty")}</del> <ins>${change.to || t("import.empty")}</ins></span>`;
}
