// What pages can tell of `uiSchema`, which belongs to the clients that draw it.
import { t } from "../../../core/i18n.js";
import { same } from "../../../ui/form_values.js";

/** The layouts that the known clients draw. */
export const LAYOUTS = ["list", "board", "drawing", "batch", "assembly", "checklist"];
/** The steps that a station may offer, in the order of the work. */
export const ACTIONS = ["scan_in", "start", "laminate", "complete", "qc_pass", "qc_fail", "scan_out"];
/** The fields of a pane that its list can show. */
export const COLUMNS = [
  "paneNumber",
  "order",
  "customer",
  "deliveryLocation",
  "jobType",
  "glassTypeLabel",
  "rawGlass",
  "dimensions",
  "dimensionTolerance",
  "edgeTasks",
  "holes",
  "notches",
  "cornerSpec",
  "mark",
  "sheetLabel",
  "parentPane",
  "currentStatus",
  "notes",
];

// The text of a layout while it is no JSON object, as a member beside those of the last object. No
// stored layout has it: the store takes no null character in a name.
const TYPED = "\0typed";

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** The layout of a template, as an object. */
export function schemaOf({ uiSchema }) {
  return isObject(uiSchema) ? uiSchema : {};
}

/** The steps of the work that a template offers, in words. */
export function actionsOf(template) {
  const { actions } = schemaOf(template);
  return Array.isArray(actions) ? actions.map(actionWord) : [];
}

/** The word of a step; one that is not known is its own. */
export const actionWord = (one) => (ACTIONS.includes(one) ? t(`officeaction.${one}`) : wordOf(one));

/** A value that the pages do not know, as it is. */
export const wordOf = (value) => (typeof value === "string" ? value : JSON.stringify(value));

/** The text of a layout as people edit it; what they have typed stays as it is. */
export const textOf = (value) => value?.[TYPED] ?? JSON.stringify(value ?? {}, null, 2);

/** Whether a value is a layout: an object, or nothing. What is typed may not be one yet. */
export const isLayout = (value) => (value ?? null) === null || (isObject(value) && !(TYPED in value));

/** The layout after a text was typed; while that is no JSON object, it keeps the last layout beside the text. */
export function withText(value, text) {
  return parsed(text) ?? { ...schemaOf({ uiSchema: value }), [TYPED]: text };
}

/** Whether a text is what somebody has typed for a layout. */
export const isTextOf = (text, value) => isLayout(value) && same(parsed(text), value ?? {});

function parsed(text) {
  try {
    const found = JSON.parse(text.trim() || "{}");
    return isObject(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** A list with an entry, in front of the first that comes later in `order`, or without it; undefined where none is left. */
export function ticked(list, entry, isOn, order) {
  if (!isOn) return filled(list.filter((one) => one !== entry));
  const later = list.findIndex((one) => order.indexOf(one) > order.indexOf(entry));
  return later < 0 ? [...list, entry] : [...list.slice(0, later), entry, ...list.slice(later)];
}

/** A list, or undefined for an empty one: a layout does not name what it does not have. */
export const filled = (list) => (list.length ? list : undefined);

const checklistOf = ({ panels }) =>
  Array.isArray(panels) ? panels.find((one) => one?.type === "checklist") : undefined;

/** The items of the checklist of a layout; undefined where it has none, or none that is made of texts. */
export function itemsOf(layout) {
  const isOffered = layout.layout === "checklist" && (layout.panels === undefined || Array.isArray(layout.panels));
  const items = checklistOf(layout)?.items ?? (isOffered || checklistOf(layout) ? [] : undefined);
  return Array.isArray(items) && items.every((one) => typeof one === "string") ? items : undefined;
}

/** The layout with other items in its first checklist, which goes with its last item if it has nothing else. */
export function withItems(layout, items) {
  const panels = layout.panels ?? [];
  const before = checklistOf(layout) ?? { type: "checklist" };
  const isGone = !items.length && Object.keys(before).every((name) => ["type", "items"].includes(name));
  const next = isGone ? [] : [{ ...before, items }];
  const at = panels.includes(before) ? panels.indexOf(before) : panels.length;
  return { ...layout, panels: filled([...panels.slice(0, at), ...next, ...panels.slice(at + 1)]) };
}
