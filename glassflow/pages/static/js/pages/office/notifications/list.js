// The notifications of the worker who is logged in, the unread ones first; live.
import { html, useState } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { dateTime, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { explain } from "../../../ui/fault.js";
import { Icon } from "../../../ui/parts.js";
import { CheckAll, RowCheck } from "../../../ui/table.js";
import { countAgain, recipient, unread } from "../counts.js";
import { ListPage } from "../list_page.js";
import { priorities } from "./priorities.js";

export const title = "office.notifications";
export const styles = ["pages/office/notifications/notifications"];

const IS_URGENT = ["urgent", "high"];

export default function Notifications() {
  return html`<${ListPage} section="notifications" icon="bell" newTitle=${t("notifications.new")}
    create=${may("workers:view") && "notifications:create"} hint=${t("notifications.hint")} resource="notifications"
    fixed=${{ recipient: recipient() }} sort="readStatus,-createdAt" filters=${filters()}
    on=${{ notification: () => undefined }} actions=${() => import("./batch.js")}
    draw=${(rows, list, selection) => html`<${Notices} rows=${rows} list=${list} selection=${selection} />`} />`;
}

function filters() {
  return [
    {
      name: "readStatus",
      label: t("list.show"),
      options: [
        { value: "false", label: t("officewaiting.notifications") },
        { value: "true", label: t("notifications.read") },
      ],
    },
    { name: "priority", label: t("field.priority"), options: priorities() },
  ];
}

function Notices({ rows, list, selection }) {
  const [error, setError] = useState(null);
  const send = async (...request) => {
    setError(null);
    try {
      await api(...request);
      countAgain();
      list.load();
    } catch (failure) {
      setError(failure);
    }
  };
  const read = async ({ _id, readStatus }) => {
    if (readStatus) return;
    unread.value = Math.max(0, unread.value - 1);
    await send(`/notifications/${_id}`, { method: "PATCH", body: { readStatus: true } });
  };
  const readAll = () => send("/notifications/read", { method: "POST" });
  return html`<div class="notices-top"><${CheckAll} rows=${rows} selection=${selection} />
      <button type="button" class="quiet-button" disabled=${unread.value === 0} onClick=${readAll}>
        <${Icon} name="check" />${t("notifications.readAll")}</button>
      <p role="alert">${error && html`<span class="field-fault"><${Icon} name="circle-alert" /> ${explain(error)}</span>`}</p></div>
    <ul class="notices" aria-label=${t("office.notifications")}>
      ${rows.map((row) => html`<${Notice} key=${row._id} notice=${row} onRead=${() => read(row)}
        check=${html`<${RowCheck} rows=${rows} row=${row} selection=${selection} name=${row.title} />`} />`)}</ul>`;
}

function Notice({ notice, onRead, check }) {
  const { title: name, message, priority, readStatus, createdAt } = notice;
  const href = subjectOf(notice);
  const text = html`<span class="notice-text"><strong>${name}</strong>${message && html`<span>${message}</span>`}</span>
    ${IS_URGENT.includes(priority) && html`<span class="status" data-status="claimed"><${Icon} name="triangle-alert" />${t(`notificationspriority.${priority}`)}</span>`}
    <time class="soft" datetime=${createdAt}>${dateTime(new Date(createdAt))}</time>`;
  return html`<li data-unread=${readStatus ? undefined : ""}>${check}
    <span class="notice-state"><${Icon} name=${readStatus ? "check" : "bell"} /><span class="visually-hidden">${t(readStatus ? "notifications.read" : "officewaiting.notifications")}</span></span>
    ${href ? html`<a class="table-row notice" href=${href} onClick=${onRead}>${text}</a>` : html`<div class="notice">${text}</div>`}
    ${!readStatus && html`<button type="button" class="icon-button" aria-label=${t("notifications.markRead", { name })}
      title=${t("notifications.markRead", { name })} onClick=${onRead}><${Icon} name="check" /></button>`}
  </li>`;
}

const PAGES = {
  pane: "panes",
  order: "orders",
  request: "requests",
  quote: "quotes",
  claim: "claims",
  delivery: "deliveries",
  material: "materials",
  inventory: "stock",
  withdrawal: "withdrawals",
  customer: "customers",
  station: "stations",
  call: "calls",
};

/** The address of the record that a notification names; undefined where there is no page of it. */
function subjectOf({ referenceType, referenceId }) {
  const section = PAGES[referenceType?.toLowerCase()];
  return section && referenceId ? `/floor/office/${section}/${encodeURIComponent(referenceId)}` : undefined;
}
