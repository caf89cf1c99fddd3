// Where new records are made: the section of the office, the key that this takes, and the form,
// where it is shown in place. For fields that name another record.
export const NEW_RECORDS = {
  customers: { section: "customers", key: "customers:manage", form: () => import("./customers/customer.js") },
  inventories: { section: "stock", key: "inventory:manage" },
  "job-types": { section: "job-types", key: "job_types:manage", form: () => import("./job_types/job_type.js") },
  materials: { section: "materials", key: "materials:manage", form: () => import("./materials/material.js") },
  "price-lists": {
    section: "price-lists",
    key: "pricing:manage",
    form: () => import("./price_lists/price_list.js"),
  },
  roles: { section: "roles", key: "roles:manage" },
  "station-templates": {
    section: "station-templates",
    key: "station_templates:manage",
    form: () => import("./templates/template.js"),
  },
  stations: { section: "stations", key: "stations:manage" },
  workers: { section: "people", key: "workers:manage" },
};
