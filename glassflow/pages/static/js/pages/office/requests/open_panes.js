// The open panes of a request, each with what it is, to be typed over or cancelled.
import { html, useState } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { Icon } from "../../../ui/parts.js";
import { Empty, Station, Status } from "../parts.js";
import { CELLS, cellsOf, NUMBERS, withEdits } from "./change_values.js";
import { cellName } from "../pane_grid/pane_faults.js";

const GLASS = ["glassType", "color", "thickness"];

/**
 * `edits` and `cancel` are those of `changeBody`, changed by `onEdits` and `onCancel`; `begun` has the
 * ids of the panes on which work has begun; `faultOf(pane, cell)` is the fault of a cell, without a
 * cell that of the pane.
 */
export default function OpenPanes({ panes, begun, edits, cancel, faultOf, onEdits, onCancel }) {
  const [selected, setSelected] = useState(new Set());
  const chosen = panes.filter(({ _id }) => selected.has(_id));
  const cancelled = new Set(cancel);
  const put = (set, id, isIn) => {
    const next = new Set(set);
    if (isIn) next.add(id);
    else next.delete(id);
    return next;
  };
  const replace = (glass) => {
    onEdits(chosen.reduce((all, pane) => withEdits(all, pane, glass), edits));
    setSelected(new Set());
  };
  const cancelAll = () => {
    onCancel([...new Set([...cancel, ...chosen.map(({ _id }) => _id)])]);
    setSelected(new Set());
  };
  if (!panes.length) return html`<${Empty} icon="layers" title=${t("requestchange.none")} />`;
  return html`<p class="soft">${t("requestchange.hint")}</p>
    <${ForSelected} count=${chosen.length} onReplace=${replace} onCancel=${cancelAll} />
    <div class="grid open-panes"><div class="grid-scroll" tabindex="0" role="group" aria-labelledby="open-panes"><table aria-labelledby="open-panes">
      <thead><tr><th scope="col"><label class="row-check"><input type="checkbox" aria-label=${t("requestchange.selectAll")}
          checked=${chosen.length === panes.length} indeterminate=${chosen.length > 0 && chosen.length < panes.length}
          onClick=${({ target }) => setSelected(new Set(target.checked ? panes.map(({ _id }) => _id) : []))} /></label></th>
        <th scope="col">${t("field.pane")}</th><th scope="col">${t("requestchange.cancel")}</th>
        ${CELLS.map((cell) => html`<th key=${cell} scope="col" class=${NUMBERS.includes(cell) ? "number" : ""}>${cellName(cell)}</th>`)}
        <th scope="col">${t("field.status")}</th></tr></thead>
      <tbody>${panes.map((pane, index) => html`<${Row} key=${pane._id} pane=${pane} index=${index} edit=${edits[pane._id]} isBegun=${begun.has(pane._id)}
        isSelected=${selected.has(pane._id)} isCancelled=${cancelled.has(pane._id)} faultOf=${faultOf}
        onSelect=${(isIn) => setSelected(put(selected, pane._id, isIn))} onCancel=${(isIn) => onCancel([...put(cancelled, pane._id, isIn)])}
        onEdit=${(cell, value) => onEdits(withEdits(edits, pane, { [cell]: value }))} />`)}</tbody></table></div></div>`;
}

function Row({ pane, index, edit, isBegun: begun, isSelected, isCancelled, faultOf, onSelect, onCancel, onEdit }) {
  const { paneNumber, glassTypeLabel, currentStatus, currentStation } = pane;
  const cells = { ...cellsOf(pane), ...edit };
  const own = faultOf(pane);
  return html`<tr data-cancelled=${isCancelled ? "" : undefined}>
    <td><label class="row-check"><input type="checkbox" aria-label=${t("list.select", { name: paneNumber })} checked=${isSelected}
      onClick=${({ target }) => onSelect(target.checked)} /></label></td>
    <th scope="row" class="open-pane">${paneNumber}<span class="soft">${glassTypeLabel}</span>
      ${own && html`<small class="field-fault">${own}</small>`}</th>
    <td><label class="row-check"><input type="checkbox" data-row=${index} data-column="cancel" aria-label=${t("requestchange.cancelPane", { name: paneNumber })} checked=${isCancelled}
      aria-invalid=${own ? "true" : undefined} onClick=${({ target }) => onCancel(target.checked)} /></label></td>
    ${CELLS.map((cell) => html`<td key=${cell} class=${NUMBERS.includes(cell) ? "number" : ""}><${Cell} cell=${cell} name=${paneNumber} index=${index}
      value=${cells[cell]} isEdited=${edit && cell in edit} isCancelled=${isCancelled} fault=${faultOf(pane, cell)} onEdit=${onEdit} /></td>`)}
    <td class="pane-state"><${Status} status=${currentStatus} />${currentStation && html`<${Station} station=${currentStation} />`}
      ${begun && html`<span class="begun"><${Icon} name="triangle-alert" />${t("requestchange.begun")}</span>`}</td></tr>`;
}

function Cell({ cell, name, index, value, isEdited, isCancelled, fault, onEdit }) {
  const id = `open-pane-${index}-${cell}-fault`;
  return html`<input type="text" autocomplete="off" inputmode=${NUMBERS.includes(cell) ? "decimal" : undefined} value=${value} disabled=${isCancelled}
      data-row=${index} data-column=${cell} data-edited=${isEdited ? "" : undefined} aria-label=${t("requestchange.cell", { column: cellName(cell), name })}
      aria-invalid=${fault ? "true" : undefined} aria-describedby=${fault ? id : undefined} onInput=${({ target }) => onEdit(cell, target.value)} />
    ${fault && html`<small class="field-fault" id=${id}>${fault}</small>`}`;
}

/** What is done with all selected panes: other glass, or none of them. */
function ForSelected({ count, onReplace, onCancel }) {
  const [glass, setGlass] = useState({});
  const given = Object.entries(glass).filter(([, value]) => value.trim());
  const replace = () => {
    onReplace(Object.fromEntries(given));
    setGlass({});
  };
  return html`<div class="for-selected" role="group" aria-label=${t("list.selected", { count: number(count) })}>
    <b>${t("list.selected", { count: number(count) })}</b>
    ${GLASS.map((cell) => html`<label key=${cell} class="field"><span>${cellName(cell)}</span>
      <input type="text" autocomplete="off" name=${`replace-${cell}`} inputmode=${cell === "thickness" ? "decimal" : undefined} value=${glass[cell] ?? ""} onInput=${({ target }) => setGlass({ ...glass, [cell]: target.value })} /></label>`)}
    <button type="button" class="quiet-button" disabled=${!count || !given.length} onClick=${replace}><${Icon} name="pencil" />${t("requestchange.replace")}</button>
    <button type="button" class="quiet-button" disabled=${!count} onClick=${onCancel}><${Icon} name="ban" />${t("panesbatch.cancel")}</button></div>`;
}
