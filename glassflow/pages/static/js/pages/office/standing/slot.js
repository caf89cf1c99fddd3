// Where a page shows how far a job is: it keeps the place, so that nothing moves once that is read.
import { html } from "../../../../vendor/ui.js";
import { Lazy } from "../../../ui/lazy.js";

const standing = () => import("./standing.js");

/** `kind` is "quote", "request", "order", "delivery" or "entry", `id` that of the record of the page. */
export const Standing = ({ kind, id }) =>
  html`<div class="standing"><${Lazy} key=${id} load=${standing} kind=${kind} id=${id} /></div>`;
