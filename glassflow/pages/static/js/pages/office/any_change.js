// What makes a page about the whole workshop read again: the changes of its records, and the time.
const EVENTS = [
  "order:updated",
  "delivery:updated",
  "pane:updated",
  "request:updated",
  "claim:updated",
  "withdrawal:updated",
  "inventory:updated",
  "material:updated",
  "station:updated",
];

/** The handlers of `useResource`: any of these changes. */
export const ANY_CHANGE = Object.fromEntries(EVENTS.map((name) => [name, () => undefined]));

export const READ_AGAIN_MS = 300_000; // a new hour or day begins without an event
