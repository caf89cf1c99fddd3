// Parts of the cards of the weekly figures: the sentence, the table below the chart, and its file.
import { html, useState } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { namesOf } from "../../../core/station_names.js";
import { stationOf } from "../../../core/stations.js";
import { workingDuration } from "../../../core/working_time.js";
import { Icon } from "../../../ui/parts.js";
import { saveCsv } from "../csv.js";
import { dayMonthOf } from "./words.js";

const FEW_COLUMNS = 4; // beside each other on a phone, too
const FEW = 6; // rows: the others matter less
const FEW_OF_CARDS = 3; // on a phone, where each row is a card

/** The name of the station of a row, in the language of the page. */
export const stationName = ({ station, stationName: name }) =>
  stationOf(station) || name ? namesOf(stationOf(station) ?? { name })[0] : t("office.unknownStation");

/** A time at the station of a row, as tables show it. */
export const shortTime = (seconds, { station }) => workingDuration(seconds, { unitDisplay: "short", station });

/** The first column of a table by weeks. */
export const WEEK = { name: "week", value: ({ week }) => week, shown: ({ week }) => dayMonthOf(week) };

/**
 * A card: what its chart says in `sentences`, the chart, which `chart(label)` draws, and the table of its rows.
 * `columns` are [{name, value(row), shown(row), isTime, isOnlyInFile}], the first one the heading of a row: `value` is
 * a text, a number, or null, and a time is in seconds; `shown` is how the page shows it. `total` is a row of sums,
 * `keyOf(row)` tells rows apart, and `hint` explains the table.
 */
export function Card({ name, sentences, chart, rows, ...table }) {
  const label = sentences.map((one) => t(...one)).join(" ");
  return html`<section class="card" data-card=${name} aria-labelledby=${`weekly-${name}`}>
    <h3 id=${`weekly-${name}`}>${t(`weeklycard.${name}`)}</h3><p class="sentence">${label}</p>
    ${rows.length > 0 && html`${chart(label)}<${Table} name=${name} rows=${rows} ...${table} />`}</section>`;
}

function Table({ name, rows, columns, keyOf, total, hint }) {
  const [isWhole, setWhole] = useState(false);
  const few = matchMedia("(max-width: 900px)").matches ? FEW_OF_CARDS : FEW;
  const [first, ...others] = columns.filter(({ isOnlyInFile }) => !isOnlyInFile);
  const cells = (row) =>
    others.map((one) => {
      const title = t(`weeklyfigure.${one.name}`);
      return html`<td key=${one.name} class=${one.name} data-title=${title}>${cellOf(one, row)}</td>`;
    });
  return html`<table class="weekly-table" data-few=${others.length < FEW_COLUMNS ? "" : undefined} aria-labelledby=${`weekly-${name}`}>
      <thead><tr>${[first, ...others].map((one) => html`<th key=${one.name} scope="col">${t(`weeklyfigure.${one.name}`)}</th>`)}</tr></thead>
      <tbody>${rows.slice(0, isWhole ? undefined : few).map((row) => html`<tr key=${keyOf(row)}><th scope="row">${cellOf(first, row)}</th>${cells(row)}</tr>`)}</tbody>
      ${total && html`<tfoot><tr><th scope="row">${t("calls.total")}</th>${cells(total)}</tr></tfoot>`}</table>
    <footer>${hint && html`<p class="soft">${hint}</p>`}
      ${rows.length > few && html`<button type="button" class="quiet-button" aria-expanded=${String(isWhole)} onClick=${() => setWhole(!isWhole)}>
        <${Icon} name=${isWhole ? "minus" : "chevron-down"} />${t(isWhole ? "calls.fewer" : "calls.all", { count: rows.length })}</button>`}
      <button type="button" class="quiet-button export" onClick=${() => save(name, columns, rows)}><${Icon} name="download" />${t("export.csv")}</button></footer>`;
}

function cellOf({ value, shown, isTime }, row) {
  if (shown) return shown(row);
  const found = value(row);
  if (found === null) return "–";
  if (isTime) return shortTime(found, row);
  return typeof found === "number" ? number(found) : found;
}

/** Let the browser store the rows; times are in minutes, which a spreadsheet can add up. */
function save(name, columns, rows) {
  const head = columns.map((one) => {
    const title = t(`weeklyfigure.${one.name}`);
    return one.isTime ? t("weekly.minutes", { title }) : title;
  });
  const minutes = (seconds) => Math.round(seconds / 6) / 10;
  const valueOf = ({ value, isTime }, row) => {
    const found = value(row);
    return found === null ? "" : isTime ? minutes(found) : found;
  };
  saveCsv(name, [head, ...rows.map((row) => columns.map((one) => valueOf(one, row)))]);
}
