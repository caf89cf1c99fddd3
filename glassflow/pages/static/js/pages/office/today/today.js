// The morning page, for somebody who was not there: what was finished on the last working day,
// what is late and where it stands, what was made again, where panes jam, and what money waits; live.
// Below it the weekly figures, which are loaded and read after it.
import { html } from "../../../../vendor/ui.js";
import { api, serviceTime, styled } from "../../../core/api.js";
import { dayMonth, format, hourMinute, number, t, textOr } from "../../../core/i18n.js";
import { OPEN } from "../../../core/pane_flow.js";
import { may } from "../../../core/permissions.js";
import { nameOf } from "../../../core/station_names.js";
import { workingDuration } from "../../../core/working_time.js";
import { Lazy } from "../../../ui/lazy.js";
import { dayNumber, toLocal } from "../../../ui/moments.js";
import { Icon } from "../../../ui/parts.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { ANY_CHANGE, READ_AGAIN_MS } from "../any_change.js";
import { lateOrders } from "../counts.js";
import { Empty } from "../empty.js";
import { Head, Office, OFFICE, ORDERS, REQUESTS } from "../layout.js";
import { amount } from "../lots/parts.js";
import { baht } from "../money.js";
import { Deadline, Station } from "../parts.js";
import { isEmpty, nameOfDay, percentOf, trendOf, weekdayOf } from "./words.js";

export const title = "office.today";
export const styles = ["ui/station_colors", "pages/office/today/today"];

const weekly = () => import("./weekly.js").then(styled);

const MOST = 10; // rows of a list, as many as the service sends orders
const DAY_MS = 86_400_000;
const EXPIRING_DAYS = 7;
const UNDELIVERED_DAYS = 90;
const FULL_DATE = { weekday: "long", day: "numeric", month: "long", year: "numeric" };

async function read() {
  const { data } = await api("/dashboard/today");
  if (data.late) lateOrders.value = data.late.count;
  return data;
}

export default function Today() {
  const today = useResource("today", () => [read, ANY_CHANGE, { everyMs: READ_AGAIN_MS }]);
  const now = serviceTime(); // it is drawn again after each read
  return html`<${Office}>
    <${Head}><h1 tabindex="-1">${t("office.today")}</h1><p class="soft day">${format(now, FULL_DATE)}</p>
      <button type="button" class="quiet-button" onClick=${() => print()}><${Icon} name="printer" />${t("today.print")}</button><//>
    <${Loaded} of=${today}>${() => isEmpty(today.value)
      ? html`<${Empty} icon="clipboard-list" title=${t("today.nothing")} hint=${t("today.nothingHint")} />`
      : html`<${Parts} of=${today.value} now=${now} />`}<//>
    ${today.value && html`<${Lazy} load=${weekly} />`}
  <//>`;
}

/** All parts that the worker may see. */
function Parts({ of, now }) {
  const { day, finished, late, soon, remakes, jam, onTime, deliveries, lowStock } = of;
  const named = nameOfDay(day, now);
  const when = t(`todaywhen.${named.kind}`, named);
  return html`<div class="today"><div>
      ${finished && html`<${Finished} ...${finished} day=${day} when=${when} />`}
      ${late && html`<${Due} ...${late} kind="late" />`}
      ${soon && html`<${Due} ...${soon} kind="soon" />`}
      <div class="outcome">
        ${remakes && html`<${Remakes} ...${remakes} day=${day} when=${when} />`}
        ${may("panes:view") && may("pane_logs:view") && html`<${Jam} jam=${jam} named=${named} />`}
        ${onTime?.orders > 0 && html`<${OnTime} ...${onTime} now=${now} />`}</div></div>
    <div><${Money} of=${of} now=${now} />
      <${Deliveries} rows=${deliveries} now=${now} />
      ${lowStock && html`<${Low} rows=${lowStock} />`}</div></div>`;
}

/** A list of panes of one day of the workshop. */
const panesOf = (field, day, more = "") => `${OFFICE}/panes?${field}_gte=${day}&${field}_lte=${day}${more}`;

/** What is shown where there is nothing to do. */
const Fine = ({ children }) => html`<p class="fine"><${Icon} name="circle-check" />${children}</p>`;

const Big = ({ href, count }) =>
  html`<a class="big" href=${href}><b>${number(count)}</b> ${t("today.panes", { count })}</a>`;

/** The heading of a list: what it has, how many, and the way to the whole one. */
const Title = ({ id, href, count, kind, children }) =>
  html`<h2 id=${id}><a href=${href}>${children} <b data-kind=${kind}>${number(count)}</b></a></h2>`;

const Facts = ({ children }) => html`<p class="soft">${children.filter(Boolean).join(" · ")}</p>`;

