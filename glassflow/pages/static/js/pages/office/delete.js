// The deletion of a record from its page.
import { html, useState } from "../../../vendor/ui.js";
import { api } from "../../core/api.js";
import { number, t } from "../../core/i18n.js";
import { OPEN } from "../../core/pane_flow.js";
import { idOf } from "../../core/records.js";
import { Dialog } from "../../ui/dialog.js";
import { explain } from "../../ui/fault.js";
import { Icon } from "../../ui/parts.js";
import { OFFICE } from "./layout.js";
import { sections } from "./sections.js";

/**
 * What keeps a record of a kind, as the service names it (`counts`), and the list that shows
 * it; where a list has no such filter, the whole list. Logs have no list.
 */
const LISTS = {
  "/customers": {
    request: ({ _id }) => `requests?customer=${_id}`,
    order: ({ _id }) => `orders?due=all&customer=${_id}`,
    quote: ({ _id }) => `quotes?customer=${_id}`,
    delivery: ({ _id }) => `deliveries?customer=${_id}`,
    "billing entry": ({ _id }) => `billing?show=all&customer=${_id}`,
    payment: ({ _id }) => `payments?customer=${_id}`,
  },
  "/materials": {
    lot: ({ name }) => `stock?search=${encodeURIComponent(name)}`,
    order: ({ _id }) => `orders?due=all&material=${_id}`,
    pane: ({ _id }) => `panes?material=${_id}&includeMerged=true`,
    withdrawal: ({ _id }) => `withdrawals?material=${_id}`,
  },
  "/inventories": { "pending withdrawal": ({ material }) => `withdrawals?status=pending&material=${idOf(material)}` },
  "/workers": {
    request: ({ _id }) => `requests?assignedTo=${_id}`,
    order: ({ _id }) => `orders?due=all&assignedTo=${_id}`,
    claim: () => "claims?show=all",
    withdrawal: ({ _id }) => `withdrawals?withdrawnBy=${_id}`,
  },
  "/stations": {
    "open call": ({ _id }) => `calls?status=open,taken&station=${_id}`,
    "open order": () => "orders?due=open",
    "open pane": ({ _id }) => `panes?routing=${_id}&status=${OPEN}`,
    pane: ({ _id }) => `panes?station=${_id}`,
    "claimed pane": () => "panes?status=claimed",
    "pane to laminate": ({ _id }) => `panes?laminateStation=${_id}&laminateRole=sheet`,
    "shared device": () => "people",
  },
  "/station-templates": { station: () => "stations" },
  "/price-lists": { customer: ({ _id }) => `customers?priceList=${_id}` },
  "/roles": { worker: () => "people" },
};

/** What the service restores (`services/deletion/restore.py`). */
const RESTORED = [
  "/customers",
  "/deliveries",
  "/job-types",
  "/materials",
  "/price-lists",
  "/quotes",
  "/requests",
  "/roles",
  "/station-templates",
  "/stations",
  "/sticker-templates",
  "/workers",
];

/** Whether the deletion can be taken back, where, and what is lost nevertheless. */
function hintOf(path, { attachments = [] }) {
  if (!RESTORED.includes(path)) return t("delete.forGood");
  const isShown = sections().some(({ name }) => name === "activity");
  return [
    t(isShown ? "delete.restorable" : "delete.restorableElsewhere", { page: t("office.activity") }),
    path === "/workers" && t("delete.newPassword"),
    attachments.length > 0 && t("delete.withoutFiles"),
  ]
    .filter(Boolean)
    .join(" ");
}

/** A button that asks before it deletes a record (`hint`); a refusal is shown in its words. */
export function Delete({ record, name, path, hint = hintOf(path, record), onDeleted }) {
  const [asking, setAsking] = useState(false);
  const [state, setState] = useState({});
  const remove = async () => {
    setState({ sending: true });
    try {
      const headers = { "If-Match": `"${record.version}"` };
      await api(`${path}/${record._id}`, { method: "DELETE", headers });
      onDeleted();
    } catch (error) {
      setState({ error });
    }
  };
  const { error } = state;
  const isRefused = error?.isFromService && error.status < 500;
  return html`<button type="button" class="quiet-button delete" onClick=${() => [setState({}), setAsking(true)]}>
      <${Icon} name="trash-2" />${t("office.delete")}</button>
    ${asking && html`<${Dialog} title=${t("office.deleteTitle", { name })} onClose=${() => setAsking(false)}>
      <p>${hint}</p>
      <div role="alert">${error && html`<p class="fault"><${Icon} name="circle-alert" />
        <span>${isRefused ? error.message : explain(error)}</span></p>`}
        ${error?.code === "IN_USE" && html`<${Kept} record=${record} path=${path} counts=${error.errors.counts} />`}</div>
      <div class="form-buttons"><button type="button" class="main-button danger" disabled=${state.sending} onClick=${remove}>
        <${Icon} name="trash-2" />${t("office.delete")}</button></div><//>`}`;
}

/** Why the record is kept, what can be done instead, and where what depends on it is. */
function Kept({ record, path, counts }) {
  const shown = sections().map(({ name }) => name);
  const links = Object.entries(counts)
    .map(([kind, count]) => ({ count, to: LISTS[path]?.[kind]?.(record) }))
    .map((one) => ({ ...one, section: one.to?.split("?")[0] }))
    .filter(({ section }) => shown.includes(section));
  return html`<div class="kept"><p>${t(`deleteinstead.${path in LISTS ? path.slice(1) : "others"}`)}</p>
    <div class="form-buttons">${links.map(({ to, section, count }) => html`<a key=${to} class="quiet-button" href=${`${OFFICE}/${to}`}>
      ${t(`office.${section}`)} (${number(count)})</a>`)}</div></div>`;
}
