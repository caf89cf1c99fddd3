// The requests that the outbox keeps, by their paths, and the undo of what they did.
import { clock } from "../../core/api.js";

const PHOTO = "/attachments";

/** The path of the loss of many panes at once. */
export const LOSS = "/panes/batch-fail";

/** The path of the scans of a pane. */
export const scanPath = (number) => `/panes/${encodeURIComponent(number)}/scan`;

/**
 * The members of the body of a scan that say what it does. "pass_on" is done and handed on, in one
 * request: no half of it is lost, refused or undone without the other. A check is of a pane whose work
 * was not recorded as done, too: it may break at any time, and that it passed says that it is done.
 * "move_here" takes in a pane that is recorded at another station.
 */
export function scanBody(action) {
  if (action === "pass_on") return { action: "scan_out", beforeComplete: true };
  if (action === "move_here") return { action: "scan_in", moveHere: true };
  return action === "qc_pass" || action === "qc_fail" ? { action, beforeComplete: true } : { action };
}

/** The path of an act on a rack (a number): "put", "take-off" or "scan". */
export const rackPath = (rack, act) => `/racks/${encodeURIComponent(rack)}/${act}`;

/** {rack (number), act} of a request in the outbox; null where it is none about a rack. */
export function rackOf({ path }) {
  const [, rack, act] = /^\/racks\/([^/]+)\/([\w-]+)$/.exec(path) ?? [];
  return rack ? { rack: decodeURIComponent(rack), act } : null;
}

/** The scans that a request in the outbox has, as {number, action, at}; `at` is when they happened. */
export function scansOf({ path, body }) {
  const at = body.occurredAt;
  const ofMany = path === LOSS ? "qc_fail" : rackOf({ path })?.act === "scan" && actionOf(body);
  if (ofMany) return body.paneNumbers.map((number) => ({ number, action: ofMany, at }));
  const [, number] = /\/panes\/([^/]+)\/scan$/.exec(path) ?? [];
  return number ? [{ number: decodeURIComponent(number), action: actionOf(body), at }] : [];
}

function actionOf({ action, beforeComplete, moveHere }) {
  if (moveHere) return "move_here";
  return beforeComplete && action === "scan_out" ? "pass_on" : action;
}

const FEW = 4;

/** Pane numbers in a line: of many the first and the last one. */
export const listed = (numbers) => (numbers.length > FEW ? `${numbers[0]} … ${numbers.at(-1)}` : numbers.join(", "));

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
    ...scansOf({ path, body }).map(({ number }) => number),
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

/** Which scan can be undone, and until when by the clock of this device. */
export const undoOf = (scan) =>
  scan?.undoableUntil && { scan: scan.undoableUntil, undoableUntil: Date.parse(scan.undoableUntil) - clock.aheadMs };
