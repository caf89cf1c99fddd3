// What pages can tell of `uiSchema`, which belongs to the clients that draw it.
import { t } from "../../../core/i18n/index.js";

const ACTIONS = ["scan_in", "start", "complete", "scan_out", "qc_pass", "qc_fail", "laminate"];

/** The layout of a template, as an object. */
export function schemaOf({ uiSchema }) {
  return uiSchema && typeof uiSchema === "object" && !Array.isArray(uiSchema) ? uiSchema : {};
}

/** The steps of the work that a template offers, in words. */
export function actionsOf(template) {
  const { actions } = schemaOf(template);
  if (!Array.isArray(actions)) return [];
  return actions.map((one) => (ACTIONS.includes(one) ? t(`officeaction.${one}`) : String(one)));
}

/** The text of a layout as people edit it; what they have typed stays as it is. */
export const textOf = (value) => (typeof value === "string" ? value : JSON.stringify(value ?? {}, null, 2));

/** The layout that a text is; throws where it is no JSON object. */
export function parseSchema(value) {
  const parsed = typeof value === "string" ? JSON.parse(value.trim() || "{}") : (value ?? {});
  if (parsed === null || typeof parsed !== "object" || Array.isArray(parsed)) throw new SyntaxError("no object");
  return parsed;
}
