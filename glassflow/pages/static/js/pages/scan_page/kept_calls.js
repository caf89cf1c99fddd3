// The open calls for help that this device knows, until logout: without network they are shown, and named.
import { save, saved } from "../../core/preferences.js";

const NAME = "kept.calls";

export const keepCalls = (calls) => save(NAME, JSON.stringify(calls));

export function keptCalls() {
  try {
    return JSON.parse(saved(NAME)) ?? [];
  } catch {
    return []; // another program's
  }
}
