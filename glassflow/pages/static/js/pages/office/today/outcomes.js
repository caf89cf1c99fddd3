// What came of the work: orders that were on time, panes that were lost, and material that was used.
import { html } from "../../../../vendor/ui.js";
import { number, t, textOr } from "../../../core/i18n.js";
import { OFFICE } from "../layout.js";
import { amount } from "../lots/parts.js";
import { baht, money } from "../money.js";
import { percentOf } from "./words.js";
import { at, BAR_PX, Lanes, Legend, Weeks } from "./charts.js";
import { Card, stationName, WEEK } from "./card.js";
import { lossesSaid, onTimeSaid, percent, sharesOf, stockSaid } from "./weekly_words.js";

const shareOf = ({ orders, onTime }) => (orders ? percentOf({ orders, onTime }) : null);
const inPercent = (found) => (found === null ? "–" : `${number(found)} %`);
const PERCENTS = [0, 0.5, 1].map((place) => ({ place, text: `${percent(place)} %` }));
const FEW_WEEKS = 7; // whose bars have room for a number

/** The card of `GET /dashboard/on-time`. */
export function OnTime({ of }) {
  const { weeks } = of;
  const draw = (week, { x, width, middle, y }) => {
    if (!week.orders) return html`<text x=${middle} y=${y(0) - 6} text-anchor="middle">–</text>`;
    const top = y(week.onTime / week.orders);
    return html`<rect data-sign="bar" x=${x} width=${width} y=${top} height=${y(0) - top} rx="2" />
      ${weeks.length <= FEW_WEEKS && html`<text class="figure" x=${middle} y=${top - 5} text-anchor="middle">${number(shareOf(week))}</text>`}`;
  };
  return html`<${Card} name="onTime" sentences=${onTimeSaid(of)} rows=${of.orders ? weeks.toReversed() : []} keyOf=${({ week }) => week} columns=${onTimeColumns}
    chart=${(label) => html`<${Weeks} label=${label} weeks=${weeks} axis=${PERCENTS} draw=${draw} />`} />`;
}

const onTimeColumns = [
  WEEK,
  { name: "orders", value: ({ orders }) => orders },
  { name: "onTime", value: ({ onTime }) => onTime },
  { name: "share", value: shareOf, shown: (row) => inPercent(shareOf(row)) },
];

const reasonOf = ({ reason }) => (reason ? textOr(`defect.${reason}`, reason) : t("delivery.noReason"));
const causeOf = (row) =>
  row.station ? t("weekly.cause", { reason: reasonOf(row), station: stationName(row) }) : reasonOf(row);

const MOST = 8; // lanes; what comes after is in the table

/** The card of `GET /dashboard/losses`. */
export function Losses({ of }) {
  const { isByValue, rows } = sharesOf(of);
  const shares = new Map(rows.map(({ row, share }) => [row, percent(share)]));
  const shown = rows.slice(0, MOST);
  const lanes = shown.map(({ row, share, until }, index) => ({
    key: keyOf(row),
    name: causeOf(row),
    value: `${percent(share)} %`,
    plot: html`<rect data-sign="bar" x="0" width=${at(share)} ...${BAR_PX} />`,
    across: html`<${Sum} before=${shown[index - 1]?.until} now=${until} after=${shown[index + 1]?.until} />`,
  }));
  const signs = [
    ["bar", t(isByValue ? "weeklysign.value" : "weeklysign.panes")],
    ["sum", t("weeklysign.sum")],
  ];
  return html`<${Card} name="losses" sentences=${lossesSaid(of, causeOf, baht)} rows=${rows.map(({ row }) => row)} keyOf=${keyOf}
    columns=${lossesColumns(shares, of.totals.value !== null)} total=${rows.length > 1 && { ...of.totals, isTotal: true }}
    chart=${(label) => html`<${Lanes} label=${label} rows=${lanes} axis=${PERCENTS} /><${Legend} signs=${signs} />`} />`;
}

