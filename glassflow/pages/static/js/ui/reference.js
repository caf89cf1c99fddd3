// A field that names another record: typed into, it searches; a list below is chosen from.
// Enter before the list has come takes the only record that is found.
import { html, useEffect, useRef, useState } from "../../vendor/ui.js";
import { api } from "../core/api.js";
import { t } from "../core/i18n.js";
import { idOf } from "../core/records.js";
import { Lazy } from "./lazy.js";
import { Icon } from "./parts.js";

const SEARCH_AFTER_MS = 200;
// The list closes when the field loses the focus. Not of the pointer: a finger may scroll the list.
const keepFocus = (event) => event.preventDefault();
const nothingFound = () => import("./nothing_found.js");

/**
 * `resource` is a list of the API ("customers"), searched with `?search=`; `query` has further
 * parameters. `value` is an id or the populated record, null for none; `nameOf(record)` is
 * what is shown. `onChange(id, record)`. With `adds` it offers a new record where none has the name.
 */
export function Reference({
  resource,
  query = {},
  value,
  nameOf = ({ name, _id }) => name ?? _id,
  adds,
  onChange,
  shared,
}) {
  const { id, readOnly, ...rest } = shared;
  const [typed, setTyped] = useState(null); // null: the chosen record is shown
  const [rows, setRows] = useState([]);
  const [found, setFound] = useState(null); // {text, error}
  const [at, setAt] = useState(0);
  const [picked, setPicked] = useState(null);
  const read = useRecord(resource, picked?._id === value ? picked : value);
  const input = useRef();
  const entered = useRef(null); // what was typed when Enter came before the answer
  const asked = JSON.stringify(query);

  useEffect(() => {
    if (typed === null) return undefined;
    let current = true;
    const timer = setTimeout(async () => {
      const search = typed.trim();
      const parameters = new URLSearchParams({ ...query, limit: "20", ...(search && { search }) });
      const { data, error } = await api(`/${resource}?${parameters}`).catch((error) => ({ data: [], error }));
      if (!current) return;
      if (entered.current === typed && data.length === 1) choose(data[0]);
      else [setRows(data), setAt(0), setFound({ text: typed, error })];
    }, SEARCH_AFTER_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [typed, asked]);

  const isOpen = typed !== null;
  const isFound = found?.text === typed;
  const close = () => [setTyped(null), setRows([]), setFound(null), (entered.current = null)];
  const back = () => [input.current.focus(), close()];
  const choose = (row) => [setPicked(row), onChange(row?._id ?? null, row), back()];
  const keys = {
    ArrowDown: () => (isOpen ? setAt(Math.min(at + 1, rows.length - 1)) : setTyped("")),
    ArrowUp: () => setAt(Math.max(at - 1, 0)),
    Enter: () => (isFound ? rows[at] && choose(rows[at]) : (entered.current = typed)),
    Escape: back,
  };
  const pressed = (event) => {
    const run = keys[event.key];
    if (!run || readOnly || (!isOpen && event.key !== "ArrowDown")) return;
    event.preventDefault();
    run();
  };
  const left = ({ currentTarget, relatedTarget }) =>
    !currentTarget.contains(relatedTarget) &&
    (relatedTarget ?? currentTarget).closest("dialog") === currentTarget.closest("dialog") &&
    close();
  const list = `${id}-list`;
  return html`<span class="reference" onFocusOut=${left}>
    <input ref=${input} id=${id} type="text" role="combobox" autocomplete="off" aria-expanded=${String(isOpen)}
      aria-controls=${list} aria-autocomplete="list" aria-activedescendant=${rows[at] && `${list}-${at}`}
      value=${typed ?? (read ? nameOf(read) : "")} placeholder=${t("form.search")} readOnly=${readOnly}
      onInput=${(event) => setTyped(event.target.value)} onKeyDown=${pressed}
      onClick=${() => !readOnly && !isOpen && setTyped("")} ...${rest} />
    ${value && !readOnly && !rest.required && html`<button type="button" class="icon-button" aria-label=${t("form.clear")}
      title=${t("form.clear")} onClick=${() => choose(null)}><${Icon} name="x" /></button>`}
    <div class="found" onMouseDown=${keepFocus}><ul id=${list} role="listbox" hidden=${!rows.length}>${rows.map((row, index) => html`
      <li key=${row._id} id=${`${list}-${index}`} role="option" aria-selected=${String(index === at)} onClick=${() => choose(row)}>${nameOf(row)}</li>`)}</ul>
    <div class="nothing-found" role="status" onKeyDown=${(event) => event.key === "Escape" && pressed(event)}>
      ${isFound && (adds || !rows.length) && html`<${Lazy} key=${typed} load=${nothingFound} ...${found} rows=${rows}
        resource=${resource} query=${query} onAdd=${adds && choose} />`}</div></div>
  </span>`;
}

/** The record that an id names, read once; a populated one as it is. */
export function useRecord(resource, value) {
  const [read, setRead] = useState({});
  const id = idOf(value);
  const isKnown = !id || typeof value === "object" || read[id];
  useEffect(() => {
    if (isKnown) return;
    api(`/${resource}/${encodeURIComponent(id)}`).then(
      ({ data }) => setRead({ [id]: data }),
      () => {},
    );
  }, [id]);
  return typeof value === "object" ? value : (read[id] ?? null);
}
