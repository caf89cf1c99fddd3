// What cards and the queue show of a pane: whose it is, until when, and where it goes.
import { html } from "../../../vendor/ui.js";
import { serviceTime } from "../../core/api.js";
import { dayMonth, t } from "../../core/i18n.js";
import { OPEN } from "../../core/pane_flow.js";
import { idOf } from "../../core/records.js";
import { dayNumber } from "../../ui/moments.js";
import { Icon } from "../../ui/parts.js";

/** What is read with a pane. */
export const POPULATE = "order.customer.shortName,request,rack";

/** The sign of each action. */
export const ICONS = {
  scan_in: "log-in",
  start: "play",
  complete: "check",
  scan_out: "arrow-right",
  pass_on: "arrow-right",
  move_here: "map-pin",
  qc_pass: "badge-check",
  laminate: "layers",
};

const SOON_DAYS = 1; // today and tomorrow
const COUNTED_DAYS = 6; // a later one is told by its date

const deadlineOf = ({ currentStatus, request }) =>
  OPEN.includes(currentStatus) ? Date.parse(request?.deadline ?? null) : NaN;

/** Whether a pane is late, now or at a moment: it is open, and its request should be done. */
export const isLate = (pane, now = serviceTime()) => deadlineOf(pane) < now;

/** The short name of the customer of a pane; "" without one, and where this account may not see it. */
export const customerOf = ({ order }) => order?.customer?.shortName ?? "";

/**
 * Where an open pane at a station (an id) goes from there: the id of the next station, null after
 * the last one; undefined where its route does not tell, as of a sheet that waits for its unit.
 */
export function nextOf({ currentStatus, currentStation, routing, routeIndex, laminateRole }, station) {
  if (currentStation !== station || !OPEN.includes(currentStatus) || routing?.[routeIndex] !== station)
    return undefined;
  return routing[routeIndex + 1] ?? (laminateRole === "sheet" ? undefined : null);
}

/** How many of the pieces of an order (an id) are among panes; the sheets of a unit are one. */
export function countOf(order, panes) {
  const own = panes.filter((pane) => idOf(pane.order) === order);
  return new Set(own.map((pane) => (pane.laminateRole === "sheet" && idOf(pane.parentPane)) || pane._id)).size;
}

/**
 * Until when an open pane should be done, in days of the workshop: {kind, text}; null where there is
 * no deadline. `kind` is "late", "soon" (today and tomorrow) or "later".
 */
export function dueIn(pane, now = serviceTime()) {
  const deadline = deadlineOf(pane);
  if (Number.isNaN(deadline)) return null;
  const days = dayNumber(deadline) - dayNumber(now);
  if (deadline < now) return { kind: "late", text: days ? t("station.lateDays", { days: -days }) : t("station.late") };
  return { kind: days > SOON_DAYS ? "later" : "soon", text: inDays(days, deadline) };
}

function inDays(days, deadline) {
  if (days > COUNTED_DAYS) return dayMonth(deadline);
  return days > SOON_DAYS ? t("station.dueDays", { days }) : t(days ? "station.dueTomorrow" : "station.dueToday");
}

/** What was measured of a pane, in mm. */
export function Measured({ measured: { width, height, diagonals } }) {
  const size = [
    [width, height].map((one) => one ?? "–").join("\u2009×\u2009"),
    ...(diagonals ? [diagonals.join("\u00a0/\u00a0")] : []),
  ];
  return html`<p class="measured"><${Icon} name="ruler" />${t("station.measured", { size: size.join(" · ") })}</p>`;
}

/** Until when a pane should be done: a chip for one that is late or due soon, else text; null without a deadline. */
export function Due({ pane, now = serviceTime() }) {
  const due = dueIn(pane, now);
  if (!due) return null;
  return html`<span class="due" data-kind=${due.kind}>${due.kind === "late" && html`<${Icon} name="clock" />`}${due.text}</span>`;
}
