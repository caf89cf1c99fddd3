// What waits for cutting, by material, with what there is to cut it from; live.
import { html } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { number, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { Icon } from "../../../ui/parts.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { ANY_CHANGE, READ_AGAIN_MS } from "../any_change.js";
import { Empty } from "../empty.js";
import { Head, Office, OFFICE, passportOf } from "../layout.js";
import { amount } from "../lots/parts.js";
import { Deadline, Station } from "../parts.js";

export const title = "office.cutting";
export const styles = ["ui/station_colors", "pages/office/cutting/cutting"];

const read = async () => (await api("/cutting-plans/waiting")).data;

export default function Cutting() {
  const waiting = useResource("waiting for cutting", () => [read, ANY_CHANGE, { everyMs: READ_AGAIN_MS }]);
  return html`<${Office}>
    <${Head}><h1 tabindex="-1">${t("office.cutting")}</h1>
      <a class="quiet-button" href=${`${OFFICE}/cutting-rules`}><${Icon} name="settings" />${t("cutting.title")}</a>
      <a class="quiet-button" href="/floor/labels?lots=all"><${Icon} name="qr-code" />${t("stock.remnantLabels")}</a><//>
    <${Loaded} of=${waiting}>${() => html`<${Waiting} ...${waiting.value} />`}<//><//>`;
}

function Waiting({ stations, materials, noMaterial }) {
  if (!stations.length)
    return html`<${Empty} icon="map-pin" title=${t("cutting.noStation")} hint=${t("cutting.noStationHint")}>
      ${may("stations:view") && html` <a href=${`${OFFICE}/stations`}>${t("office.stations")}</a>`}<//>`;
  if (!materials.length && !noMaterial.count)
    return html`<${Empty} icon="circle-check" title=${t("cutting.nothing")} hint=${t("cutting.nothingHint")} />`;
  return html`<div class="cutting">
    ${materials.length > 0 && html`<section class="card" aria-labelledby="waiting"><h2 id="waiting">${t("cutting.waiting")}</h2>
      <p class="soft places">${t("cutting.at")} ${stations.map((one) => html`<${Station} key=${one._id} station=${one} /> `)}</p>
      <${Materials} rows=${materials} /></section>`}
    ${noMaterial.count > 0 && html`<section class="card" aria-labelledby="no-material"><h2 id="no-material">${t("cutting.noMaterial")}</h2>
      <p>${t("cutting.noMaterialHint", { count: noMaterial.count, area: number(noMaterial.area) })}</p>
      <${Panes} ...${noMaterial} /></section>`}</div>`;
}

const FIGURES = ["panes", "area", "due", "sheets", "remnants"];

function Materials({ rows }) {
  return html`<table class="cutting-table" aria-labelledby="waiting">
    <thead><tr>${["material", ...FIGURES].map((name) => html`<th key=${name} scope="col">${t(`cuttingfigure.${name}`)}</th>`)}</tr></thead>
    ${rows.map((row) => html`<tbody key=${row.material}><tr><th scope="row"><${Name} of=${row} /></th><${Figures} of=${row} /></tr>
      ${row.unplanned.map((one) => html`<tr key=${one.reason} class="unplanned"><td colspan=${1 + FIGURES.length}>
        <p><${Icon} name="triangle-alert" />${t(`cuttingreason.${one.reason}`, { count: one.count })}</p><${Panes} ...${one} /></td></tr>`)}</tbody>`)}</table>`;
}

function Name({ of: { material, name, isActive, sheetSizes } }) {
  const href = `${OFFICE}/materials/${material}?from=cutting`;
  return html`<a href=${href}>${name}</a>${!isActive && html` <small>${t("form.notInUse")}</small>`}
    ${!sheetSizes.length && html` <a class="lacks" href=${href}>${t("cutting.noSheetSize")}</a>`}`;
}

function Figures({ of: { name, unit, panes, area, due, late, sheets, remnants } }) {
  const stock = `${OFFICE}/stock?${new URLSearchParams({ search: name })}`;
  const shown = {
    panes: number(panes),
    area: t("today.area", { area: number(area) }),
    due: html`<${Deadline} deadline=${due} isOpen />${late > 0 && html` <small data-kind="late">${t("cutting.late", { count: late })}</small>`}`,
    sheets: html`<a href=${stock} class=${sheets ? undefined : "lacks"}>${sheets ? amount(sheets, unit) : t("cutting.noSheet")}</a>`,
    remnants: remnants.count
      ? t("cutting.remnants", { count: number(remnants.count), area: number(remnants.area) })
      : "–",
  };
  return FIGURES.map(
    (one) => html`<td key=${one} class=${one} data-title=${t(`cuttingfigure.${one}`)}>${shown[one]}</td>`,
  );
}

/** The links to the passports of `panes`, the first of `count`. */
function Panes({ panes, count }) {
  return html`<ul class="pane-links">${panes.map(({ _id, paneNumber }) => html`<li key=${_id}><a href=${`${passportOf(paneNumber)}?from=cutting`}>${paneNumber}</a></li>`)}
    ${count > panes.length && html`<li class="soft">${t("cutting.more", { count: number(count - panes.length) })}</li>`}</ul>`;
}
