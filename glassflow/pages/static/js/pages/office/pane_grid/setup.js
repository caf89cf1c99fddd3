// What is read before panes of a request are written.
import { api } from "../../../core/api.js";
import { number, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { readRows } from "../read_rows.js";
import { isBlank } from "./rows.js";

const GROUND = ["rough", "polished"]; // edges that cost what the glass says

/** The job types, and the price list, which also names glass and edges. */
export async function readSetup() {
  const jobTypes = may("job_types:view") ? await readJobTypes({ isActive: true, sort: "name" }) : [];
  return { jobTypes, prices: await readPrices() };
}

/** The job types that fit the parameters `asked`, each with its material. */
export async function readJobTypes(asked) {
  return (await readRows("job-types", { ...asked, populate: "defaultMaterial" })).rows;
}

/** The price list; an empty one without the key that reads it. */
export async function readPrices() {
  return may("pricing:view") ? (await api("/pricing-settings")).data : { glassPrices: {}, edgeRates: {} };
}

/** The work on edges to choose from, by the price list; undefined while it is read. */
export const profilesOf = (prices) => [...new Set([...Object.keys(prices?.edgeRates ?? {}), ...GROUND])];

/** The rows that are sent: those into which something was typed. */
export const typedRows = (rows) => rows.filter((row) => !isBlank(row));

/** The check of a form with rows `panes`, where they have changed, by `sent.check`, which `PaneRows` brings. */
export const checkRows =
  (sent, name = "panes") =>
  ({ panes }, changed) =>
    ("panes" in changed && sent.check?.(panes, name)) || {};

/** What `NewForm` takes, to say of the draft with which it opens what is in it; `from` is what the rows were copied from. */
export const ofDraft = (from) => ({
  drop: t(from ? "form.discard" : "form.startEmpty"),
  about: ({ panes = [] }) => t("requests.rows", { count: number(typedRows(panes).length) }),
});
