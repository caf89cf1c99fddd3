// What labels of panes are wanted of: a search among orders, requests and panes.
import { html, useEffect, useState } from "../../../vendor/ui.js";
import { api } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { explain } from "../../ui/fault.js";
import { Icon } from "../../ui/parts.js";
import { useAttempts } from "./attempts.js";

const SETTLED_MS = 250;
const ROWS = "5";
// One after the other: many lists at once keep a small store busy.
const LISTS = [
  { field: "order", path: "/orders", number: "orderNumber", icon: "clipboard-list" },
  { field: "request", path: "/requests", number: "requestNumber", icon: "file-text" },
  { field: "panes", path: "/panes", number: "paneNumber", icon: "layers" },
];

/** A field whose hits call `onChoose(field, value)`; without a text, the latest orders. */
export function Search({ value, onChoose }) {
  const [text, setText] = useState("");
  const [hits, setHits] = useState(null);
  const [error, setError] = useState(null);
  const [attempt] = useAttempts(error);
  useEffect(() => {
    let current = true;
    const find = async () => {
      try {
        const found = await search(text.trim());
        if (!current) return;
        setHits(found);
        setError(null);
      } catch (failure) {
        if (!current) return;
        setHits(null); // of an earlier text
        setError(failure);
      }
    };
    const timer = setTimeout(find, text ? SETTLED_MS : 0);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [text, attempt]);
  const first = hits?.[0];
  const submit = (event) => {
    event.preventDefault();
    if (first) onChoose(first.field, first.value);
  };
  return html`<form class="search" role="search" onSubmit=${submit}>
    <label for="label-search">${t("labels.search")}</label>
    <div class="with-icon"><${Icon} name="search" />
      <input id="label-search" type="search" value=${text} autocomplete="off"
        placeholder=${t("labels.searchHint")} onInput=${(e) => setText(e.target.value)} /></div>
    ${error && html`<p class="fault" role="alert"><${Icon} name="circle-alert" />${explain(error)}</p>`}
    <ul class="hits">${hits?.map((hit) => html`<li key=${hit.field + hit.value}>
      <a href=${`?${hit.field}=${hit.value}`} aria-current=${[hit.value, hit.number].includes(value) ? "true" : undefined}
        onClick=${(e) => (e.preventDefault(), onChoose(hit.field, hit.value))}>
        <${Icon} name=${hit.icon} /><strong>${hit.number}</strong>
        <span class="soft">${hit.about}</span></a></li>`)}</ul>
    ${hits?.length === 0 && html`<p class="soft">
      ${text ? t("labels.noHits", { text }) : t("labels.noOrders")}</p>`}
  </form>`;
}

async function search(text) {
  const found = [];
  for (const list of text ? LISTS : LISTS.slice(0, 1)) {
    const parameters = new URLSearchParams({ limit: ROWS, populate: "true" });
    if (text) parameters.set("search", text);
    found.push(...(await rowsOf(list, parameters)));
  }
  return found;
}

async function rowsOf(list, parameters) {
  try {
    const { data } = await api(`${list.path}?${parameters}`);
    const about = ({ customer, glassTypeLabel }) => customer?.shortName ?? glassTypeLabel;
    return data.map((row) => ({ ...list, value: row._id, number: row[list.number], about: about(row) }));
  } catch (error) {
    if (error.status === 403) return []; // a kind of records that the reader may not see
    throw error;
  }
}