const keyOf = ({ source, station, reason }) => [source, station, reason].join(" ");

/** The line of the cumulated shares through a lane: it meets those of its neighbours between the lanes. */
function Sum({ before, now, after }) {
  const parts = [
    [before, "0"],
    [after, "100%"],
  ].filter(([neighbour]) => neighbour !== undefined);
  return html`${parts.map(([neighbour, y]) => html`<line key=${y} data-sign="sum" x1=${at((neighbour + now) / 2)} y1=${y} x2=${at(now)} y2="50%" />`)}
    <circle data-sign="sum" cx=${at(now)} cy="50%" r="4" />`;
}

const lossesColumns = (shares, hasValue) => [
  { name: "cause", value: causeOf },
  {
    name: "source",
    value: ({ source }) => t(`weeklysource.${source}`),
    shown: ({ source, isTotal }) => !isTotal && t(`weeklysource.${source}`),
  },
  { name: "panes", value: ({ panes }) => panes },
  { name: "remade", value: ({ remade }) => remade },
  ...(hasValue ? [{ name: "value", value: ({ value }) => Number(value), shown: ({ value }) => money(value) }] : []),
  { name: "share", value: (row) => shares.get(row) ?? 100, shown: (row) => inPercent(shares.get(row) ?? 100) },
];

const materialName = ({ name }) => name ?? t("weekly.deletedMaterial");

/** The card of `GET /dashboard/stock-use`. */
export function Stock({ of }) {
  const { rows } = of;
  const seesLost = rows.some(({ lostPanes }) => lostPanes !== null);
  const upward = (quantity) => Math.max(0, quantity);
  const used = ({ taken, writtenOff }) => upward(taken) + upward(writtenOff);
  const largest = (some, figure) => Math.max(...some.map(figure)) || 1;
  const lanes = rows.slice(0, MOST).map((row) => {
    const ofUnit = rows.filter(({ unit }) => unit === row.unit); // others cannot be compared
    const [taken, off] = [row.taken, row.writtenOff].map((one) => upward(one) / largest(ofUnit, used));
    const lost = row.lostArea / largest(rows, ({ lostArea }) => lostArea);
    return {
      key: row.material,
      name: materialName(row),
      value: amount(row.taken, row.unit),
      plot: html`<rect data-sign="taken" x="0" width=${at(taken)} y="5" height="14" />
        ${off > 0 && html`<rect data-sign="off" x=${at(taken)} width=${at(off)} y="5" height="14" />`}
        ${lost > 0 && html`<rect data-sign="lost" x="0" width=${at(lost)} y="22" height="7" />`}`,
    };
  });
  const signs = ["taken", "off", seesLost && "lost"].filter(Boolean).map((sign) => [sign, t(`weeklysign.${sign}`)]);
  return html`<${Card} name="stock" sentences=${stockSaid(of, amount, materialName)} rows=${rows} keyOf=${({ material }) => material} columns=${stockColumns(seesLost)}
    hint=${t("weekly.sameUnit")} chart=${(label) => html`<${Lanes} label=${label} rows=${lanes} axis=${[]} /><${Legend} signs=${signs} />`} />`;
}

const stockColumns = (seesLost) => [
  {
    name: "material",
    value: materialName,
    shown: (row) =>
      row.name === null
        ? materialName(row)
        : html`<a href=${`${OFFICE}/materials/${row.material}?from=stock`}>${row.name}</a>`,
  },
  { name: "unit", value: ({ unit }) => unit, isOnlyInFile: true },
  { name: "taken", value: ({ taken }) => taken, shown: ({ taken, unit }) => amount(taken, unit) },
  {
    name: "writtenOff",
    value: ({ writtenOff }) => writtenOff,
    shown: ({ writtenOff, unit }) => amount(writtenOff, unit),
  },
  ...(seesLost
    ? [
        { name: "lostPanes", value: ({ lostPanes }) => lostPanes },
        { name: "lostArea", value: ({ lostArea }) => lostArea },
      ]
    : []),
];
