// The requests that the outbox keeps, by their paths.

/** The path of the scans of a pane. */
export const scanPath = (number) => `/panes/${encodeURIComponent(number)}/scan`;

// The names that the floor has for scans that need no complete before them. In one request, of
// which no half can be lost, refused, or undone without the other.
const EARLY = { pass_on: "scan_out", qc_fail: "qc_fail" };

/** The members of the body of a scan that say what it does; "pass_on" is done and handed on. */
export const scanBody = (action) => (action in EARLY ? { action: EARLY[action], beforeComplete: true } : { action });

/** {number, action} of a request in the outbox; null where it is no scan. */
export function scanOf({ path, body }) {
  const [, number] = /\/panes\/([^/]+)\/scan$/.exec(path) ?? [];
  if (!number) return null;
  const passes = body.beforeComplete && body.action === EARLY.pass_on;
  return { number: decodeURIComponent(number), action: passes ? "pass_on" : body.action };
}

/** The path of an action of a delivery: "load", "unload", "hand-over" or "undo". */
export const deliveryPath = (id, action) => `/deliveries/${id}/${action}`;

/** {delivery (id), action, body} of a request in the outbox; null where it is none of a delivery. */
export function deliveryOf({ path, body }) {
  const [, delivery, action] = /^\/deliveries\/([^/]+)\/([\w-]+)$/.exec(path) ?? [];
  return delivery ? { delivery, action, body } : null;
}
