// The panes of one order or request, live.
import { html } from "../../../vendor/ui.js";
import { number, t } from "../../core/i18n.js";
import { RETIRED } from "../../core/pane_flow.js";
import { seesPrices } from "../../core/permissions.js";
import { idOf, withChange } from "../../core/records.js";
import { money } from "../../ui/money.js";
import { useResource } from "../../ui/use_resource.js";
import { OFFICE } from "./layout.js";
import { Status } from "./parts.js";
import { readRows } from "./read_rows.js";

/** What tells the kinds of glass of panes, see `kindsOf`. */
export const OF_KIND =
  "glassTypeLabel,dimensions,routing,currentStatus,material,jobType,rawGlass,glassType,laminateRole,laminateMergedAt,parentPane,remakeOf";
const FIELDS =
  "paneNumber,laminateRole,currentStatus,currentStation,rack,order,request,mark,glassTypeLabel,dimensions,routing,version";
const MOST = 2000; // panes of one order; a page with more of them is slow

/**
 * Read the panes that a filter of the API names, {order: id}, with `fields` or whole: `most` of
 * them, and at most a page more. Returns {rows, isCut}: whether there are more than are read.
 */
export const readPanesOf = (filter, most = MOST) => readRows("panes", { sort: "paneNumber", ...filter }, most);

/** All of them, however many they are, for what is made of them and does not show each one. */
export const readPanes = async (filter) => (await readPanesOf(filter, Infinity)).rows;

/**
 * The panes of the record `id`, which they name as their `owner` ("order", "request"): {rows, isCut}.
 * `withKinds` reads what their kinds of glass need, too.
 */
export function usePanesOf(owner, id, withKinds = false) {
  const fields = seesPrices() ? `${FIELDS},agreedPrice,deliveredAt,writtenOff` : FIELDS;
  const more = withKinds ? { fields: `${fields},${OF_KIND}`, populate: "material,rack" } : { populate: "rack" };
  return useResource(`panes of ${id}`, () => [
    () => readPanesOf({ [owner]: id, fields, ...more }),
    {
      "pane:updated": (value, payload) => {
        const rows = withPane(value.rows, payload, owner, id);
        if (rows.some(({ rack }) => typeof rack === "string")) return undefined; // its number is not known
        return rows === value.rows ? value : { ...value, rows };
      },
    },
  ]);
}

/** The columns of a table of them; with the names of materials that differ from `material`, an id. */
export function paneColumns(material) {
  const other = (pane) => idOf(pane.material) !== idOf(material) && pane.material?.name;
  return [
    {
      name: "number",
      title: t("field.pane"),
      cell: ({ paneNumber, mark }) => html`<strong>${paneNumber}</strong>${mark && ` · ${mark}`}`,
    },
    {
      name: "glass",
      title: t("panes.glass"),
      cell: (pane) => [pane.glassTypeLabel, other(pane)].filter(Boolean).join(" · "),
    },
    {
      name: "size",
      title: t("field.dimensions"),
      cell: ({ dimensions: { width, height } }) =>
        width > 0 && t("office.mm", { size: `${number(width)} × ${number(height)}` }),
    },
    {
      name: "state",
      title: t("field.status"),
      cell: ({ currentStatus, rack }) =>
        html`<${Status} status=${currentStatus} />${rack && html` <small>${rack.rackNumber}</small>`}`,
    },
    ...(seesPrices()
      ? [
          {
            name: "price",
            title: t("field.agreedPrice"),
            cell: (pane) => (hasPrice(pane) ? money(pane.agreedPrice) : "–"),
          },
        ]
      : []),
  ];
}

/** Whether a pane has a price that counts: a lost or replaced one that stayed here has none. */
export const hasPrice = ({ agreedPrice, currentStatus, deliveredAt, writtenOff }) =>
  Number.isFinite(agreedPrice) && Boolean(deliveredAt || !(writtenOff || RETIRED.includes(currentStatus)));

/** Says that not all panes of the record are shown, and where they are. */
export function Rest({ panes: { rows, isCut }, owner, id }) {
  return (
    isCut &&
    html`<p>${t("office.panesCut", { count: number(rows.length) })}
    <a href=${`${OFFICE}/panes?${owner}=${id}`}>${t("office.panesAll")}</a></p>`
  );
}

/** The panes after an event of one; merged panes are not shown. */
function withPane(panes, { data, action }, owner, id) {
  const gone = idOf(data[owner]) !== id || data.currentStatus === "merged_into";
  const known = panes.some(({ _id }) => _id === data._id);
  if (gone && !known) return panes;
  const next = withChange(panes, gone ? { action: "deleted", data } : { action, data });
  return known ? next : next.sort((one, other) => (one.paneNumber < other.paneNumber ? -1 : 1));
}
