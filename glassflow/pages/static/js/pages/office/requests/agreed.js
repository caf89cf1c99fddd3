// What the agreed price of a request is made of: what was charged, and what is open; live.
import { html } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { date, number, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { idOf } from "../../../core/records.js";
import { RetryKey } from "../../../core/retry_key.js";
import { Lazy } from "../../../ui/lazy.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { ActionButton } from "../dialog_button.js";
import { OFFICE } from "../layout.js";
import { baht, money } from "../money.js";
import ChangesOf from "../request_changes.js";

const confirmations = () => import("./confirmations.js");

/** Shown to callers who may see prices, with what was changed afterwards. */
export default function Agreed({ request }) {
  const { _id, changes } = request;
  return html`<${Price} id=${_id} />${changes?.length > 0 && html`<${ChangesOf} changes=${changes} />`}
    ${may("pricing:view") && html`<${Lazy} load=${confirmations} request=${request} />`}`;
}

/** Nothing for a request without any price. */
function Price({ id }) {
  const ofRequest = (value, { data }) => (idOf(data.request) === id ? undefined : value);
  const price = useResource(`agreed price of ${id}`, () => [
    async () => (await api(`/requests/${id}/agreed-price`)).data,
    {
      "pane:updated": ofRequest,
      "request:updated": (value, { data }) => (data._id === id ? undefined : value),
      "billing:updated": (value, { data }) => (isOf(data, value, id) ? undefined : value),
    },
  ]);
  if (!price.value ? !price.error : !hasPrice(price.value)) return null;
  return html`<section class="card agreed" aria-labelledby="agreed"><h2 id="agreed">${t("field.agreedPrice")}</h2>
    <${Loaded} of=${price}>${() => html`<${Lines} price=${price.value} />
      ${price.value.unpriced > 0 && html`<p class="soft">${t("agreed.unpriced", { count: number(price.value.unpriced) })}</p>`}
      <${Lost} lost=${price.value.lost} onDone=${price.load} />
      <${Waiting} id=${id} price=${price.value} onDone=${price.load} />`}<//></section>`;
}

/** A void entry has no parts: it is one of this request if it was charged until now. */
const isOf = ({ _id, parts }, { charges }, id) =>
  parts?.some(({ request }) => idOf(request) === id) || charges.some(({ entry }) => entry === _id);

const hasPrice = ({ total, charges, lost, waiting }) =>
  [total, lost.price, waiting].some((amount) => Number(amount)) || charges.length > 0;

/** The rows, which add up to the total below them. */
function Lines({ price: { charges, open, waiting, total } }) {
  const row = (key, name, about, amount) => html`<tr key=${key}><th scope="row">${name}
    ${about && html`<span class="soft">${about}</span>`}</th><td>${money(amount)}</td></tr>`;
  return html`<table class="agreed-lines"><thead class="visually-hidden"><tr><th scope="col">${t("billing.parts")}</th>
      <th scope="col">${t("requests.bahtUnit")}</th></tr></thead>
    <tbody>${charges.map((one) => row(one.entry, html`<${Charge} charge=${one} />`, aboutCharge(one), one.net))}
      ${open.count > 0 && row("open", t("agreed.open"), t("office.countOfKind", { count: number(open.count) }), open.price)}
      ${Number(waiting) > 0 && row("waiting", t("agreed.waiting"), t("agreed.waitingHint"), waiting)}
      ${Number(waiting) < 0 && row("waiting", t("agreed.tooMuch"), "", waiting)}</tbody>
    <tfoot><tr><th scope="row">${t("agreed.total")}</th><td>${money(total)}</td></tr></tfoot></table>`;
}

const Charge = ({ charge: { entry, entryNumber, net } }) =>
  html`${t(net < 0 ? "agreed.credited" : "agreed.charged")} ${may("pricing:view") ? html`<a href=${`${OFFICE}/billing/${entry}`}>${entryNumber}</a>` : entryNumber}`;

const aboutCharge = ({ at, count, status, reason }) =>
  [
    date(new Date(at)),
    count > 0 && t("office.countOfKind", { count: number(count) }),
    t(`billingstatus.${status}`),
    reason && t("agreed.because", { reason }),
  ]
    .filter(Boolean)
    .join(" · ");

const chargeKey = new RetryKey();

const reasonFields = () => [
  {
    name: "reason",
    label: t("field.reason"),
    hint: t("agreed.reasonHint"),
    required: true,
    wide: true,
    attributes: { maxlength: 500, autofocus: true },
  },
];

/** What is agreed and the price of no pane, once there is no pane left that could take it. */
function Waiting({ id, price: { open, waiting }, onDone }) {
  if (open.count || !(Number(waiting) > 0) || !may("pricing:manage")) return null;
  const send = async ({ reason }) => {
    await chargeKey.post("/billing-entries", { request: id, reason: reason || undefined });
    onDone();
  };
  return html`<div class="agreed-lost"><${ActionButton} icon="banknote" label=${t("agreed.chargeWaiting")}
    title=${t("agreed.chargeAsk", { amount: baht(waiting) })} hint=${t("agreed.chargeWaitingHint")} record=${{ _id: id, waiting }} fields=${reasonFields()} send=${send} /></div>`;
}

/** The panes that were cancelled or lost, and are not charged; who may charges them nevertheless. */
function Lost({ lost, onDone }) {
  if (!lost.count) return null;
  const said = { count: number(lost.count), amount: money(lost.price) };
  const send = async ({ reason }, { panes }) => {
    await chargeKey.post("/billing-entries", { panes, reason: reason || undefined }, { records: panes.length });
    onDone();
  };
  return html`<div class="agreed-lost"><p>${t("agreed.lost", said)}</p>
    ${may("pricing:manage") && html`<${ActionButton} icon="banknote" label=${t("agreed.charge")} title=${t("agreed.chargeAsk", { amount: baht(lost.price) })}
      hint=${t("agreed.chargeHint", said)} record=${lost} records=${lost.count} fields=${reasonFields()} send=${send} />`}</div>`;
}
