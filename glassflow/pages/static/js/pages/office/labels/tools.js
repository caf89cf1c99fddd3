// The tools of the designer: what can be placed, undo and redo, the grid.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { Icon } from "../../../ui/parts.js";
import { FieldChoice } from "./field_choice.js";
import { useToolDrag } from "./tool_drag.js";

const GRIDS_MM = [0.5, 1, 2, 5];

/** What can be placed is clicked, or dragged onto the label that `stage` refers to. */
export function Tools({ act, fields, history, grid, onGrid, label, stage, disabled }) {
  const [handlersOf, ghost] = useToolDrag({ stage, label, onClick: act.add, onDrop: act.drop });
  const add = (kind, icon, given) => html`<button type="button" class="quiet-button tool" disabled=${disabled}
    data-add=${kind} title=${t("stickers.dragHint")} ...${handlersOf(kind, given)}><${Icon} name=${icon} />${t(`stickerkind.${kind}`)}</button>`;
  const step = (name, icon, possible, keys) => html`<button type="button" class="icon-button"
    disabled=${disabled || !possible} aria-label=${t(`stickers.${name}`)} title=${`${t(`stickers.${name}`)} (${keys})`} onClick=${act[name]}><${Icon} name=${icon} /></button>`;
  return html`<div class="tools" role="group" aria-label=${t("stickers.tools")}>
    ${add("text", "type", { content: t("stickers.content") })}
    <${FieldChoice} id="design-add-field" label=${t("stickers.addField")} fields=${fields} disabled=${disabled}
      onChoose=${(name) => act.add("text", { content: `{{${name}}}` })} />
    ${add("qr", "qr-code")}${add("barcode", "barcode")}${add("rect", "square")}${add("line", "minus")}
    <span class="steps">${step("undo", "undo-2", history.past, "Ctrl Z")}${step("redo", "redo-2", history.future, "Ctrl Shift Z")}</span>
    <label class="grid-choice" for="design-grid"><${Icon} name="ruler" /><span>${t("stickers.grid")}</span>
      <select id="design-grid" aria-label=${t("stickers.grid")} onChange=${(event) => onGrid(Number(event.target.value))}>
        <option value="0" selected=${grid === 0}>${t("stickers.noGrid")}</option>
        ${GRIDS_MM.map((size) => html`<option key=${size} value=${size} selected=${size === grid}>${t("office.mm", { size })}</option>`)}
      </select></label>
    ${ghost}
  </div>`;
}
