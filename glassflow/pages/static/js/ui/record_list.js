// A list of the API: it keeps its filters, order and page in the address, is live, pages by
// 50, and its columns are chosen on each device.
import { html, useEffect, useLayoutEffect, useState } from "../../vendor/ui.js";
import { api } from "../core/api.js";
import { number, t } from "../core/i18n.js";
import { save, saved } from "../core/preferences.js";
import { updated } from "../core/records.js";
import { READ_EVERY_MS } from "../core/resource.js";
import { go, path, query, replaceQuery } from "../core/router.js";
import { ExportButton } from "./export_button.js";
import { faultsByField } from "./form_values.js";
import { Lazy } from "./lazy.js";
import { Pages, useLastPage } from "./list_pages.js";
import { Icon } from "./parts.js";
import { useSelection } from "./selection.js";
import { opposite, Table } from "./table.js";
import { Loaded, useResource } from "./use_resource.js";

const PAGE = 50;
const SEARCH_AFTER_MS = 300;
// Screens whose rows have no room for all columns of a wide one; on smaller ones they are cards.
const NARROW = "(min-width: 901px) and (max-width: 1500px)";

/**
 * `resource` is the list ("customers"), `event` what tells of its changes ("order:updated");
 * without one it is read every half a minute, or `everyMs`. `on` are handlers of further events,
 * as `useResource` takes them for {rows, pagination}.
 *
 * `columns` are those of `Table`: one with `hidden: true` is not shown until it is chosen, nor
 * one with `isWide: true` on a narrow screen; one without a title cannot be hidden. `name` keeps
 * the chosen ones, where lists have them in common. `filters` are {name, label, options
 * [{value, label}]} or {name, label, draw({id, value, onChange, ...})}, named as parameters of the
 * API; one with `more: true` is folded away until such a one is set. `fixed` are further
 * parameters, `populate` the references that cells need. `fields` are the fields that rows need
 * ("name,status"), where whole records are large.
 *
 * `head(list)` draws above the filters, `above(rows, list)` over the table, `draw(rows, list)` in
 * place of it; `empty` is shown where there is no record at all. `actions` imports the module
 * whose default draws what can be done with selected rows, as soon as one is: it gets {rows,
 * clear, list, file}, the last one as `ExportButton` takes the list. `rowName(row)` names a row.
 *
 * An export has the field that a column sorts by, or its `fields` ("order,material"). `exported`
 * is {resource, fixed, fields} where the rows are those of no list with an export: which one, with
 * parameters in place of the filters, and its fields; null for none.
 */
export function RecordList({
  resource,
  name = resource,
  event,
  label,
  columns = [],
  filters = [],
  sort = "-createdAt",
  populate,
  fields,
  fixed = {},
  href,
  empty,
  searchable = true,
  head,
  above,
  draw,
  on = {},
  everyMs = event ? undefined : READ_EVERY_MS,
  exported,
  actions,
  rowName,
}) {
  const asked = wanted(query.value, filters, sort);
  const chosen = useColumns(name, columns);
  const parameters = { ...fixed, ...asked, limit: PAGE, ...(populate && { populate }), ...(fields && { fields }) };
  const list = useResource(`${resource} ${JSON.stringify(parameters)}`, () => [
    () => read(resource, parameters),
    { ...(event && { [event]: withEvent }), ...on },
    { everyMs },
  ]);
  const isBehind = useLastPage(list);
  const { page, sort: order, ...filtered } = asked;
  const selection = useSelection(JSON.stringify({ ...fixed, ...filtered }));
  const isFiltered = Boolean(asked.search) || filters.some(({ name }) => asked[name]);
  const own = { resource, parameters, columns: chosen.shown, total: list.value?.pagination.total };
  const file = exported === null ? null : { ...own, ...(exported && fileOf(exported, own)) };
  const names = filters.map((one) => one.name);
  const faults = faultsByField(list.error?.faults ?? [], names);
  return html`${head?.(list)}<${Filters} filters=${filters} asked=${asked} faults=${faults} searchable=${searchable} columns=${chosen} exported=${file} />
    ${!names.some((one) => faults[one]) && html`<${Loaded} of=${list}>${() => list.value.rows.length === 0
      ? !isBehind && (isFiltered ? html`<${Nothing} label=${label} filters=${filters} search=${asked.search} />` : empty)
      : html`${above?.(list.value.rows, list)}
        ${draw ? draw(list.value.rows, list, selection) : html`<${Table} name=${name} label=${label} columns=${chosen.shown}
          rows=${list.value.rows} href=${href} sort=${asked.sort} sortHref=${(order) => address({ sort: order, page: null })}
          selection=${actions ? selection : undefined} rowName=${rowName} />`}
        <${Pages} pagination=${list.value.pagination} href=${(page) => address({ page })} />
        ${actions && html`<${Selected} selection=${selection} rows=${list.value.rows} actions=${actions} list=${list} file=${file} />`}`}<//>`}`;
}

