// What a scanned or typed text stands for.
import { session } from "../core/session.js";
import { latin } from "./keyboard.js";

/** What the printed command cards say. */
export const COMMANDS = [
  "NEXT",
  "FAIL",
  "UNDO-VIEW",
  "BACK",
  "CONFIRM",
  "COPY",
  "DEFECT-BROKEN",
  "DEFECT-CHIPPED",
  "DEFECT-DIMENSION-WRONG",
  "DEFECT-SCRATCH",
  "DEFECT-STAIN",
  "DEFECT-OTHER",
];
const COMMAND = "STDPLUS-DO:";
const WORKER = "STDPLUS-WORKER:";
const STATION = /^(?:https?:\/\/[^/\s]+)?\/floor\/s\/([0-9a-f]{24})\/?$/i;
const NUMBER = /^PNE-\d+(?:-[A-Z]+)?$/; // as the service writes it
// As people type it: the digits are enough. Longer ones are the barcode of a product.
const TYPED = /^(?:PNE[- ]?)?(\d{1,6})(?:[- ]?([A-Z]{1,2}))?$/;
const DIGITS = 4;

/** What the QR code of a pane begins with. */
function panePrefix() {
  return (session.value.qrPrefix ?? "STDPLUS:").trim().toUpperCase();
}

/**
 * Return what a text stands for: {kind, number, text}. `kind` is "pane", "worker",
 * "station", "command" or "unknown"; `number` the pane's number, the secret of a worker's
 * badge, the station's id or the command; `text` what was read, in Latin letters.
 */
export function parse(read) {
  const text = latin(read)
    .trim()
    .replace(/^\][a-z]\w\s*/i, ""); // AIM identifier of scanners
  const [kind, number] = meaning(text);
  return { kind, number, text };
}

function meaning(text) {
  const upper = text.toUpperCase();
  const station = STATION.exec(text);
  if (station) return ["station", station[1].toLowerCase()];
  if (upper.startsWith(WORKER) && upper.length > WORKER.length)
    return ["worker", text.slice(WORKER.length).trim().toLowerCase()];
  const command = COMMANDS.find((one) => upper === COMMAND + one);
  if (command) return ["command", command];
  const number = paneNumber(upper);
  return number ? ["pane", number] : ["unknown", ""];
}

function paneNumber(upper) {
  const prefix = panePrefix();
  const number = upper.startsWith(prefix) ? upper.slice(prefix.length).trim() : upper;
  if (NUMBER.test(number)) return number;
  const [, digits, sheet] = TYPED.exec(number) ?? [];
  return digits ? `PNE-${digits.padStart(DIGITS, "0")}${sheet ? `-${sheet}` : ""}` : null;
}

/** Return a text from where a code of the workshop begins in it; "" where none does. */
export function fromCode(text) {
  const upper = text.toUpperCase();
  const starts = [panePrefix() || "PNE-", COMMAND, WORKER].map((start) => upper.lastIndexOf(start));
  const start = Math.max(...starts, text.search(/https?:\/\/[^/\s]+\/floor\/s\//i));
  return start < 0 ? "" : text.slice(start);
}
