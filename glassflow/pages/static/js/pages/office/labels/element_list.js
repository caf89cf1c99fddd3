// The elements of a label from the front to the back, to choose one by keyboard.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { Icon } from "../../../ui/parts.js";
import { inWords, troublesOf } from "./elements.js";
import { fieldName } from "./field_choice.js";
import { isDrawn, isOutside } from "./geometry.js";

const ICONS = { text: "type", qr: "qr-code", barcode: "barcode", rect: "square", line: "minus", image: "image" };

export function ElementList({ elements, label, chosen, fields, answer, onChoose }) {
  const rows = elements.map((element, index) => ({ element, index })).reverse();
  return html`<section class="element-list" aria-label=${t("stickers.elements")}>
    <h2>${t("stickers.elements")}</h2>
    ${rows.length === 0 && html`<p class="soft">${t("stickers.empty")}</p>`}
    <ol>${rows.map(({ element, index }) => html`<li key=${index}>
      <button type="button" aria-pressed=${String(index === chosen)} onClick=${() => onChoose(index)}>
        <${Icon} name=${ICONS[element?.type] ?? "circle-help"} /><span>${nameOf(element, fields)}</span>
        <${Trouble} text=${troubleOf(element, index, label, answer)} /></button></li>`)}</ol>
  </section>`;
}

const Trouble = ({ text }) => text && html`<small class="trouble"><${Icon} name="triangle-alert" />${text}</small>`;

function nameOf(element, fields) {
  const words = element?.type === "image" ? "" : inWords(element?.content, fields, fieldName).trim();
  return words || t(`stickerkind.${isDrawn(element) ? element.type : "unknown"}`);
}

/** What is wrong with an element, in a word; "" where nothing is. */
function troubleOf(element, index, label, answer) {
  if (!isDrawn(element)) return t("stickers.leftOut");
  const { faults, warnings } = answer ? troublesOf(answer, element, index) : { faults: [], warnings: [] };
  if (faults.length) return t("stickers.faulty");
  if (isOutside(element, label)) return t("stickers.outside");
  return warnings.length ? t("stickers.warned") : "";
}
