// What was asked for and made over time, as a chart; and as a table, which can be read aloud.
import uPlot from "../../../../vendor/uplot.js";
import { html, useEffect, useRef } from "../../../../vendor/ui.js";
import { dateTime, dayMonth, hourMinute, number, t } from "../../../core/i18n.js";
import { lang, theme, timeZone } from "../../../core/preferences.js";

const SERIES = [
  ["panesCreated", "--info"],
  ["panesCompleted", "--good"],
  ["requestsCreated", "--warn"],
];
const HEIGHT_PX = 280;
const DAYS_S = [1, 2, 5, 10].map((days) => days * 86_400); // no day is named twice

/** `rows` are [{from, panesCreated, panesCompleted, requestsCreated}], `range` "1d", "7d" or "30d". */
export function Chart({ rows, range }) {
  const series = SERIES.filter(([name]) => rows[0][name] !== null); // null: not for this worker
  const place = useRef();
  useEffect(() => {
    const element = place.current;
    const chart = new uPlot(options(range, element.clientWidth, series), data(rows, series), element);
    const watch = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT_PX }));
    watch.observe(element);
    return () => [watch.disconnect(), chart.destroy()];
  }, [rows, range, lang.value, theme.value]);
  const label = labelOf(range);
  const total = (name) => number(rows.reduce((sum, row) => sum + row[name], 0));
  return html`<div class="chart" ref=${place} role="img"
      aria-label=${series.map(([name]) => `${t(`dashboard.${name}`)} ${total(name)}`).join(", ")}></div>
    <details class="chart-table"><summary>${t("dashboard.table")}</summary><table>
      <thead><tr><th>${t("dashboard.from")}</th>${series.map(([name]) => html`<th key=${name}>${t(`dashboard.${name}`)}</th>`)}</tr></thead>
      <tbody>${rows.map((row) => html`<tr key=${row.from}><th>${label(new Date(row.from))}</th>
        ${series.map(([name]) => html`<td key=${name}>${number(row[name])}</td>`)}</tr>`)}</tbody></table></details>`;
}

const labelOf = (range) => (range === "1d" ? hourMinute : dayMonth);

function data(rows, series) {
  const times = rows.map(({ from }) => Date.parse(from) / 1000);
  return [times, ...series.map(([name]) => rows.map((row) => row[name]))];
}

/** @returns {uPlot.Options} */
function options(range, width, shown) {
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(name).trim();
  const label = labelOf(range);
  const grid = { stroke: color("--line"), width: 1 };
  const axis = { stroke: color("--soft"), grid, ticks: grid, font: `14px ${style.fontFamily}` };
  return {
    width,
    height: HEIGHT_PX,
    cursor: { drag: { setScale: false } },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), timeZone.value),
    scales: { y: { range: (_, __, high) => [0, Math.max(5, high * 1.1)] } },
    axes: [
      {
        ...axis,
        ...(range !== "1d" && { incrs: DAYS_S }),
        values: (_, splits) => splits.map((seconds) => label(new Date(seconds * 1000))),
      },
      {
        ...axis,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000],
        values: (_, splits) => splits.map(number),
      },
    ],
    series: [
      { label: t("dashboard.from"), value: (_, seconds) => (seconds ? dateTime(new Date(seconds * 1000)) : "–") },
      ...shown.map(([name, stroke]) => ({
        label: t(`dashboard.${name}`),
        stroke: color(stroke),
        width: 2,
        points: { size: 7 },
        value: (_, count) => (count == null ? "–" : number(count)),
      })),
    ],
  };
}
