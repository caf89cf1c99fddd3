// What a scanned code does on the pages of the office and of labels; loaded with the scanner.
import { go } from "../core/router.js";

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

/** Do what a code says; false where it says nothing here. */
export function take({ kind, number, text }, onPane) {
  if (kind === "command") return press(number);
  const page = kind === "station" ? `/floor/s/${number}` : OFFICE_PAGE.exec(text)?.[1];
  if (page) go(page);
  else if (kind === "pane") onPane(number);
  else return false;
  return true;
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
