// Ways to read a code without a scanner: type the number, or let the camera look.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { save, saved } from "../../core/preferences.js";
import { Icon } from "../../ui/parts.js";

// What a scanner types into the field is taken out of it before that.
const PAUSE_MS = 250;

/**
 * `label` and `icon` are those of the button behind the field: what it does with a number.
 * `onTyped(text)` is called with what the field has, after a pause, and at once when that is nothing;
 * `typed` is the text that it was called with, or "" once that has been ended. `isSearch(text)` is
 * whether Enter leaves a text there, since it is only searched for.
 */
export function Read({
  desk,
  label = t("station.show"),
  icon = "search",
  typed = "",
  onTyped = undefined,
  isSearch = undefined,
}) {
  const [Camera, setCamera] = useState(null); // loaded when it is first opened
  const openCamera = () =>
    import("../../ui/camera_sheet.js").then(
      ({ CameraSheet }) => setCamera(() => CameraSheet),
      () => desk.send({ type: "notify", notice: "notLoaded" }),
    );
  const field = useRef();
  const pause = useRef();
  const tell = () => {
    clearTimeout(pause.current);
    const text = field.current.value.trim();
    if (text) pause.current = setTimeout(onTyped, PAUSE_MS, text);
    else onTyped("");
  };
  useEffect(() => () => clearTimeout(pause.current), []);
  useLayoutEffect(() => {
    if (typed) return;
    clearTimeout(pause.current);
    field.current.value = ""; // the search was ended elsewhere
  }, [typed]);
  const submit = (event) => {
    event.preventDefault();
    clearTimeout(pause.current);
    const text = field.current.value.trim();
    const stays = text && isSearch?.(text);
    if (!stays) field.current.value = "";
    onTyped?.(stays ? text : "");
    field.current.blur(); // the next scan belongs to the page
    if (text && !stays) desk.scan(text, "typed");
  };
  return html`${Camera && html`<${Camera} onCode=${(text) => desk.scan(text, "camera")}
      onClose=${() => setCamera(null)} />`}
    <form class="read" onSubmit=${submit}>
    <input ref=${field} type="text" onInput=${onTyped && tell} inputmode="numeric" enterkeyhint="go" autocomplete="off"
      aria-label=${t("station.type")} placeholder=${t("station.type")} />
    <button class="quiet-button" aria-label=${label} title=${label}><${Icon} name=${icon} /></button>
    <${Letters} field=${field} />
    <button type="button" class="quiet-button" aria-expanded=${String(Boolean(Camera))} onClick=${openCamera}>
      <${Icon} name="camera" />${t("camera.title")}</button>
    </form>`;
}

/**
 * A button beside `field` (a ref) that chooses its keyboard, which this device keeps: the digit pad
 * of a phone has no letters, and the numbers of sheets have one (107b).
 */
export function Letters({ field }) {
  const [on, setOn] = useState(saved("letters") === "true");
  useLayoutEffect(() => show(field.current, on), []);
  const change = () => {
    save("letters", String(!on));
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