function Finished({ day, when, panes, area, value, usual, target }) {
  return html`<section class="card finished" aria-labelledby="finished"><h2 id="finished">${t("today.finished", { when })}</h2>
    <p><${Big} href=${panesOf("completedAt", day)} count=${panes} />
      ${usual !== null && html`<span>${t("today.usual", { weekday: weekdayOf(day), count: number(usual) })}</span>`}
      ${target != null && html`<span>${t(panes < target ? "today.targetMissed" : "today.targetReached", { target: number(target), count: number(target - panes) })}</span>`}</p>
    ${panes > 0 && html`<${Facts}>${[t("today.area", { area: number(area) }), value !== null && baht(value)]}<//>`}</section>`;
}

/** The orders that are late, or due soon; each says where its panes are. */
function Due({ kind, count, orders }) {
  if (!count) return html`<${Fine}>${t(`todaynone.${kind}`)}<//>`;
  return html`<section class="card due-list" aria-labelledby=${kind}><${Title} id=${kind} href=${`${ORDERS}?due=${kind}`} count=${count} kind=${kind}>${t(`todaydue.${kind}`)}<//>
    <ul>${orders.map((order) => html`<li key=${order._id}><${Order} order=${order} /></li>`)}</ul>
    ${count > orders.length && html`<p class="all"><a href=${`${ORDERS}?due=${kind}`}>${t(`todayall.${kind}`, { count: number(count) })}</a></p>`}</section>`;
}

function Order({ order: { _id, orderNumber, customerShortName, deadline, stations, ...counts } }) {
  const waits = counts.panesCompleted - counts.panesDelivered;
  const places = [
    ...stations.map((one) => t("today.at", { station: nameOf(one), count: number(one.panes) })),
    waits > 0 && t("today.waits", { count: number(waits) }),
  ].filter(Boolean);
  return html`<a href=${`${ORDERS}/${_id}`}><strong>${orderNumber}</strong>
    <span class="customer">${customerShortName}</span>
    <span class="due"><${Deadline} deadline=${deadline} isOpen /></span>
    <span class="where"><span class="done">${t("today.doneOf", { done: number(counts.panesCompleted), count: number(counts.paneCount) })}</span> <span class="places">${places.map((place, index) => html`<span key=${index}>${place}${index < places.length - 1 && " ·"}</span> `)}</span></span></a>`;
}

function Remakes({ day, when, panes, value, first }) {
  if (!panes) return html`<${Fine}>${t("today.noRemakes", { when })}<//>`;
  return html`<section class="card" aria-labelledby="remakes"><h2 id="remakes">${t("today.remakes", { when })}</h2>
    <p><${Big} href=${panesOf("createdAt", day, "&remakeOf_ne=null")} count=${panes} /></p>
    ${value !== null && html`<p class="soft">${baht(value)}</p>`}
    ${first && html`<p>${t("today.cause", causeOf(first))}</p>`}</section>`;
}

const causeOf = ({ station, stationName, reason, panes }) => ({
  reason: reason ? textOr(`defect.${reason}`, reason) : t("delivery.noReason"),
  station: station && stationName ? nameOf({ name: stationName }) : t("office.unknownStation"),
  count: number(panes),
});

function Jam({ jam, named }) {
  if (!jam) return html`<${Fine}>${t("today.noJam")}<//>`;
  const { station, stationName, panes, more, oldestSeconds } = jam;
  const words = {
    panes: number(panes),
    more: number(more),
    morning: t(`todaymorning.${named.kind}`, named),
    time: workingDuration(oldestSeconds, { station }),
  };
  return html`<section class="card jam" aria-labelledby="jam"><h2 id="jam"><${Icon} name="triangle-alert" />${t("today.jamTitle")}</h2>
    <p><a href=${`${OFFICE}/panes?status=${OPEN}&station=${station}`}><${Station} station=${{ _id: station, name: stationName }} />: ${t("today.jam", words)}</a></p></section>`;
}

const ARROWS = { up: "arrow-up", down: "arrow-up", level: "arrow-right" }; // the second one is turned

function OnTime({ now, days, onTime, orders, before }) {
  const share = { onTime, orders };
  const trend = trendOf({ ...share, before });
  const shown = (one) => `${number(percentOf(one))} %`;
  const [from, to] = [now - days * DAY_MS, now].map((moment) => toLocal(moment).slice(0, 10));
  return html`<section class="card" aria-labelledby="on-time"><h2 id="on-time">${t("today.onTime")}</h2>
    <p><a class="big" href=${`${REQUESTS}?deadline_gte=${from}&deadline_lte=${to}`}><b>${shown(share)}</b></a>
      ${trend && html`<span class="trend" data-trend=${trend}><${Icon} name=${ARROWS[trend]} /><span class="visually-hidden">${t(`todaytrend.${trend}`)}</span></span>
        <span class="soft">${t("today.onTimeBefore", { percent: shown(before), days })}</span>`}</p>
    <p>${t("today.onTimeOf", { count: number(onTime), all: number(orders), days })}</p></section>`;
}

