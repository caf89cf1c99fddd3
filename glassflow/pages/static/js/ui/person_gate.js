// On a shared device, what is shown only while somebody has identified there.
import { html } from "../../vendor/ui.js";
import { actor, isShared } from "../core/person.js";
import { Lazy } from "./lazy.js";

const load = () => import("../pages/scan_page/person.js");

/** Shows its children to who works here, and on a shared device who that is, or the question. */
export function PersonGate({ desk, children }) {
  return html`${isShared() && html`<${Lazy} load=${load} desk=${desk} />`}${actor() && children}`;
}
