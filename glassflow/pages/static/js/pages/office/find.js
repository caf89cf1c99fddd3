// The palette of the office pages, which opens what it finds on one of them.
import { html } from "../../../vendor/ui.js";
import { Palette } from "../../ui/palette.js";
import { OFFICE, ORDERS, passportOf, REQUESTS } from "./layout.js";

export const Find = () => html`<${Palette} hrefOf=${hrefOf} />`;

/** The page of a record that a search has found. */
function hrefOf(found) {
  if (found.kind === "pane") return passportOf(found.paneNumber);
  if (found.kind === "order") return `${ORDERS}/${found._id}`;
  if (found.kind === "request") return `${REQUESTS}/${found._id}`;
  if (found.kind === "claim") return `${OFFICE}/claims/${found._id}`;
  return `${ORDERS}?due=all&${found.kind}=${found._id}`;
}