/** What is made, delivered or billed, and not paid: a number and an amount each. */
function Money({ of: { undelivered, unbilled, unpaid, expiring }, now }) {
  const [since, until] = [-UNDELIVERED_DAYS, EXPIRING_DAYS - 1].map((days) =>
    toLocal(now + days * DAY_MS).slice(0, 10),
  );
  const rows = [
    [
      "undelivered",
      undelivered?.panes,
      undelivered?.value,
      `panes?status=completed&deliveredAt=null&completedAt_gte=${since}`,
    ],
    ["unbilled", unbilled?.count, unbilled?.net, "billing"],
    ["unpaid", unpaid?.invoices, unpaid?.amount, "billing?show=billed"],
    ["expiring", expiring?.count, expiring?.amount, `quotes?status=sent&validUntil_lte=${until}`],
  ].filter(([, count]) => count !== undefined);
  if (!rows.length) return null;
  return html`<section class="card rows money" aria-labelledby="money"><h2 id="money">${t("today.money")}</h2>
    <ul>${rows.map(([name, count, value, list]) => html`<li key=${name}><a href=${`${OFFICE}/${list}`} data-none=${count ? undefined : ""}>
      <span>${t(`todaymoney.${name}`)}</span><span class="count">${t(`todaycount.${name}`, { count: number(count) })}</span>
      ${value != null && html`<b class="amount">${baht(value)}</b>`}</a></li>`)}</ul>
    ${rows.some(([, , value]) => value != null) && html`<p class="soft">${t("today.moneyHint")}</p>`}</section>`;
}

function Deliveries({ rows, now }) {
  if (!rows.length) return html`<p class="soft">${t("today.noDeliveries")}</p>`;
  return html`<section class="card rows trips" aria-labelledby="trips"><${Title} id="trips" href=${`${OFFICE}/deliveries`} count=${rows.length}>${t("today.deliveries")}<//>
    <ul>${rows.slice(0, MOST).map((one) => html`<li key=${one._id}><a href=${`${OFFICE}/deliveries/${one._id}`}>
      <strong>${one.deliveryNumber}</strong><${Time} of=${one} now=${now} /><span class="customer">${one.recipient}</span>
      <span class="state"><${Loading} of=${one} /></span></a></li>`)}</ul>
    ${rows.length > MOST && html`<p class="all"><a href=${`${OFFICE}/deliveries`}>${t("today.allDeliveries", { count: number(rows.length) })}</a></p>`}</section>`;
}

/** When a delivery was handed over, or is planned: most have a day without a time; one of an earlier day is overdue. */
function Time({ of: { status, plannedFor, deliveredAt }, now }) {
  const moment = new Date(deliveredAt ?? plannedFor);
  if (status === "planned" && dayNumber(moment.getTime()) < dayNumber(now))
    return html`<span class="deadline" data-kind="late">${dayMonth(moment)}</span>`;
  const hasTime = deliveredAt || !toLocal(moment.getTime()).endsWith("T00:00");
  return html`<span class="soft">${hasTime && hourMinute(moment)}</span>`;
}

function Loading({ of: { status, paneCount, missing, loaded, lacking } }) {
  if (status !== "planned") {
    const shown = status === "delivered" && missing > 0 ? "partly" : status;
    return html`<span class="status" data-status=${shown}>${t(`deliverystatus.${shown}`)}</span>`;
  }
  return html`${t("today.loaded", { done: number(loaded), count: number(paneCount) })}
    ${lacking.length > 0 && html` <b data-kind="soon">${t("today.lacks", { count: number(lacking.length) })}</b>`}`;
}

function Low({ rows }) {
  if (!rows.length) return html`<${Fine}>${t("today.noLow")}<//>`;
  const list = `${OFFICE}/stock?low=true`;
  return html`<section class="card rows low" aria-labelledby="low"><${Title} id="low" href=${list} count=${rows.length} kind="late">${t("today.low")}<//>
    <ul>${rows.slice(0, MOST).map(({ material, name, quantity, unit }) => html`<li key=${material}>
      <a href=${`${OFFICE}/materials/${material}?from=stock`}><span>${name}</span><b class="amount">${amount(quantity, unit)}</b></a></li>`)}</ul>
    ${rows.length > MOST && html`<p class="all"><a href=${list}>${t("today.allLow", { count: number(rows.length) })}</a></p>`}</section>`;
}
