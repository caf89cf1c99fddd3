// Lists of records: each row is one link, so that it opens in another tab too. On a narrow
// screen a row is a card.
import { html, useEffect } from "../../vendor/ui.js";
import { t } from "../core/i18n.js";
import { onKeys } from "./keys.js";

/**
 * `columns` are {name, title, cell: (row) => content, width, sort}, `href(row)` where a row
 * leads. `width` is a track of a CSS grid ("120px", "2fr"); without it the styles of the
 * class `name` set the widths. A column with `sort`, a sort of the API, sorts by it; that of an
 * age is "-arrivedAt", as it grows the other way. `sort` is the order of the list as the API
 * takes it ("-createdAt"), `sortHref(sort)` the address of another one. With a `selection`
 * (ui/selection.js) each row has a box beside its link, named by `rowName(row)`. The rows after
 * the first `few` are on paper only.
 */
export function Table({ name, label, columns, rows, href, sort, sortHref, selection, rowName, few = Infinity }) {
  const tracks = columns.map(({ width }) => (/fr$/.test(width) ? `minmax(0, ${width})` : width));
  const style = tracks.every(Boolean) ? { "--columns": tracks.join(" ") } : undefined;
  return html`<div class=${`table ${name} ${selection ? "selectable" : ""}`} style=${style}>
    <div class="table-top">${selection && html`<${CheckAll} rows=${rows} selection=${selection} />`}
      <div class="table-head" aria-hidden=${sortHref ? undefined : "true"}>
        ${columns.map((one) => html`<span key=${one.name} class=${one.name}>
          ${sortHref && one.sort ? html`<${SortLink} of=${one} sort=${sort} href=${sortHref} />` : one.title}</span>`)}
      </div></div>
    <ul aria-label=${label}>${rows.map((row, index) => html`<li key=${row._id} data-folded=${index < few ? undefined : ""} data-selected=${selection?.has(row._id) ? "" : undefined}>
      ${selection && html`<${RowCheck} rows=${rows} row=${row} selection=${selection} name=${rowName(row)} />`}
      <a class="table-row" href=${href(row)}>
        ${columns.map((one) => html`<span key=${one.name} class=${one.name}>${one.cell(row)}</span>`)}
      </a>
    </li>`)}</ul>
  </div>`;
}

/** The box that selects one of the rows, which `name` names. */
export function RowCheck({ rows, row, selection, name }) {
  return html`<label class="row-check"><input type="checkbox" checked=${selection.has(row._id)} aria-label=${t("list.select", { name })}
    onClick=${(event) => selection.check(rows, row._id, event.target.checked, event.shiftKey)} /></label>`;
}

/** The box that selects all rows of the page; with it, `x` checks the row that has the focus. */
export function CheckAll({ rows, selection }) {
  useEffect(() => onKeys({ x: checkFocusedRow }), []);
  const all = rows.every(({ _id }) => selection.has(_id));
  const some = !all && rows.some(({ _id }) => selection.has(_id));
  return html`<label class="row-check"><input type="checkbox" checked=${all} indeterminate=${some}
    onClick=${(event) => selection.checkAll(rows, event.target.checked)} />
    <span>${t("list.selectPage")}</span></label>`;
}

function checkFocusedRow() {
  document.activeElement?.closest("li")?.querySelector(".row-check input")?.click();
}

/** The opposite order of a sort of the API. */
export const opposite = (sort) => (sort.startsWith("-") ? sort.slice(1) : `-${sort}`);

function SortLink({ of: { title, sort: own }, sort, href }) {
  const direction = sort === own ? "ascending" : sort === opposite(own) ? "descending" : "";
  return html`<a href=${href(direction === "ascending" ? opposite(own) : own)}>${title}
    ${direction && html`<span class="sign" aria-hidden="true">${direction === "ascending" ? "↑" : "↓"}</span>
      <span class="visually-hidden">${t(`list.${direction}`)}</span>`}</a>`;
}
