// What a scanned code does on the pages of the office and of labels; loaded with the scanner.
import { api } from "../core/api.js";
import { go } from "../core/router.js";
import { parse } from "../scan/codes.js";
import { listen } from "../scan/wedge.js";
import { opened } from "./open_palette.js";

/** What a card presses; where several can be pressed, it is not clear which one is meant. */
const BUTTONS = {
  NEXT: ".main-button:not(.danger)",
  CONFIRM: ".main-button.danger, [data-card=CONFIRM]",
  COPY: "[data-card=COPY]",
  BACK: ".back",
};
/** The code of a job card, made at whatever address the office uses. */
const OFFICE_PAGE = /^https?:\/\/[^/\s]+(\/floor\/office\/\S+)$/;
const CLOSE = ["BACK", "UNDO-VIEW"]; // cards that close a dialog
const CHANGE_MS = 200; // from a page to the next one, at most

let use; // what the page that is shown does with a scan
let end; // of listening

/**
 * Call `onScan(text, code)` for each scan; returns what ends it, unless the next page follows
 * the scanner too: it goes on with the same listener, so that a scan during the change is
 * read whole.
 */
export function follow(onScan) {
  use = onScan;
  end ??= listen((text) => use(text, parse(text)));
  return () =>
    setTimeout(() => {
      if (use !== onScan) return;
      end();
      use = end = undefined;
    }, CHANGE_MS);
}

/** Do what a code says; false where it says nothing here. */
export function take({ kind, number, text }, onPane) {
  if (kind === "command") return press(number);
  const pages = { station: `/floor/s/${number}`, rack: `/floor/office/racks/${number}` };
  const page = pages[kind] ?? OFFICE_PAGE.exec(text)?.[1];
  if (page) go(page);
  else if (kind === "lot") openLot(number);
  else if (kind === "pane") onPane(number);
  else return false;
  opened.value = null; // the palette, in which it may have been scanned
  return true;
}

// The service reads a lot by its id alone. Where it tells none, the page says why.
async function openLot(number) {
  const { data } = await api(`/inventories?inventoryNumber=${number}&fields=_id`).catch(() => ({ data: [] }));
  go(`/floor/office/stock/${data[0]?._id ?? number}`);
}

/** Press what a command card means, in the dialog that is open or on the page; whether there was one. */
export function press(command, page = document) {
  const dialog = [...page.querySelectorAll("dialog[open]")].at(-1);
  if (dialog && CLOSE.includes(command)) {
    dialog.close();
    return true;
  }
  const found = BUTTONS[command] ? [...(dialog ?? page).querySelectorAll(BUTTONS[command])] : [];
  const [button, other] = found.filter((one) => !one.disabled && one.getClientRects().length);
  if (!button || other) return false;
  button.click();
  return true;
}
