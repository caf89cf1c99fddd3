// A button that stores a PDF on the device.
import { html, useState } from "../../../vendor/ui.js";
import { explain } from "../../ui/fault.js";
import { download, fetchFile } from "../../ui/files.js";
import { Icon } from "../../ui/parts.js";

/** `path` is where the API has the PDF. */
export function PdfButton({ path, label }) {
  const [{ making, error }, setState] = useState({});
  const make = async () => {
    setState({ making: true });
    try {
      const { blob, name } = await fetchFile(path);
      download(blob, name);
      setState({});
    } catch (failure) {
      setState({ error: failure });
    }
  };
  return html`<button type="button" class="quiet-button" disabled=${making} onClick=${make}>
      <${Icon} name=${making ? "hourglass" : "download"} />${label}</button>
    <div role="alert">${error && html`<p class="field-fault">${error.status < 500 ? error.message : explain(error)}</p>`}</div>`;
}
