// The requests that the outbox keeps, by their paths.

/** The path of the scans of a pane. */
export const scanPath = (number) => `/panes/${encodeURIComponent(number)}/scan`;

/** {number, action} of a request in the outbox; null where it is no scan. */
export function scanOf({ path, body }) {
  const [, number] = /\/panes\/([^/]+)\/scan$/.exec(path) ?? [];
  return number ? { number: decodeURIComponent(number), action: body.action } : null;
}

/** The path of an action of a delivery: "load", "unload", "hand-over" or "undo". */
export const deliveryPath = (id, action) => `/deliveries/${id}/${action}`;

/** {delivery (id), action, body} of a request in the outbox; null where it is none of a delivery. */
export function deliveryOf({ path, body }) {
  const [, delivery, action] = /^\/deliveries\/([^/]+)\/([\w-]+)$/.exec(path) ?? [];
  return delivery ? { delivery, action, body } : null;
}
