// How far the jobs of a record are: quote, request, order, deliveries, billed, paid; live.
import { html, useEffect } from "../../../../vendor/ui.js";
import { api, Refused } from "../../../core/api.js";
import { date, number, t } from "../../../core/i18n.js";
import { joinRoom } from "../../../core/live.js";
import { may } from "../../../core/permissions.js";
import { money } from "../../../ui/money.js";
import { Icon } from "../../../ui/parts.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { OFFICE } from "../layout.js";
import { concerns, stepsOf } from "./steps.js";

const EVENTS = ["quote", "request", "order", "pane", "delivery", "billing", "payment"];
const SECTIONS = {
  quote: "quotes",
  request: "requests",
  order: "orders",
  delivery: "deliveries",
  entry: "billing",
  payment: "payments",
};

/** `kind` and `id` name the record of the page; see slot.js. */
export default function Standing({ kind, id }) {
  useEffect(() => {
    if (may("pricing:view")) joinRoom("pricing").catch(() => {}); // the next visit reads it again
  }, []);
  const handler = (value, { data }) => (concerns(value.jobs, id, data) ? undefined : value);
  const found = useResource(`standing ${kind} ${id}`, () => [
    async () => (await api(`/standing?${kind}=${encodeURIComponent(id)}`)).data,
    Object.fromEntries(EVENTS.map((name) => [`${name}:updated`, handler])),
  ]);
  const { value, error } = found;
  const isNone = value ? !value.jobs.length : error instanceof Refused && error.status < 500;
  if (isNone) return html`<span class="standing-none"></span>`;
  return html`<nav aria-label=${t("standing.title")}><${Loaded} of=${found}>${() => html`
    ${value.jobs.map((job, index) => html`<${Job} key=${index} job=${job} kind=${kind} current=${id} isOnly=${value.jobs.length === 1} />`)}
    ${value.more > 0 && html`<p class="soft">${t("standing.moreJobs", { count: number(value.more) })}</p>`}`}<//></nav>`;
}

function Job({ job, kind, current, isOnly }) {
  const name = job.request?.requestNumber ?? job.orders?.[0]?.orderNumber ?? job.quotes?.[0]?.quoteNumber;
  return html`${!isOnly && html`<p class="standing-job"><b>${name}</b> ${job.request?.referenceId && html`<span class="soft">${job.request.referenceId}</span>`}</p>`}
    <ol aria-label=${name}>${stepsOf(job, current, may).map((step) => html`<${Step} key=${step.name} from=${kind} ...${step} payment=${paymentOf(job, kind, current)} />`)}</ol>`;
}

function Step({ from, name, state, share, figure, deposit, shown, more, payment }) {
  const isCurrent = [...shown, ...more].some((one) => one.isCurrent);
  return html`<li data-state=${state} data-current=${isCurrent}>
    <span class="step-name"><${Sign} state=${state} share=${share} /><b>${t(`standingstep.${name}`)}</b>
      <span class="visually-hidden">${t(`standingstate.${state}`)}</span></span>
    <span class="step-about">${figure && html`<span class="step-figure">${inWords(figure)}</span>`}
      ${deposit && html`<span class="step-deposit"><${Icon} name="hourglass" />${t("standing.deposit", { paid: whole(deposit.paid), asked: whole(deposit.asked) })}</span>`}
      ${shown.map((one) => html`<${Link} key=${one._id} from=${from} ...${one} />`)}
      ${more.length > 0 && html`<details><summary>${t("standing.more", { count: number(more.length) })}</summary>
        ${more.map((one) => html`<${Link} key=${one._id} from=${from} ...${one} />`)}</details>`}
      ${name === "paid" && state !== "done" && payment && may("pricing:manage") && html`<span class="step-link"><a href=${`${OFFICE}/payments/new?${payment}`}>
        <${Icon} name="plus" />${t("payments.record")}</a></span>`}</span></li>`;
}

/** What a payment from this page is for: the invoice of the entry, else the request or the quote; "" for none. */
function paymentOf({ request, quotes, entries }, kind, current) {
  const isBilled =
    kind === "entry" &&
    entries?.some(({ _id, status, creditOf }) => _id === current && status === "billed" && !creditOf);
  if (isBilled) return `entry=${current}`;
  if (request) return `request=${request._id}`;
  return quotes?.length ? `quote=${quotes.at(-1)._id}` : "";
}

/** A ring that fills; a word beside it says the same. */
function Sign({ state, share }) {
  if (state === "done" || state === "stopped")
    return html`<${Icon} name=${state === "done" ? "circle-check" : "ban"} />`;
  return html`<i class="step-ring" aria-hidden="true" style=${{ "--share": String(share) }}></i>`;
}

function inWords({ status, count, done, paid, amount }) {
  if (status) return status === "cancelled" ? t("status.cancelled") : t(`quotesstatus.${status}`);
  if (amount !== undefined) return t("standing.amountOf", { done: whole(paid), all: whole(amount) });
  if (done !== undefined) return t("standing.countOf", { done: number(done), all: number(count) });
  return t("office.countOfKind", { count: number(count) });
}

/** `from` is the kind of the record of the page: the page of an order leads back to its request. */
function Link({ from, kind, _id, number: name, row, isCurrent }) {
  const about = ABOUT[kind]?.(row);
  return html`<span class="step-link"><a href=${`${OFFICE}/${SECTIONS[kind]}/${_id}${kind === "order" && from === "request" ? "?from=request" : ""}`} aria-current=${isCurrent ? "page" : undefined}>${name ?? t("standing.draft")}</a>
    ${about && html`<span class="soft">${about}</span>`}</span>`;
}

const day = (moment) => moment && date(new Date(moment));
const ABOUT = {
  delivery: ({ deliveredAt, plannedFor }) => day(deliveredAt ?? plannedFor),
  entry: ({ creditOf, net, invoiceNumber }) => (creditOf ? whole(net) : invoiceNumber),
  payment: ({ amount }) => whole(amount),
};

/** An amount of baht, a number or a text of the API, with its satang only where it has some. */
const whole = (amount) => money(amount).replace(/\.00$/, "");
