// Where a customer stands: what is open and what is owed, and what was sold by month; live.
import { html, useEffect } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { date, month, number, t } from "../../../core/i18n.js";
import { joinRoom } from "../../../core/live.js";
import { may } from "../../../core/permissions.js";
import { idOf } from "../../../core/records.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { OFFICE, ORDERS } from "../layout.js";
import { baht, money } from "../money.js";
import { SalesTable } from "../sales_table.js";
import { Balance } from "./balance.js";

const MONTHS = 12;
const EVENTS = [
  "delivery:updated",
  "billing:updated",
  "payment:updated",
  "order:updated",
  "quote:updated",
  "claim:updated",
];

/** `customer` is the record. */
export default function Account({ customer: { _id, version } }) {
  useEffect(() => {
    if (may("pricing:view")) joinRoom("pricing").catch(() => {}); // the next visit reads it again
  }, []);
  // a claim names no customer
  const isOthers = ({ data }) => data?.customer && idOf(data.customer) !== _id;
  const handler = (value, payload) => (isOthers(payload) ? value : undefined);
  const found = useResource(`account ${_id} ${version}`, () => [
    () => read(_id),
    Object.fromEntries(EVENTS.map((name) => [name, handler])),
  ]);
  return html`<${Loaded} of=${found}>${() => html`<${Standing} customer=${_id} ...${found.value.account} />
    <${Balance} customer=${_id} balance=${found.value.account.balance} />
    ${found.value.sales && html`<${Sold} ...${found.value.sales} />`}`}<//>`;
}

async function read(id) {
  const { data: account } = await api(`/customers/${id}/account`);
  if (!may("pricing:view")) return { account, sales: null };
  return { account, sales: (await api(`/sales?months=${MONTHS}&customer=${id}`)).data };
}

function Standing({ customer, quotes, orders, deliveries, unbilled, claims, prices }) {
  const listOf = (section, rest) => `${OFFICE}/${section}?customer=${customer}&${rest}`;
  const parts = [
    quotes && {
      name: "quotes",
      value: number(quotes.count),
      href: listOf("quotes", "status=sent"),
      more: quotes.count > 0 && t("account.beforeVat", { amount: baht(quotes.amount) }),
    },
    orders && {
      name: "orders",
      value: number(orders.count),
      href: `${ORDERS}?due=open&customer=${customer}`,
      more:
        orders.count > 0 &&
        t("account.delivered", { done: number(orders.panesDelivered), count: number(orders.paneCount) }),
    },
    deliveries && {
      name: "deliveries",
      value: number(deliveries.count),
      href: listOf("deliveries", "status=planned"),
      more:
        deliveries.next && t("account.next", { count: number(deliveries.panes), day: date(new Date(deliveries.next)) }),
    },
    unbilled && {
      name: "unbilled",
      value: baht(unbilled.gross),
      href: listOf("billing", "show=open"),
      more: unbilled.count > 0 && t("account.vat", { net: money(unbilled.net), vat: money(unbilled.vat) }),
    },
    claims && {
      name: "claims",
      value: number(claims.pending),
      href: may("orders:view") && listOf("claims", "show=all"),
      more:
        claims.count > 0 && t("account.approved", { approved: number(claims.approved), count: number(claims.count) }),
    },
    prices && {
      name: "prices",
      value: prices.priceListName ?? t("account.usualPrices"),
      href: prices.priceList && `${OFFICE}/price-lists/${prices.priceList}`,
      more: pricesSay(prices),
    },
  ].filter(Boolean);
  if (!parts.length) return null;
  return html`<section class="card account" aria-labelledby="account"><h2 id="account">${t("account.title")}</h2>
    <dl>${parts.map(({ name, value, href, more }) => html`<div key=${name}><dt>${t(`accountpart.${name}`)}</dt>
      <dd><b>${href ? html`<a href=${href}>${value}</a>` : value}</b>${more && html`<span>${more}</span>`}</dd></div>`)}</dl></section>`;
}

function pricesSay({ discount, priceList, isValid }) {
  const validity = priceList && t(isValid ? "account.valid" : "account.notValid");
  const less = discount > 0 ? t("account.discount", { percent: number(discount) }) : t("account.noDiscount");
  return [validity, less].filter(Boolean).join(" · ");
}

function Sold({ rows, total }) {
  const label = t("sales.ofCustomer");
  const newest = rows.map((row) => [{ ...row, key: row.month, name: month(row.month) }]).reverse();
  return html`<section class="card sales" aria-labelledby="sold"><h2 id="sold">${label}</h2>
    ${rows.length === 0 ? html`<p class="soft">${t("sales.none")}</p>`
      : html`<${SalesTable} label=${label} first=${t("sales.month")} groups=${newest} total=${total} />
        <p class="soft">${t("sales.remakeHint")}</p>`}</section>`;
}
