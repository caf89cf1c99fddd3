// The job cards of orders: the paper that travels with their panes.
import { html, useState } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { explain } from "../../ui/fault.js";
import { Icon } from "../../ui/parts.js";
import { fetchFile } from "../../ui/files.js";
import { printPdf } from "../../ui/print_files.js";

/** A button that prints the job cards that the API has at `path`. */
export function JobCard({ path, label = t("requests.jobCard") }) {
  const [{ making, error }, setState] = useState({});
  const print = async () => {
    setState({ making: true });
    try {
      await printPdf(fetchFile(path));
      setState({});
    } catch (failure) {
      setState({ error: failure });
    }
  };
  return html`<button type="button" class="quiet-button" disabled=${making} onClick=${print}>
      <${Icon} name=${making ? "hourglass" : "file-text"} />${label}</button>
    <div role="alert">${error && html`<p class="field-fault">${error.status < 500 ? error.message : explain(error)}</p>`}</div>`;
}
