// The rows of a list of the API, read to the end.
import { api } from "../../core/api.js";

const PAGE = 100; // the most rows of one answer

/**
 * Read the rows of `/${resource}` that `query` asks for, in the order of its `sort`: `most` of
 * them, and at most a page more. Returns {rows, isCut}: whether there are more than are read.
 */
export async function readRows(resource, query, most = Infinity) {
  const rows = [];
  let cursor = "*";
  // by page numbers, a row that is gone meanwhile would hide another one
  while (cursor && rows.length < most) {
    const { data, pagination } = await api(`/${resource}?${new URLSearchParams({ limit: PAGE, cursor, ...query })}`);
    rows.push(...data);
    cursor = pagination.next;
  }
  return { rows, isCut: Boolean(cursor) };
}
