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
// The first characters of its address may be lost, as those of the other codes: see `whole`.
const STATION = /^(?:(?:[a-z]*:)?\/{0,2}[^/\s]*)?\/floor\/s\/([0-9a-f]{24})\/?$/i;
const STATIONS = /https?:\/\/[^/\s]+\/floor\/s\//gi;
const NUMBER = /^PNE-\d+(?:-[A-Z]+)?$/; // as the service writes it
// As people type it: the digits are enough. Longer ones are the barcode of a product.
const TYPED = /^(?:PNE[- ]?)?(\d{1,6})(?:[- ]?([A-Z]{1,2}))?$/;
const DIGITS = 4;
// What has to follow where the first characters of a code are lost, so that nothing else is taken for it.
const WHOLE = /^(?:PNE-\d{4,}(?:-[A-Z])?|(?:RCK|INV)-\d{4,})$/;
// As people type them, too.
const OTHERS = { RCK: "rack", INV: "lot" };
const OTHER = /^(RCK|INV)[- ]?(\d{1,6})$/;
const NEXT_IDENTIFIER = /\s*(\][a-z]\w)?\s*$/i;
const SECRET = /^[\w.~-]{16,}$/;

/** What the QR codes of panes, racks and lots begin with. */
function panePrefix() {
  return (session.value.qrPrefix ?? "STDPLUS:").trim().toUpperCase();
}

/**
 * Return what a text stands for: {kind, number, text}. `kind` is "pane", "rack", "lot", "worker",
 * "station", "command" or "unknown"; `number` the number of the pane, rack or lot, the secret of a
 * worker's badge, the station's id or the command; `text` what was read, in Latin letters.
 */
export function parse(read) {
  const text = whole(withoutIdentifier(read));
  const [kind, number] = meaning(text);
  return { kind, number, text };
}

/** A text in Latin letters, without the AIM identifier of scanners. */
function withoutIdentifier(read) {
  return latin(read)
    .trim()
    .replace(/^\][a-z]\w\s*/i, "");
}

/**
 * A code with its first characters, which a scanner may lose while it wakes up; any other text as
 * it is. What is left of its beginning has to be an ending of ours: other workshops' codes end alike.
 */
function whole(text) {
  const upper = text.toUpperCase();
  const codes = [
    { beginning: panePrefix(), isWhole: (rest) => WHOLE.test(rest) },
    { beginning: COMMAND, isWhole: (rest) => COMMANDS.includes(rest) },
    { beginning: WORKER, isWhole: (rest) => SECRET.test(rest) },
  ];
  for (const { beginning, isWhole } of codes)
    for (let lost = 1; lost < beginning.length; lost += 1) {
      const left = beginning.slice(lost);
      if (upper.startsWith(left) && isWhole(upper.slice(left.length))) return beginning.slice(0, lost) + text;
    }
  return text;
}

/** Whether the first characters of a code were lost when it was read. */
export const isCut = (read) => {
  const text = withoutIdentifier(read);
  return whole(text) !== text || (meaning(text)[0] === "station" && !/^(https?:|\/floor\/s\/)/i.test(text));
};

function meaning(text) {
  const upper = text.toUpperCase();
  const station = STATION.exec(text);
  if (station) return ["station", station[1].toLowerCase()];
  if (upper.startsWith(WORKER) && upper.length > WORKER.length)
    return ["worker", text.slice(WORKER.length).trim().toLowerCase()];
  const command = COMMANDS.find((one) => upper === COMMAND + one);
  if (command) return ["command", command];
  const prefix = panePrefix();
  const number = upper.startsWith(prefix) ? upper.slice(prefix.length).trim() : upper;
  const [, letters, digits] = OTHER.exec(number) ?? [];
  if (digits) return [OTHERS[letters], `${letters}-${digits.padStart(DIGITS, "0")}`];
  const pane = paneNumber(number);
  return pane ? ["pane", pane] : ["unknown", ""];
}

function paneNumber(number) {
  if (NUMBER.test(number)) return number;
  const [, digits, sheet] = TYPED.exec(number) ?? [];
  return digits ? `PNE-${digits.padStart(DIGITS, "0")}${sheet ? `-${sheet}` : ""}` : null;
}

/**
 * Return the codes of the workshop that a scanner typed, in their order: {before, codes}. Two that
 * follow each other without an end mark are two; `before` is what stands before the first of them.
 */
export function codesIn(read) {
  const text = withoutIdentifier(read);
  const upper = text.toUpperCase();
  const starts = Array.from(text.matchAll(STATIONS), ({ index }) => index);
  for (const beginning of [...["PNE-", "RCK-", "INV-"].map((one) => panePrefix() + one), COMMAND, WORKER])
    for (let at = upper.indexOf(beginning); at >= 0; at = upper.indexOf(beginning, at + 1)) starts.push(at);
  starts.sort((a, b) => a - b);
  const codes = starts.map((start, i) => text.slice(start, starts[i + 1]).replace(NEXT_IDENTIFIER, ""));
  const before = text.slice(0, starts[0]).replace(NEXT_IDENTIFIER, "");
  return isCut(before) ? { before: "", codes: [before, ...codes] } : { before, codes };
}
