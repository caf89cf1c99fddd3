// The withdrawals: those to be decided first, then all.
import { html } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { dateTime, number, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { WITHDRAWAL_STATUSES } from "../../../core/record_terms.js";
import { withChange } from "../../../core/records.js";
import { Reference } from "../../../ui/reference.js";
import { useResource } from "../../../ui/use_resource.js";
import { OFFICE } from "../layout.js";
import { ListPage } from "../list_page.js";
import { Status } from "../parts.js";
import { amount, stockTypes } from "../lots/parts.js";
import { Allocations, Decide, POPULATE, useLots } from "./parts.js";

export const title = "office.withdrawals";
export const styles = ["pages/office/stock/stock"];

const MOST_PENDING = 50;

export default function Withdrawals() {
  return html`<${ListPage} section="withdrawals" icon="package-minus" create="withdrawals:create" newTitle=${t("withdrawals.new")}
    hint=${t("withdrawals.hint")} resource="withdrawals" event="withdrawal:updated" populate=${POPULATE}
    actions=${may("withdrawals:manage") && (() => import("./batch.js"))} rowName=${({ withdrawalNumber }) => withdrawalNumber}
    columns=${columns()} filters=${filters()}><${ToDecide} /><//>`;
}

export function columns() {
  return [
    {
      name: "number",
      title: t("field.withdrawalNumber"),
      width: "120px",
      fields: "withdrawalNumber",
      sort: "withdrawalNumber",
      cell: ({ withdrawalNumber }) => html`<strong>${withdrawalNumber}</strong>`,
    },
    {
      name: "state",
      title: t("field.status"),
      width: "150px",
      fields: "status",
      sort: "status",
      cell: ({ status }) => html`<${Status} status=${status} />`,
    },
    {
      name: "material",
      title: t("field.material"),
      width: "3fr",
      fields: "material",
      sort: may("materials:view") && "material.name",
      cell: ({ material }) => material?.name,
    },
    {
      name: "quantity",
      title: t("field.quantity"),
      width: "130px",
      sort: "quantity",
      cell: ({ quantity, material }) => amount(quantity, material?.unit),
    },
    {
      name: "type",
      title: t("field.stockType"),
      width: "120px",
      hidden: true,
      fields: "stockType",
      sort: "stockType",
      cell: ({ stockType }) => t(`stocktype.${stockType}`),
    },
    {
      name: "who",
      title: t("field.withdrawnBy"),
      width: "2fr",
      fields: "withdrawnBy",
      sort: may("workers:view") && "withdrawnBy.name",
      cell: ({ withdrawnBy }) => withdrawnBy?.name,
    },
    {
      name: "order",
      title: t("field.order"),
      width: "130px",
      isWide: true,
      fields: "order",
      sort: may("orders:view") && "order.orderNumber",
      cell: ({ order }) => order?.orderNumber,
    },
    {
      name: "when",
      title: t("field.withdrawnDate"),
      width: "200px",
      sort: "withdrawnDate",
      cell: ({ withdrawnDate }) => dateTime(new Date(withdrawnDate)),
    },
    {
      name: "rejectedWith",
      title: t("field.rejectedWith"),
      width: "150px",
      hidden: true,
      fields: "rejectedWith",
      sort: "rejectedWith",
      cell: ({ rejectedWith }) => rejectedWith,
    },
    {
      name: "notes",
      title: t("field.notes"),
      width: "2fr",
      hidden: true,
      fields: "notes",
      sort: "notes",
      cell: ({ notes }) => notes,
    },
  ];
}

function filters() {
  const reference =
    (resource) =>
    ({ value, onChange }) => html`<${Reference} resource=${resource} value=${value || null}
    onChange=${(id) => onChange(id ?? "")} shared=${{ id: `filter-${resource}` }} />`;
  return [
    {
      name: "status",
      label: t("field.status"),
      options: WITHDRAWAL_STATUSES.map((value) => ({ value, label: t(`status.${value}`) })),
    },
    { name: "stockType", label: t("field.stockType"), options: stockTypes() },
    ...(may("materials:view") ? [{ name: "material", label: t("field.material"), draw: reference("materials") }] : []),
    ...(may("workers:view")
      ? [{ name: "withdrawnBy", label: t("field.withdrawnBy"), draw: reference("workers") }]
      : []),
  ];
}

const PENDING = { status: "pending", sort: "createdAt", limit: String(MOST_PENDING), populate: POPULATE };

/** The pending withdrawals, the oldest first, for those who decide them. */
function ToDecide() {
  const pending = useResource("withdrawals to decide", () => [
    async () => {
      const { data: rows, pagination } = await api(`/withdrawals?${new URLSearchParams(PENDING)}`);
      return { rows, total: pagination.total };
    },
    { "withdrawal:updated": afterEvent },
  ]);
  const { rows, total } = pending.value ?? { rows: [] };
  const lots = useLots(rows);
  if (!may("withdrawals:manage") || !rows.length) return null;
  return html`<section class="to-decide" aria-labelledby="to-decide"><h2 id="to-decide">${t("withdrawals.toDecide")} <b>${number(total)}</b></h2>
    ${total > rows.length && html`<p class="soft">${t("withdrawals.oldest", { count: number(rows.length) })}</p>`}
    <ul>${rows.map((one) => html`<li key=${one._id} class="card">
      <p><a href=${`${OFFICE}/withdrawals/${one._id}`}>${one.withdrawalNumber}</a>
        <strong>${amount(one.quantity, one.material?.unit)} ${one.material?.name}</strong></p>
      <p class="soft">${[one.withdrawnBy?.name, one.order?.orderNumber, dateTime(new Date(one.withdrawnDate)), one.notes].filter(Boolean).join(" · ")}</p>
      <${Allocations} allocations=${one.allocations} lots=${lots} unit=${one.material?.unit} />
      <${Decide} withdrawal=${one} lots=${lots} onDone=${pending.load} /></li>`)}</ul></section>`;
}

/**
 * {rows, total} of the withdrawals that wait for a decision, the oldest first, after an event of one; `readAgain` where others are shown, or counted, now.
 */
export function afterEvent({ rows, total }, payload, readAgain) {
  const { data, action } = payload;
  const isPending = action !== "deleted" && data.status === "pending";
  const known = rows.some(({ _id }) => _id === data._id);
  // for the names of what it refers to, or for the next one, which was not shown
  if (isPending || total > rows.length) readAgain();
  if (isPending) return { rows: known ? withChange(rows, payload) : rows, total };
  return known ? { rows: rows.filter(({ _id }) => _id !== data._id), total: total - 1 } : { rows, total };
}
