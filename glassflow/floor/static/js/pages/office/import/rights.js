// The lists that files can be imported into.
import { may } from "../../../core/permissions.js";

/** By their resource: the section of the office, and the keys of which an import needs one. */
export const IMPORTS = {
  claims: { section: "claims", keys: ["claims:create", "claims:manage"] },
  customers: { section: "customers", keys: ["customers:manage"] },
  inventories: { section: "stock", keys: ["inventory:manage"] },
  "job-types": { section: "job-types", keys: ["job_types:manage"] },
  materials: { section: "materials", keys: ["materials:manage"] },
  orders: { section: "orders", keys: ["orders:create", "orders:manage"] },
  panes: { section: "panes", keys: ["panes:create", "panes:manage"] },
  requests: { section: "requests", keys: ["requests:manage"] },
  stations: { section: "stations", keys: ["stations:manage"] },
  workers: { section: "people", keys: ["workers:manage"] },
};

/** Whether the worker may import into a list. */
export function mayImport(resource) {
  return IMPORTS[resource]?.keys.some(may) ?? false;
}
