// The requests that the outbox keeps, by their paths.

const PHOTO = "/attachments";

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

/**
 * The row with a number and what goes with it, of `rows` in their order: later ones about the same
 * panes, and photos with what names them. Empty where the row is gone.
 */
export function withFollowers(rows, n) {
  const panes = new Set();
  const photos = new Set();
  const taken = rows.filter((row) => {
    const numbers = panesOf(row);
    const isAbout = numbers.some((one) => panes.has(one)) || [...photos].some((id) => names(row, id));
    if (row.n !== n && !(row.n > n && isAbout)) return false;
    for (const one of numbers) panes.add(one);
    if (row.path === PHOTO) photos.add(row.body.id);
    return true;
  });
  const isTheirs = (row) => row.path === PHOTO && !row.tried && taken.some((one) => names(one, row.body.id));
  return rows.filter((row) => taken.includes(row) || isTheirs(row)); // photos that were sent do no harm
}

function panesOf({ path, body }) {
  const { paneNumber, laminateSurvivorPaneNumber: survivor, paneNumbers = [], left = [] } = body;
  return [
    scanOf({ path, body })?.number,
    survivor,
    paneNumber,
    ...paneNumbers,
    ...left.map((one) => one.paneNumber),
  ].filter(Boolean);
}

const names = ({ path, body }, id) => path !== PHOTO && JSON.stringify(body).includes(id);

/** The path of an action of a delivery: "load", "unload", "hand-over" or "undo". */
export const deliveryPath = (id, action) => `/deliveries/${id}/${action}`;

/** {delivery (id), action, body} of a request in the outbox; null where it is none of a delivery. */
export function deliveryOf({ path, body }) {
  const [, delivery, action] = /^\/deliveries\/([^/]+)\/([\w-]+)$/.exec(path) ?? [];
  return delivery ? { delivery, action, body } : null;
}
