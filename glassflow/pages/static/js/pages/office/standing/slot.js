// The place of the strip on the page of a record, kept free until it is read.
import { html } from "../../../../vendor/ui.js";
import { Lazy } from "../../../ui/lazy.js";

const standing = () => import("./standing.js");
standing().catch(() => {}); // with the page: what is below moves as little as possible

/** `kind` as `GET /standing` names it. */
export const Standing = ({ kind, id }) =>
  html`<div class="standing"><${Lazy} key=${id} load=${standing} kind=${kind} id=${id} /></div>`;
