// Letters in the number of a pane: the digit pad of a phone has none, and sheets need one (107b).
import { html, useLayoutEffect, useState } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { preference, setPreference } from "./kept.js";

/** A button beside `field` (a ref) that chooses its keyboard, which this device keeps. */
export function Letters({ field }) {
  const [on, setOn] = useState(preference("letters") === true);
  useLayoutEffect(() => show(field.current, on), []);
  const change = () => {
    setPreference("letters", !on);
    setOn(!on);
    show(field.current, !on);
    // a keyboard that is open changes with the next focus only, which has to be in the tap
    field.current.blur();
    field.current.focus();
  };
  return html`<button type="button" class="quiet-button letters" aria-pressed=${String(on)}
    aria-label=${t("station.letters")} title=${t("station.letters")} onClick=${change}>abc</button>`;
}

function show(input, letters) {
  input.setAttribute("inputmode", letters ? "text" : "numeric");
  // no phone corrects a number, or begins it with a capital
  input.setAttribute("autocapitalize", "none");
  input.setAttribute("autocorrect", "off");
  input.setAttribute("spellcheck", "false");
}
