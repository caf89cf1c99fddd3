// What was typed over the open panes of a request, and the change that the API makes of it. Without a page.
import { numberOf } from "../../../ui/grid_paste.js";
import { toPane } from "./rows.js";

/** Edits by the ids of panes, with a change of one of them; null takes its edit back. */
export function withEdit(edits, { _id: id }, change) {
  const { [id]: before, ...others } = edits;
  return change === null ? others : { ...others, [id]: { ...before, ...change } };
}

/** Whether an edit changes a pane. */
export const isEdited = (pane, edit) => Boolean(edit) && Object.keys(valuesOf(pane, edit)).length > 0;

/** The members of a pane that an edit changes, as the API takes them. */
export function valuesOf({ dimensions, rawGlass, glassType }, edit) {
  const typed = (name, old) =>
    edit[name] === undefined || numberOf(edit[name]) === (old || null) ? undefined : numberOf(edit[name]);
  const size = known({ width: typed("width", dimensions.width), height: typed("height", dimensions.height) });
  const before = {
    glass: rawGlass.glassType || glassType || "",
    thickness: rawGlass.thickness || dimensions.thickness || null,
  };
  const glass =
    edit.glassType === undefined || edit.glassType.trim() === before.glass ? undefined : edit.glassType.trim();
  const thickness = typed("thickness", before.thickness);
  if (glass === undefined && thickness === undefined) return Object.keys(size).length ? { dimensions: size } : {};
  const now = { glass: glass ?? before.glass, thickness: thickness ?? before.thickness };
  const label = [now.glass, rawGlass.color, now.thickness && `${now.thickness} mm`].filter(Boolean).join(" ");
  return {
    dimensions: { ...size, ...known({ thickness }) },
    rawGlass: known({ glassType: glass, thickness }),
    ...known({ glassType: glass }),
    glassTypeLabel: label,
  };
}

const known = (values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** The body of a change: {add, cancel, change}, where panes that change alike are one entry. */
export function bodyOf(panes, edits, added) {
  const groups = new Map();
  const cancel = [];
  for (const pane of panes) {
    const edit = edits[pane._id];
    if (edit?.cancel) cancel.push(pane._id);
    if (!edit || edit.cancel || !isEdited(pane, edit)) continue;
    const values = valuesOf(pane, edit);
    const key = JSON.stringify(values);
    const group = groups.get(key) ?? { panes: [], values };
    group.panes.push(pane._id);
    groups.set(key, group);
  }
  return {
    ...(added.length && { add: added.map(toPane) }),
    ...(cancel.length && { cancel }),
    ...(groups.size && { change: [...groups.values()] }),
  };
}
