// The book of a material: what changed its stock, and the balance after each change.
import { html } from "../../../../vendor/ui.js";
import { dateTime, number, t, textOr } from "../../../core/i18n.js";
import { idOf } from "../../../core/records.js";
import { query } from "../../../core/router.js";
import { dayFilters } from "../../../ui/filters.js";
import { Icon } from "../../../ui/parts.js";
import { address, RecordList } from "../../../ui/record_list.js";
import { useRecord } from "../../../ui/use_record.js";
import { Head, Office, OFFICE } from "../layout.js";
import { Empty } from "../parts.js";
import { amount } from "../lots/parts.js";

export const title = "book.page";
export const styles = ["pages/office/stock/stock"];

const FIELDS = "createdAt,actionType,reason,quantityChanged,inventory,order,worker"; // of an export
const ACTIONS = ["import", "withdraw", "move", "adjust", "remake", "claim", "cut"];

export default function Book({ id }) {
  const material = useRecord("materials", id, "material:updated").value;
  const lot = query.value.get("inventory");
  return html`<${Office}>
    <${Head}><a class="back" href=${`${OFFICE}/materials/${id}`}><${Icon} name="arrow-left" />${material?.name ?? t("office.materials")}</a>
      <h1 tabindex="-1">${material ? t("book.title", { name: material.name }) : t("book.page")}</h1><//>
    ${lot && html`<${OneLot} id=${lot} />`}
    <${RecordList} resource=${`materials/${id}/book`} label=${t("book.page")} columns=${columns(material?.unit)} filters=${filters()}
      fixed=${lot ? { inventory: lot } : {}} populate="worker,inventory,order"
      exported=${{ resource: "material-logs", fields: FIELDS, fixed: { material: id } }} on=${following(id)} href=${hrefOf}
      empty=${html`<${Empty} icon="file-text" title=${t("book.none")} hint=${t("book.noneHint")} />`} />
  <//>`;
}

function OneLot({ id }) {
  const lot = useRecord("inventories", id, "inventory:updated").value;
  return html`<p class="filter"><span><strong>${lot?.inventoryNumber}</strong> · ${t("book.ofLot")}</span>
    <a class="quiet-button" href=${address({ inventory: null, page: null })}><${Icon} name="x" />${t("book.allLots")}</a></p>`;
}

// An entry shifts the rows below it: the page is read again.
const following = (id) => ({
  "log:updated": (list, { data }) => (data && !data.paneLog && idOf(data.material) === id ? undefined : list),
});

function filters() {
  return [
    {
      name: "actionType",
      label: t("book.what"),
      options: ACTIONS.map((value) => ({ value, label: t(`bookaction.${value}`) })),
    },
    ...dayFilters({ name: "createdAt", from: t("book.from"), to: t("book.to") }),
  ];
}

function columns(unit) {
  return [
    {
      name: "when",
      title: t("book.when"),
      width: "190px",
      cell: ({ createdAt }) => html`<time datetime=${createdAt}>${dateTime(new Date(createdAt))}</time>`,
    },
    {
      name: "what",
      title: t("book.what"),
      width: "2fr",
      cell: (row) => html`<strong>${actionWord(row)}</strong>
      ${!row.isCounted && html`<small> ${t("book.note")}</small>`}${row.reason && html`<span class="book-reason">${row.reason}</span>`}`,
    },
    {
      name: "change",
      title: t("book.change"),
      width: "110px",
      cell: ({ quantityChanged: change }) =>
        html`<span class="book-number">${change > 0 ? "+" : change < 0 ? "−" : ""}${number(Math.abs(change))}</span>`,
    },
    {
      name: "balance",
      title: t("book.balance"),
      width: "150px",
      cell: ({ balance }) => html`<strong class="book-number">${amount(balance, unit)}</strong>`,
    },
    {
      name: "lot",
      title: t("field.inventory"),
      width: "2fr",
      cell: ({ inventory }) => inventory?.inventoryNumber && `${inventory.inventoryNumber} · ${inventory.location}`,
    },
    { name: "order", title: t("field.order"), width: "130px", cell: ({ order }) => order?.orderNumber },
    { name: "who", title: t("book.who"), width: "1fr", cell: ({ worker }) => worker?.name },
  ];
}

// What a withdrawal gives back is a withdrawal with a positive quantity.
function actionWord({ actionType, quantityChanged }) {
  if (actionType === "withdraw" && quantityChanged > 0) return t("bookaction.return");
  return textOr(`bookaction.${actionType}`, actionType);
}

/** Where a row leads: to its withdrawal, else to its lot. */
function hrefOf({ referenceType, referenceId, inventory, material }) {
  if (referenceType === "withdrawal") return `${OFFICE}/withdrawals/${referenceId}?from=book`;
  return inventory ? `${OFFICE}/stock/${idOf(inventory)}?from=book` : `${OFFICE}/materials/${idOf(material)}`;
}
