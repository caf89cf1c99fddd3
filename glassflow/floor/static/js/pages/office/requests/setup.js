// What is read before panes of a request are written.
import { api } from "../../../core/api.js";
import { may } from "../../../core/permissions.js";
import { isBlank } from "./rows.js";

/** The job types, and the price list, which also names glass and edges. */
export async function readSetup() {
  const jobTypes = may("job_types:view")
    ? (await api("/job-types?isActive=true&limit=100&sort=name")).data : [];
  const prices = may("pricing:view") ? (await api("/pricing-settings")).data : { glassPrices: {}, edgeRates: {} };
  return { jobTypes, prices };
}

/** The rows that are sent: those into which something was typed. */
export const typedRows = (rows) => rows.filter((row) => !isBlank(row));
