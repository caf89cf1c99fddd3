// What people call the columns of a file: the titles of the list on its page, which the
// service knows too (domain/texts/columns.py).
import { IMPORTS } from "./rights.js";

const LISTS = {
  customers: () => import("../customers/list.js"),
  "job-types": () => import("../job_types/list.js"),
  materials: () => import("../materials/list.js"),
  panes: () => import("../panes/list.js"),
  stations: () => import("../stations/list.js"),
  requests: () => import("../requests/list.js"),
  claims: () => import("../claims/list.js"),
  orders: () => import("../orders.js"),
  people: () => import("../people/list.js"),
};

/** The titles of the columns that show one field, in the language of the page: [[title, field]]. */
export async function titlesOf(resource) {
  const list = LISTS[IMPORTS[resource]?.section];
  const columns = list ? (await list()).columns() : [];
  const found = columns.map(({ title, fields, sort }) => [title, fields ?? sort ?? ""]);
  const isOnly = (field) => found.filter(([, other]) => other === field).length === 1;
  return found.filter(([title, field]) => title && /^\w+$/.test(field) && isOnly(field));
}