/** The export of another list than the one that is shown. */
function fileOf({ resource, fixed, fields }, { parameters }) {
  const file = { resource, parameters: { ...parameters, ...fixed } };
  return fields ? { ...file, columns: [{ fields }], total: undefined } : file;
}

/** How many rows are selected, and what can be done with them. */
function Selected({ selection, rows, actions, ...given }) {
  const { count, clear } = selection;
  return html`<section class="selected" aria-label=${t("list.selection")} data-open=${count > 0 ? "" : null}>
    <p role="status">${count > 0 && t("list.selected", { count: number(count) })}</p>
    ${count > 0 && html`<button type="button" class="icon-button" aria-label=${t("list.unselect")} title=${t("list.unselect")} onClick=${clear}>
        <${Icon} name="x" /></button>
      <${Lazy} load=${actions} rows=${selection.rows(rows)} clear=${clear} ...${given} />`}
  </section>`;
}

function wanted(given, filters, sort) {
  const names = ["search", ...filters.map(({ name }) => name)];
  const set = names.map((name) => [name, given.get(name)]).filter(([, value]) => value);
  const page = Math.max(1, Number.parseInt(given.get("page")) || 1);
  const order = given.get("sort") || sort;
  return { ...Object.fromEntries(set), ...(order && { sort: order }), page };
}

async function read(resource, parameters) {
  const { data: rows, pagination } = await api(`/${resource}?${new URLSearchParams(parameters)}`);
  return { rows, pagination };
}

// Rows shown are changed at once; whether another record belongs here the service decides.
function withEvent(list, { action, data }, readAgain) {
  const row = list.rows.find(({ _id }) => _id === data?._id);
  if (!row || action === "deleted") return undefined;
  readAgain();
  return { ...list, rows: list.rows.map((one) => (one === row ? updated(row, data) : one)) };
}

/** The address of this list with other parameters; null and "" remove one. */
export function address(changed) {
  const parameters = new URLSearchParams(query.value);
  for (const [name, value] of Object.entries(changed)) {
    if ((value ?? "") === "") parameters.delete(name);
    else parameters.set(name, value);
  }
  const text = parameters.toString();
  return `/floor/${path.value}${text && `?${text}`}`;
}

export function Filters({ filters, asked, faults, searchable, columns, exported }) {
  const set = (name) => (value) => go(address({ [name]: value, page: null }));
  const draw = (some) =>
    some.map(
      (one) => html`<${Filter} key=${one.name} of=${one} value=${asked[one.name] ?? ""}
    faults=${faults[one.name]} onChange=${set(one.name)} />`,
    );
  const more = filters.filter((one) => one.more);
  const [isOpen, setOpen] = useState(false); // on a phone, where the list comes first
  const count = filters.filter(({ name }) => asked[name]).length;
  return html`<div class="filters list-filters" data-open=${isOpen || filters.some(({ name }) => faults[name]) ? "" : null}>
    ${searchable && html`<${Search} value=${asked.search ?? ""} />`}
    <button type="button" class="quiet-button unfold" aria-expanded=${String(isOpen)} onClick=${() => setOpen(!isOpen)}>
      <${Icon} name="funnel" />${t("list.filters")}${count > 0 && html` <b>${number(count)}</b>`}</button>
    ${draw(filters.filter((one) => !one.more))}
    <${SortChoice} columns=${columns.shown} sort=${asked.sort} />
    ${columns.all.length > 0 && html`<${ColumnChoice} ...${columns} />`}
    ${exported && html`<${ExportButton} ...${exported} />`}
    ${more.length > 0 && html`<details class="more-filters" open=${more.some(({ name }) => asked[name])}>
      <summary class="quiet-button"><${Icon} name="funnel" />${t("list.moreFilters")}</summary>
      <div class="filters">${draw(more)}</div></details>`}
  </div>`;
}

