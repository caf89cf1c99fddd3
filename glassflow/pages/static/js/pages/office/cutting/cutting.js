// What waits for cutting, by material, with what there is to cut it from, and the plans; live.
import { html, useState } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { number, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { RetryKey } from "../../../core/retry_key.js";
import { go } from "../../../core/router.js";
import { Icon } from "../../../ui/parts.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { ANY_CHANGE, READ_AGAIN_MS } from "../any_change.js";
import { Empty } from "../empty.js";
import { Head, Office, OFFICE } from "../layout.js";
import { amount } from "../lots/parts.js";
import { Refusal } from "../dialog_button.js";
import { Deadline, Station } from "../parts.js";
import { Panes, Unplanned } from "./parts.js";
import { Plans } from "./plans.js";

export const title = "office.cutting";
export const styles = ["ui/station_colors", "pages/office/cutting/cutting"];

const CHANGES = { ...ANY_CHANGE, "planning:updated": () => undefined };
const read = async () => (await api("/cutting-plans/waiting")).data;

export default function Cutting() {
  const waiting = useResource("waiting for cutting", () => [read, CHANGES, { everyMs: READ_AGAIN_MS }]);
  return html`<${Office}>
    <${Head}><h1 tabindex="-1">${t("office.cutting")}</h1>
      <a class="quiet-button" href=${`${OFFICE}/cutting-rules`}><${Icon} name="settings" />${t("cutting.title")}</a>
      <a class="quiet-button" href="/floor/labels?lots=all"><${Icon} name="qr-code" />${t("stock.remnantLabels")}</a><//>
    <${Loaded} of=${waiting}>${() => html`<div class="cutting"><${Waiting} ...${waiting.value} />
      ${waiting.value.stations.length > 0 && html`<${Plans} />`}</div>`}<//><//>`;
}

function Waiting({ stations, materials, noMaterial, hasSolver }) {
  if (!stations.length)
    return html`<${Empty} icon="map-pin" title=${t("cutting.noStation")} hint=${t("cutting.noStationHint")}>
      ${may("stations:view") && html` <a href=${`${OFFICE}/stations`}>${t("office.stations")}</a>`}<//>`;
  if (!materials.length && !noMaterial.count)
    return html`<${Empty} icon="circle-check" title=${t("cutting.nothing")} hint=${t("cutting.nothingHint")} />`;
  return html`
    ${materials.length > 0 && html`<section class="card" aria-labelledby="waiting"><h2 id="waiting">${t("cutting.waiting")}</h2>
      <p class="soft places">${t("cutting.at")} ${stations.map((one) => html`<${Station} key=${one._id} station=${one} /> `)}</p>
      <${Materials} rows=${materials} />
      ${may("inventory:manage") && !hasSolver && html`<p class="soft">${t("cutting.noSolver")}</p>`}</section>`}
    ${noMaterial.count > 0 && html`<section class="card" aria-labelledby="no-material"><h2 id="no-material">${t("cutting.noMaterial")}</h2>
      <p>${t("cutting.noMaterialHint", { count: noMaterial.count, area: number(noMaterial.area) })}</p>
      <${Panes} ...${noMaterial} /></section>`}`;
}

const FIGURES = ["panes", "area", "due", "sheets", "remnants"];

function Materials({ rows }) {
  return html`<table class="cutting-table" aria-labelledby="waiting">
    <thead><tr>${["material", ...FIGURES].map((name) => html`<th key=${name} scope="col">${t(`cuttingfigure.${name}`)}</th>`)}</tr></thead>
    ${rows.map((row) => html`<tbody key=${row.material}><tr><th scope="row"><${Name} of=${row} /><${PlanButton} of=${row} /></th><${Figures} of=${row} /></tr>
      ${row.unplanned.map((one) => html`<tr key=${one.reason} class="unplanned"><td colspan=${1 + FIGURES.length}>
        <${Unplanned} of=${one} /></td></tr>`)}</tbody>`)}</table>`;
}

function Name({ of: { material, name, isActive, sheetSizes } }) {
  const href = `${OFFICE}/materials/${material}?from=cutting`;
  return html`<a href=${href}>${name}</a>${!isActive && html` <small>${t("form.notInUse")}</small>`}
    ${!sheetSizes.length && html` <a class="lacks" href=${href}>${t("cutting.noSheetSize")}</a>`}`;
}

/** Proposes a plan for the panes that wait for one, and shows it. */
function PlanButton({ of: { material, panes, planned, unplanned } }) {
  const [{ sending, error }, setState] = useState({});
  const [retryKey] = useState(() => new RetryKey());
  const left = panes - planned - unplanned.reduce((sum, { count }) => sum + count, 0);
  if (left <= 0 || !may("inventory:manage")) return null;
  const plan = async () => {
    setState({ sending: true });
    try {
      const { _id } = await retryKey.post("/cutting-plans", { material });
      go(`${OFFICE}/cutting/${_id}`);
    } catch (failure) {
      setState({ error: failure });
    }
  };
  return html` <button type="button" class="main-button" disabled=${sending} onClick=${plan}>
      <${Icon} name=${sending ? "hourglass" : "ruler"} />${t("cutting.planPanes", { count: number(left) })}</button><${Refusal} error=${error} />`;
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
