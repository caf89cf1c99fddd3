// The foot of the overview: late orders, alerts, and the latest scans.
import { html } from "../../../vendor/ui.js";
import { serviceTime } from "../../core/api.js";
import { number, t } from "../../core/i18n.js";
import { nameOf } from "../../core/station_names.js";
import { Icon } from "../../ui/parts.js";
import { ago } from "./lane.js";
import { board } from "./source.js";

const TURN_MS = 8000;
const MAX_LATE = 6;
const MAX_LATE_WHOLE = 12; // orders at once
const MAX_LATEST = 3;
const MAX_ALERTS = 2;
const ALERT_ICONS = { laminate_ready: "layers", failed: "circle-x", low_stock: "package" };

export function Foot({ now }) {
  return html`<${Late} now=${now} /><${Latest} now=${now} />`;
}

/** The late orders of a board, the one that is late for longest first. */
export const lateOrders = (board, moment) =>
  [...board.orders.value.values()]
    .filter((order) => board.isLate(order, moment))
    .sort((a, b) => board.dueOf(a) - board.dueOf(b));

/** The rows whose turn it is, where not all of them fit. */
export function inTurn(rows, atOnce, now) {
  const turn = Math.floor(now / TURN_MS) % Math.ceil(rows.length / atOnce);
  return rows.slice(turn * atOnce, (turn + 1) * atOnce);
}

function Late({ now }) {
  const orders = lateOrders(board, now);
  if (!orders.length)
    return html`<section class="late calm"><h2>
    <${Icon} name="circle-check" />${t("board.noLate")}</h2></section>`;
  return html`<section class="late"><h2>${t("board.lateOrders")} <b>${number(orders.length)}</b></h2>
    <${Orders} orders=${inTurn(orders, MAX_LATE, now)} now=${now} /></section>`;
}

/** The late orders in place of the lanes. */
export function LateView({ now }) {
  const orders = lateOrders(board, now);
  return html`<section class="late whole"><h2>${orders.length ? t("board.lateOrders") : t("board.noLate")}
    ${orders.length > 0 && html` <b>${number(orders.length)}</b>`}</h2>
    <${Orders} orders=${inTurn(orders, MAX_LATE_WHOLE, now)} now=${now} /></section>`;
}

function Orders({ orders, now }) {
  return html`<ol>${orders.map((order) => html`<li key=${order._id}>
    <b>${order.orderNumber}</b><span class="who">${order.customerShortName ?? ""}</span>
    <span>${number(order.panesCompleted)}/${number(order.paneCount)}</span>
    <b class="over">${ago(board.dueOf(order), now)}</b></li>`)}</ol>`;
}

function Latest({ now }) {
  const all = board.alerts.value;
  const alerts = inTurn(all, MAX_ALERTS, now);
  const scans = board.feed.value.slice(0, MAX_LATEST - alerts.length);
  return html`<section class="latest"><h2>${t("board.latest")}
    ${all.length > MAX_ALERTS && html` <b>${number(all.length)}</b>`}</h2><ol>
    ${alerts.map((one) => html`<li key=${one.kind + (one.pane ?? one.parentPane ?? one.name)}
      data-alert=${one.kind}><${Icon} name=${ALERT_ICONS[one.kind]} />
      <b>${one.paneNumbers?.join(" ") ?? one.paneNumber ?? one.name}</b>
      <span>${t(`board.${one.kind}`)}</span></li>`)}
    ${scans.map((one) => {
      const place = board.stations.value?.find(({ _id }) => _id === one.station);
      return html`<li key=${one.pane + one.at} data-color=${place?.colorId}><i></i><b>${one.paneNumber}</b>
        <span>${place ? nameOf(place) : t(one.status === "defected" ? "board.failed" : "board.finished")}</span>
        <time>${ago(Date.parse(one.at), Math.max(now, serviceTime()))}</time></li>`;
    })}</ol>
    ${!alerts.length && !scans.length && html`<p class="soft">${t("board.quiet")}</p>`}</section>`;
}
