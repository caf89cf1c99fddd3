// The quotes: those that wait for an answer, drafts, answered ones, or all; live.
import { html, useEffect } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { date, number, t } from "../../../core/i18n.js";
import { joinRoom } from "../../../core/live.js";
import { may } from "../../../core/permissions.js";
import { QUOTE_STATUSES } from "../../../core/record_terms.js";
import { query } from "../../../core/router.js";
import { dayFilters, referenceFilter } from "../../../ui/filters.js";
import { useResource } from "../../../ui/use_resource.js";
import { ListPage } from "../list_page.js";
import { baht } from "../money.js";
import { Deadline } from "../parts.js";
import { QuoteStatus } from "../statuses.js";

export const title = "office.quotes";
export const styles = ["pages/office/quotes/quotes"];

// A whole quote has its panes and their prices: some kB for each row.
const SHOWN = "quoteNumber,customer,project,amount,validUntil,status,sentAt,referenceId,createdAt,version";

export default function Quotes() {
  useEffect(() => {
    joinRoom("pricing").catch(() => {}); // it is read again every half a minute
  }, []);
  return html`<${ListPage} section="quotes" icon="receipt-text" create="requests:manage" newTitle=${t("quotes.new")}
    hint=${t("quotes.hint")} resource="quotes" event="quote:updated" populate="customer" fields=${SHOWN}
    fixed=${fixed()} filters=${filters()} columns=${columns()} rowName=${({ quoteNumber }) => quoteNumber}><${Figures} /><//>`;
}

/** Quotes that a revision has replaced are shown to who looks for them. */
function fixed() {
  const isAsked = query.value.get("status") || query.value.get("search");
  return { kind_ne: "confirmation", ...(!isAsked && { status_ne: "superseded" }) };
}

/** What waits, what expires soon, and which part of the quotes was accepted of late. */
function Figures() {
  const read = async () => (await api("/quotes/figures")).data;
  const figures = useResource("figures of quotes", () => [read, { "quote:updated": () => undefined }]);
  if (!figures.value) return html`<dl class="quote-figures"></dl>`;
  const { waiting, expiring, answers } = figures.value;
  const all = answers.accepted.count + answers.rejected.count + answers.expired.count;
  const shown = [
    [t("quotes.waiting"), number(waiting.count), waiting.count > 0 && baht(waiting.amount)],
    [t("quotes.expiring"), number(expiring.count), expiring.count > 0 && baht(expiring.amount)],
    [
      t("quotes.hitRate"),
      all ? `${number(Math.round((answers.accepted.count * 100) / all))} %` : "–",
      all > 0 && t("quotes.hits", { accepted: number(answers.accepted.count), count: number(all) }),
    ],
  ];
  return html`<dl class="quote-figures">${shown.map(([name, value, more]) => html`<div class="card" key=${name}>
    <dt>${name}</dt><dd><b>${value}</b>${more && html` <span class="soft">${more}</span>`}</dd></div>`)}</dl>`;
}

function filters() {
  const statuses = QUOTE_STATUSES.map((value) => ({ value, label: t(`quotesstatus.${value}`) }));
  return [
    { name: "status", label: t("field.status"), options: statuses },
    referenceFilter({ name: "customer", resource: "customers", label: t("field.customer") }),
    ...dayFilters({ name: "validUntil", from: t("quotes.validFrom"), to: t("requests.dueTo"), more: true }),
    ...dayFilters({ name: "createdAt", from: t("requests.createdFrom"), to: t("requests.dueTo"), more: true }),
  ];
}

export function columns() {
  return [
    {
      name: "number",
      title: t("field.quoteNumber"),
      width: "150px",
      sort: "quoteNumber",
      cell: ({ quoteNumber }) => html`<strong>${quoteNumber}</strong>`,
    },
    {
      name: "customer",
      title: t("field.customer"),
      width: "2fr",
      fields: "customer",
      sort: may("customers:view") && "customer.name",
      cell: ({ customer }) => customer?.name ?? "–",
    },
    {
      name: "project",
      title: t("field.project"),
      width: "2fr",
      fields: "project",
      sort: "project",
      cell: ({ project }) => project,
    },
    {
      name: "amount",
      title: t("field.amount"),
      width: "150px",
      fields: "amount",
      sort: "amount",
      cell: ({ amount }) => baht(amount),
    },
    {
      name: "valid",
      title: t("field.validUntil"),
      width: "170px",
      sort: "validUntil",
      cell: (quote) => html`<${Deadline} deadline=${lastMoment(quote)} isOpen=${quote.status === "sent"} />`,
    },
    {
      name: "state",
      title: t("field.status"),
      width: "170px",
      sort: "status",
      cell: ({ status }) => html`<${QuoteStatus} status=${status} />`,
    },
    {
      name: "sent",
      title: t("field.sentAt"),
      width: "130px",
      sort: "sentAt",
      hidden: true,
      cell: ({ sentAt }) => sentAt && date(new Date(sentAt)),
    },
    {
      name: "reference",
      title: t("field.referenceId"),
      width: "130px",
      hidden: true,
      fields: "referenceId",
      sort: "referenceId",
      cell: ({ referenceId }) => referenceId,
    },
    {
      name: "created",
      title: t("field.createdAt"),
      width: "130px",
      sort: "createdAt",
      hidden: true,
      cell: ({ createdAt }) => date(new Date(createdAt)),
    },
  ];
}

const DAY_MS = 86_400_000;

/** The last moment of the day until which a quote is valid. */
const lastMoment = ({ validUntil }) => validUntil && new Date(new Date(validUntil).getTime() + DAY_MS - 1);