/** The order of the list where its rows are cards, without headings. */
function SortChoice({ columns, sort = "" }) {
  const orders = columns.filter((one) => one.sort).map((one) => [one.title, one.sort]);
  const options = orders.flatMap(([title, own]) => [
    [own, `${title} ↑`],
    [opposite(own), `${title} ↓`],
  ]);
  if (!options.length) return null;
  const isOther = options.every(([value]) => value !== sort);
  return html`<div class="filter-field sort-choice"><label for="sort-by">${t("list.sortBy")}</label>
    <select id="sort-by" onChange=${(event) => go(address({ sort: event.target.value, page: null }))}>
      ${isOther && html`<option value="" selected>${t("list.sortUsual")}</option>`}
      ${options.map(([value, text]) => html`<option key=${value} value=${value} selected=${value === sort}>${text}</option>`)}
    </select></div>`;
}

function Filter({ of: { name, label, options, draw }, value, faults, onChange }) {
  const id = `filter-${name}`;
  const shared = { id, ...(faults && { "aria-invalid": "true", "aria-describedby": `${id}-fault` }) };
  return html`<div class="filter-field"><label for=${id}>${label}</label>${draw ? draw({ value, onChange, ...shared })
    : html`<select id=${id} onChange=${(event) => onChange(event.target.value)}>
        <option value="" selected=${!value}>${t("list.all")}</option>
        ${options.map((one) => html`<option key=${one.value} value=${one.value} selected=${value === one.value}>${one.label}</option>`)}
      </select>`}
    ${faults && html`<p class="field-fault" id=${`${id}-fault`} role="alert">${faults.join(" ")}</p>`}</div>`;
}

/** Typed into, it changes the address after a pause. */
function Search({ value }) {
  const [typed, setTyped] = useState(value);
  useLayoutEffect(() => setTyped(value), [value]); // not later: somebody may type at once
  useEffect(() => {
    if (typed.trim() === value) return undefined;
    const timer = setTimeout(() => {
      const parameters = new URLSearchParams(query.value);
      parameters.delete("page");
      if (typed.trim()) parameters.set("search", typed.trim());
      else parameters.delete("search");
      replaceQuery(parameters);
    }, SEARCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return html`<label class="search"><span class="visually-hidden">${t("list.search")}</span><${Icon} name="search" />
    <input type="search" value=${typed} placeholder=${t("list.search")} onInput=${(event) => setTyped(event.target.value)} /></label>`;
}

/** The columns shown on this device: {all, shown, toggle(name)}. */
function useColumns(resource, all) {
  const name = `columns.${resource}`;
  const [hidden, setHidden] = useState(() => {
    const own = saved(name);
    const isHidden = (one) => one.hidden || (one.isWide && matchMedia(NARROW).matches);
    return own === null ? all.filter(isHidden).map((one) => one.name) : own.split(" ");
  });
  const toggle = (column) => {
    const next = hidden.includes(column) ? hidden.filter((one) => one !== column) : [...hidden, column];
    save(name, next.join(" "));
    setHidden(next);
  };
  const shown = all.filter((one) => !hidden.includes(one.name));
  return { all, shown: shown.length ? shown : all, toggle };
}

function ColumnChoice({ all, shown, toggle }) {
  return html`<details class="columns"><summary class="quiet-button">
      <${Icon} name="layout-grid" />${t("list.columns")}</summary>
    <div>${all.filter(({ title }) => title).map((one) => html`<label key=${one.name}>
      <input type="checkbox" checked=${shown.includes(one)} onChange=${() => toggle(one.name)} />${one.title}</label>`)}</div>
  </details>`;
}

const customers = () => import("./found_customers.js");

/** The search looks into the records of the list only: customers are found by their filter. */
function Nothing({ label, filters, search }) {
  const none = ["search", "page", ...filters.map(({ name }) => name)].map((name) => [name, null]);
  return html`<div class="empty"><${Icon} name="search" /><p><strong>${t("list.nothing")}</strong><br />
    ${t("list.nothingHint")} <a href=${address(Object.fromEntries(none))}>${t("list.clear")}</a>
    ${search && filters.some(({ name }) => name === "customer") && html`<${Lazy} key=${search} load=${customers} search=${search} list=${label}
      hrefOf=${(customer) => address({ search: null, page: null, customer })} />`}</p></div>`;
}
