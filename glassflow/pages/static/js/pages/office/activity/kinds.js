// The kinds of records whose changes are listed: the resource of the API, and the section of
// the office that has its records.
import { OFFICE, passportOf } from "../layout.js";
import { sections } from "../sections.js";

const SECTIONS = {
  requests: "requests",
  quotes: "quotes",
  "billing-entries": "billing",
  payments: "payments",
  orders: "orders",
  panes: "panes",
  racks: "racks",
  calls: "calls",
  deliveries: "deliveries",
  claims: "claims",
  customers: "customers",
  inventories: "stock",
  withdrawals: "withdrawals",
  materials: "materials",
  "pricing-settings": "prices",
  "price-lists": "price-lists",
  makeability: "prices",
  "cutting-rules": "stock",
  "cutting-plans": "cutting",
  workshop: "workshop",
  workers: "people",
  roles: "roles",
  stations: "stations",
  "working-hours": "hours",
  "station-templates": "station-templates",
  "job-types": "job-types",
  "sticker-templates": "labels",
  webhooks: "webhooks",
};

/** The pages of kinds that have one record, or whose records have no pages of their own. */
const OF_ONE = {
  "pricing-settings": "prices",
  makeability: "prices/limits",
  "cutting-rules": "cutting-rules",
  workshop: "workshop",
  "working-hours": "hours",
};

/** The kinds that the worker may read, in the order of the menu: [resource, section]. */
export function kinds() {
  const shown = sections().map(({ name }) => name);
  const found = Object.entries(SECTIONS).filter(([, section]) => shown.includes(section));
  return found.sort(([, one], [, other]) => shown.indexOf(one) - shown.indexOf(other));
}

/** The page of a record; none of one that is deleted, or has no page. */
export function pageOf(kind, { _id, name, exists }) {
  if (!exists || !SECTIONS[kind]) return undefined;
  if (kind === "panes") return passportOf(name);
  return `${OFFICE}/${OF_ONE[kind] ?? `${SECTIONS[kind]}/${_id}`}`;
}
