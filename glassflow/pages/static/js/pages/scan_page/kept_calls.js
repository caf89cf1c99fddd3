// What the device keeps of calls for help: those that were open, until logout; and the end of a call.
import { save, saved } from "../../core/preferences.js";

const NAME = "kept.calls";

/** The path of the end of a call for help. */
export const endPath = (id) => `/calls/${id}/end`;

/** The id of the call that a request in the outbox ends; undefined where it ends none. */
export const callOf = ({ path }) => /^\/calls\/([^/]+)\/end$/.exec(path)?.[1];

/** Keep the open calls: without network they are shown, and named in lists. */
export const keepCalls = (calls) => save(NAME, JSON.stringify(calls));

export function keptCalls() {
  try {
    return JSON.parse(saved(NAME)) ?? [];
  } catch {
    return []; // another program's
  }
}
