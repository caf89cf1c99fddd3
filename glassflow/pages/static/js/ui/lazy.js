// A part of a page that is loaded when it is first shown, such as a form in a dialog.
import { html, useEffect, useState } from "../../vendor/ui.js";
import { untilLoaded } from "../core/api.js";
import { t } from "../core/i18n.js";

/** `load` imports a module whose default is the component; it gets the other properties. */
export function Lazy({ load, ...properties }) {
  const [{ part, failed }, setState] = useState({});
  useEffect(() => {
    let current = true;
    untilLoaded(
      load,
      () => current,
      () => current && setState({ failed: true }),
    ).then((module) => current && setState({ part: module.default }));
    return () => (current = false);
  }, []);
  if (failed) return html`<p class="soft" role="status">${t("fault.notLoaded")}</p>`;
  return part ? html`<${part} ...${properties} />` : null;
}
