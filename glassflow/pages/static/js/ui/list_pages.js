// The pages of a list.
import { html, useEffect } from "../../vendor/ui.js";
import { number, t } from "../core/i18n.js";
import { query, replaceQuery } from "../core/router.js";
import { Icon } from "./parts.js";

/**
 * Whether a list, as `useResource` has it, was asked for a page behind its last one, such as
 * by a bookmark, or because the rows of that page are deleted; its last page is asked for then.
 */
export function useLastPage({ value, loading }) {
  const { page, totalPages } = value?.pagination ?? {};
  const isBehind = totalPages > 0 && page > totalPages;
  useEffect(() => {
    if (!isBehind || loading) return; // it may be from before: there are more pages meanwhile
    const parameters = new URLSearchParams(query.peek());
    parameters.set("page", totalPages);
    replaceQuery(parameters);
  }, [isBehind, totalPages, loading]);
  return isBehind;
}

const AROUND = 2; // pages beside the current one that have links

/** The numbers of the pages that have links, of so many; null in place of two or more left out. */
export function pageNumbers(page, pages) {
  const from = page - AROUND > 3 ? page - AROUND : 1;
  const to = page + AROUND < pages - 2 ? page + AROUND : pages;
  const middle = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return [...(from > 1 ? [1, null] : []), ...middle, ...(to < pages ? [null, pages] : [])];
}

/** Links to the pages of a list; `href(page)` is the address of one. */
export function Pages({ pagination: { page, limit, total, totalPages }, href }) {
  if (totalPages <= 1) return null;
  const from = (page - 1) * limit + 1;
  const values = { from: number(from), to: number(Math.min(page * limit, total)), total: number(total) };
  const link = (to, key, icon) =>
    to >= 1 && to <= totalPages && html`<a class="quiet-button" href=${href(to)}><${Icon} name=${icon} />${t(key)}</a>`;
  return html`<nav class="table-pages" aria-label=${t("list.pages")}>
    <span>${t("list.range", values)}</span>
    ${link(page - 1, "list.previous", "chevron-left")}
    <ol>${pageNumbers(page, totalPages).map((one, index) => html`<li key=${one ?? `gap ${index}`}>
      ${one === null ? "…" : html`<a href=${href(one)} aria-label=${t("list.page", { page: number(one) })}
        aria-current=${one === page ? "page" : undefined}>${number(one)}</a>`}</li>`)}</ol>
    ${link(page + 1, "list.next", "chevron-right")}
  </nav>`;
}
