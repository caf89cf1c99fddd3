// Parts of several office pages: statuses, stations, deadlines, the progress of an order.
import { html } from "../../../vendor/ui.js";
import { serviceTime } from "../../core/api.js";
import { date, duration, number, t } from "../../core/i18n.js";
import { idOf } from "../../core/records.js";
import { nameOf } from "../../core/station_names.js";
import { stationOf } from "../../core/stations.js";
import { useNow } from "../../ui/connection.js";
import { Icon } from "../../ui/parts.js";

export { Empty } from "./empty.js";

const DAY_MS = 86_400_000;
const SOON_MS = 2 * DAY_MS;
const SIGNS = {
  pending: "hourglass",
  in_progress: "play",
  awaiting_scan_out: "arrow-right",
  completed: "circle-check",
  approved: "circle-check",
  claimed: "triangle-alert",
  defected: "circle-x",
  rejected: "ban",
  cancelled: "ban",
  merged_into: "layers",
  draft: "pencil",
};

/** A status as a sign, a word and a colour. */
export function Status({ status }) {
  return html`<span class="status" data-status=${status}>
    <${Icon} name=${SIGNS[status]} />${t(`status.${status}`)}</span>`;
}

/** The name of a station with its colour; `station` is its id or the record. */
export function Station({ station }) {
  const known = stationOf(idOf(station)) ?? (station?.name && station);
  const name = known ? nameOf(known) : t("office.unknownStation");
  return html`<span class="station-name" data-color=${known?.colorId}>${name}</span>`;
}

/** "late", "soon" or "" for a deadline (a moment or null) of open work. */
export function urgency(deadline, now, isOpen = true) {
  if (!deadline || !isOpen) return "";
  const left = new Date(deadline).getTime() - now;
  if (left < 0) return "late";
  return left < SOON_MS ? "soon" : "";
}

/** When an order is due: how late it is, how long is left, or the day. */
export function Deadline({ deadline, isOpen }) {
  const now = serviceTime(useNow(false));
  if (!deadline) return html`<span class="soft">${t("office.noDeadline")}</span>`;
  const kind = urgency(deadline, now, isOpen);
  const time = duration(Math.abs(new Date(deadline).getTime() - now) / 1000);
  const day = date(new Date(deadline));
  if (!kind) return html`<span>${day}</span>`;
  const text = t(kind === "late" ? "office.lateBy" : "office.dueIn", { time });
  return html`<span class="deadline" data-kind=${kind} title=${day}>
    <${Icon} name=${kind === "late" ? "triangle-alert" : "clock"} />${text}</span>`;
}

/** The pieces of an order by station, in the order of its route: [[id, count], ...]. */
export function breakdown(order) {
  const counts = Object.entries(order.stationBreakdown ?? {}).filter(([, count]) => count > 0);
  const steps = (order.stations ?? []).map(idOf);
  const place = (id) => (steps.includes(id) ? steps.indexOf(id) : steps.length);
  return counts.sort(([one], [other]) => place(one) - place(other));
}

/** A stretch for each station, as long as it has pieces of the order; finished ones first. */
export function Progress({ order }) {
  const stations = breakdown(order).reverse();
  const done = order.panesCompleted;
  const words = stations.map(([id, count]) => {
    const station = stationOf(id);
    return `${station ? nameOf(station) : t("office.unknownStation")} ${number(count)}`;
  });
  const label = [t("office.doneOf", { done: number(done), count: number(order.paneCount) }), ...words];
  const counted = stations.reduce((sum, [, count]) => sum + count, done);
  const rest = Math.max(0, order.paneCount - counted);
  const stretch = (size) => ({ flexGrow: String(size) });
  return html`<span class="progress" role="img" aria-label=${label.join(", ")} title=${label.join(" · ")}>
    ${done > 0 && html`<i class="done" style=${stretch(done)}></i>`}
    ${stations.map(([id, count]) => html`<i key=${id} data-color=${stationOf(id)?.colorId}
      style=${stretch(count)}></i>`)}
    ${rest > 0 && html`<i class="rest" style=${stretch(rest)}></i>`}
  </span>`;
}

/** The routes of panes of one kind: the stations of each in order, one route below the other. */
export function Routes({ routes }) {
  return routes.map((route) =>
    route.length
      ? html`<ol class="steps" key=${route.join()} aria-label=${t("field.routing")}>${route.map((station, index) => html`
          <li key=${index}><${Station} station=${station} /></li>`)}</ol>`
      : html`<p class="soft">${t("office.noRouteOfKind")}</p>`,
  );
}
