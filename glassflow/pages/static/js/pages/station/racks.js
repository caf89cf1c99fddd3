// Racks at a station: what is on one, the step of its panes, and what is sent about it.
import { api, inTime, Unreachable } from "../../core/api.js";
import { send } from "../../core/outbox.js";
import { OPEN } from "../../core/pane_flow.js";
import { actor } from "../../core/person.js";
import { idOf } from "../../core/records.js";
import { POPULATE } from "./pane.js";
import { rackPath, scanBody, undoOf } from "../scan_page/requests.js";
import { FIELDS, hereOf, isAway } from "./queue.js";

const LOOK_MS = 4000;
const PAGE = 100; // the service's largest
const MOST = 500; // panes of one request
const KG_PER_MM = 2.5; // of a square metre of glass, for each mm of thickness

/** What takes the panes of a rack on at a station: {action, numbers}; null where none of them is here. */
export function stepOfRack(panes, { station, scans, checks, laminates }) {
  const isSheet = ({ laminateRole }) => laminates && laminateRole === "sheet";
  const here = panes.filter(
    (pane) =>
      idOf(pane.currentStation) === station &&
      OPEN.includes(pane.currentStatus) &&
      !(isSheet(pane) && pane.currentStatus === "awaiting_scan_out"), // it waits for the others of its set
  );
  const [pending, begun] = OPEN.map((status) => here.filter((one) => one.currentStatus === status));
  const step = (action, some) => ({ action, numbers: some.map(({ paneNumber }) => paneNumber).slice(0, MOST) });
  if (!here.length) return null;
  if (pending.length && (scans > 1 || here.some(isSheet))) return step("scan_in", pending);
  if (checks) return step("qc_pass", here);
  if (pending.length || (begun.length && scans < 3 && !here.some(isSheet))) return step("pass_on", here);
  return begun.length ? step("complete", begun) : step("scan_out", here);
}

/**
 * The panes on a rack: those at the station of the desk as its queue has them, with what this device
 * keeps, and the others of `panes`, as they were read.
 */
export function panesOn(desk, { number, panes }) {
  const here = hereOf(desk)?.filter((pane) => pane.rack?.rackNumber === number && !isAway(pane));
  if (!here) return panes;
  const known = new Set(here.map(({ paneNumber }) => paneNumber));
  const isElsewhere = (pane) => !known.has(pane.paneNumber) && idOf(pane.currentStation) !== desk.id;
  return [...here, ...panes.filter(isElsewhere)];
}

/** How heavy panes are together, in kg. */
export const weightOf = (panes) =>
  panes.reduce((sum, { dimensions: { width = 0, height = 0, thickness = 0 } = {} }) => {
    return sum + (width / 1000) * (height / 1000) * thickness * KG_PER_MM;
  }, 0);

/** What the settings and the station say of the step of a rack; see `stepOfRack`. */
export function placeOf(desk) {
  const { scans, checks } = desk.state.value;
  return { station: desk.id, scans, checks, laminates: desk.place.value?.station?.isLaminateStation };
}

/** Show a rack, as the service has it, or without network as this device knows it. */
export async function lookAtRack(desk, { number }) {
  try {
    desk.send({ type: "rack", number, ...(await inTime(read(number), LOOK_MS)) });
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    desk.send({ type: "rack", number, ...known(desk, number) });
  }
}

async function read(number) {
  const { data: rack } = await api(`/racks/${encodeURIComponent(number)}`);
  const panes = [];
  let cursor = "*";
  while (cursor && panes.length < MOST) {
    const query = `rack=${rack._id}&limit=${PAGE}&cursor=${cursor}&sort=createdAt`;
    const { data, pagination } = await api(`/panes?${query}&populate=${POPULATE}&fields=${FIELDS}`);
    panes.push(...data);
    cursor = pagination.next;
  }
  return { rack, panes };
}

function known(desk, number) {
  const { card } = desk.state.value;
  if (card?.rack && card.number === number) return { rack: card.rack, panes: card.panes };
  const panes = (hereOf(desk) ?? []).filter(({ rack }) => rack?.rackNumber === number);
  return { rack: { rackNumber: number, ...panes[0]?.rack }, panes };
}

/** Do the step of the panes that are on the rack of the card. */
export async function stepRack(desk, { number, sure }) {
  const { card } = desk.state.value;
  const step = stepOfRack(panesOn(desk, card), placeOf(desk));
  const stop = !step ? "nothingOnRack" : step.action === "qc_pass" && !sure ? "passedOrFailed" : null;
  if (stop) return desk.send({ type: "stopped", notice: stop });
  const answer = await request(desk, number, "scan", { ...scanBody(step.action), paneNumbers: step.numbers });
  return tell(desk, number, answer, step);
}

/** Put panes on a rack (`act` "put"), or take them off ("take-off"). */
export async function moveOnRack(desk, { number, act, numbers }) {
  const answer = await request(desk, number, act, { paneNumbers: numbers });
  return tell(desk, number, answer, { action: act === "put" ? "put" : "take_off", numbers });
}

function request(desk, number, act, body) {
  return send(rackPath(number, act), { ...body, station: desk.id }, { occurredAt: new Date(), worker: actor() });
}

function tell(desk, number, answer, verdict) {
  if (desk.state.value.busy?.number !== number) return undefined; // they have left
  if (answer.kind === "refused") throw answer.error;
  const { rack, panes } = known(desk, number);
  if (answer.kind === "kept") {
    const undo = desk.keptUndo(verdict.numbers[0]);
    return desk.send({ type: "rack", number, rack, panes, verdict: { kind: "kept", ...verdict }, undo });
  }
  const { data } = answer.envelope;
  for (const pane of data.panes) desk.queue.receive({ action: "scanned", data: pane });
  const changed = new Map(data.panes.map((pane) => [pane.paneNumber, desk.queue.whole(pane)]));
  const before = panes.filter(({ paneNumber }) => !changed.has(paneNumber));
  const after = verdict.action === "take_off" ? before : [...before, ...changed.values()];
  return desk.send({
    type: "rack",
    number,
    rack: data.rack ?? rack,
    panes: after,
    verdict: { kind: "yes", ...verdict },
    undo: undoOf(data),
  });
}
