// Exports: how a file is got, and why it could not be.
import { html } from "../../vendor/ui.js";
import { Refused } from "../core/api.js";
import { t } from "../core/i18n.js";
import { explain } from "./fault.js";
import { download, fetchFile } from "./files.js";
import { Icon } from "./parts.js";

export const FORMATS = ["xlsx", "csv"];
export const TIMEOUT_MS = 600_000; // a hundred thousand rows take their time

/** Get an export, and let the browser store it. */
export async function downloadExport(path) {
  const { blob, name } = await fetchFile(path, undefined, TIMEOUT_MS);
  download(blob, name);
}

/** Why a file was not made or taken: in the words of the service where it has refused it. */
export function Failure({ error }) {
  if (!error) return null;
  const known = error instanceof Refused && error.status < 500;
  const [first] = error.faults ?? [];
  return html`<p class="fault"><${Icon} name="circle-alert" />
    <span>${known ? first?.message ?? error.message : explain(error)}${error.requestId && html`
      <small>${t("fault.request")} <code>${error.requestId}</code></small>`}</span></p>`;
}
