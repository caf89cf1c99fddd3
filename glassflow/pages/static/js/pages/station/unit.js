// The set of a laminated unit: which sheets are here, where the others are, which survives.
import { html } from "../../../vendor/ui.js";
import { number, t } from "../../core/i18n.js";
import { OPEN } from "../../core/pane_flow.js";
import { nameOf } from "../../core/station_names.js";
import { Icon } from "../../ui/parts.js";

export function Unit({ desk, unit: { parentPaneNumber, sheets, present, total, ready } }) {
  const { survivor } = desk.state.value.card;
  const choose = (one) => () => desk.send({ type: "survivor", number: one });
  const figures = { present: number(present), total: number(total) };
  return html`<fieldset class="unit">
    <legend>${t("station.unit", { number: parentPaneNumber, ...figures })}</legend>
    ${ready && html`<p>${t("station.survivor")}</p>`}
    ${sheets.map((sheet) => html`<${Sheet} key=${sheet.paneNumber} sheet=${sheet} ready=${ready}
      chosen=${sheet.paneNumber === survivor} onChoose=${choose(sheet.paneNumber)} />`)}
  </fieldset>`;
}

function Sheet({ sheet: { paneNumber, sheetLabel, currentStatus, present, station }, ready, chosen, onChoose }) {
  const where = [station && nameOf(station), t(`status.${currentStatus}`)].filter(Boolean).join(" · ");
  const sign = present ? "check" : OPEN.includes(currentStatus) ? "hourglass" : "x"; // it does not come
  const content = html`<b>${sheetLabel}</b><span>${paneNumber}</span>
    <small><${Icon} name=${sign} />${present ? t("station.present") : where}</small>`;
  if (!ready || !present) return html`<div class="sheet" data-present=${present ? "" : null}>${content}</div>`;
  return html`<label class="sheet" data-present="">
    <input type="radio" name="survivor" checked=${chosen} onChange=${onChoose} />${content}</label>`;
}
