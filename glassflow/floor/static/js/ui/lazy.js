// A part of a page that is loaded when it is first shown, such as a form in a dialog.
import { html, useEffect, useState } from "../../vendor/ui.js";

/** `load` imports a module whose default is the component; it gets the other properties. */
export function Lazy({ load, ...properties }) {
  const [{ part, error }, setState] = useState({});
  useEffect(() => {
    let current = true;
    load().then((module) => current && setState({ part: module.default }),
      (failure) => current && setState({ error: failure }));
    return () => (current = false);
  }, []);
  if (error) throw error; // the page is of an earlier release: FaultBoundary offers to load it again
  return part ? html`<${part} ...${properties} />` : null;
}
