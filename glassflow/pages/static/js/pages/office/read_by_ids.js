// Records by their ids, however many there are.
import { api } from "../../core/api.js";

const MOST = 100; // ids in one address

/** The rows of `/${resource}` with these ids, asked for with `query`; those that are gone are left out. */
export async function readByIds(resource, ids, query) {
  const rows = [];
  for (let start = 0; start < ids.length; start += MOST) {
    const some = { _id: String(ids.slice(start, start + MOST)), limit: String(MOST), ...query };
    rows.push(...(await api(`/${resource}?${new URLSearchParams(some)}`)).data);
  }
  return rows;
}
