// The requests that the outbox keeps, by their paths.

/** The path of the scans of a pane. */
export const scanPath = (number) => `/panes/${encodeURIComponent(number)}/scan`;

/**
 * The members of the body of a scan that say what it does. "pass_on" is done and handed on, in one
 * request: no half of it is lost, refused or undone without the other. A pane may break at any time.
 */
export function scanBody(action) {
  if (action === "pass_on") return { action: "scan_out", beforeComplete: true };
  return action === "qc_fail" ? { action, beforeComplete: true } : { action };
}

/** {number, action} of a request in the outbox; null where it is no scan. */
export function scanOf({ path, body }) {
  const [, number] = /\/panes\/([^/]+)\/scan$/.exec(path) ?? [];
  if (!number) return null;
  const passes = body.beforeComplete && body.action === "scan_out";
  return { number: decodeURIComponent(number), action: passes ? "pass_on" : body.action };
}

/** The path of an action of a delivery: "load", "unload", "hand-over" or "undo". */
export const deliveryPath = (id, action) => `/deliveries/${id}/${action}`;

/** {delivery (id), action, body} of a request in the outbox; null where it is none of a delivery. */
export function deliveryOf({ path, body }) {
  const [, delivery, action] = /^\/deliveries\/([^/]+)\/([\w-]+)$/.exec(path) ?? [];
  return delivery ? { delivery, action, body } : null;
}
