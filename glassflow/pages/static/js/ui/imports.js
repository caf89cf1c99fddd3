// The lists that files can be imported into, and the link to the import of one.
import { html } from "../../vendor/ui.js";
import { t } from "../core/i18n.js";
import { may } from "../core/permissions.js";
import { Icon } from "./parts.js";

/**
 * By their resource: the section of the office, the keys of which an import needs one, and by
 * what a row without an _id is known. "quotes" and "requests": by its number, with rows of panes besides.
 */
export const IMPORTS = {
  claims: { section: "claims", keys: ["claims:create", "claims:manage"], known: "number" },
  customers: { section: "customers", keys: ["customers:manage"], known: "name" },
  deliveries: { section: "deliveries", keys: ["orders:manage"], known: "number" },
  inventories: { section: "stock", keys: ["inventory:manage"], known: "number" },
  "job-types": { section: "job-types", keys: ["job_types:manage"], known: "name" },
  materials: { section: "materials", keys: ["materials:manage"], known: "name" },
  orders: { section: "orders", keys: ["orders:create", "orders:manage"], known: "number" },
  panes: { section: "panes", keys: ["panes:create", "panes:manage"], known: "number" },
  "price-lists": { section: "price-lists", keys: ["pricing:manage"], known: "name" },
  quotes: { section: "quotes", keys: ["requests:manage"], known: "quotes" },
  requests: { section: "requests", keys: ["requests:manage"], known: "requests" },
  stations: { section: "stations", keys: ["stations:manage"], known: "name" },
  workers: { section: "people", keys: ["workers:manage"], known: "username" },
};

/** Whether the worker may import into a list. */
export function mayImport(resource) {
  return IMPORTS[resource]?.keys.some(may) ?? false;
}

/** Where files are imported into a list, for those who may. */
export const ImportLink = ({ resource }) =>
  mayImport(resource) &&
  html`<a class="quiet-button import"
  href=${`/floor/office/import/${resource}`}><${Icon} name="upload" />${t("office.import")}</a>`;
