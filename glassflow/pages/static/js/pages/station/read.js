// Ways to read a code without a scanner: type the number, or let the camera look.
import { html, useRef, useState } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { Icon } from "../../ui/parts.js";
import { Letters } from "./letters.js";

export function Read({ desk }) {
  const [Camera, setCamera] = useState(null); // loaded when it is first opened
  const openCamera = () =>
    import("../../ui/camera_sheet.js").then(
      ({ CameraSheet }) => setCamera(() => CameraSheet),
      () => desk.send({ type: "notify", notice: "notLoaded" }),
    );
  const field = useRef();
  const submit = (event) => {
    event.preventDefault();
    const text = field.current.value.trim();
    field.current.value = "";
    field.current.blur(); // the next scan belongs to the page
    if (text) desk.scan(text, "typed");
  };
  return html`${Camera && html`<${Camera} onCode=${(text) => desk.scan(text, "camera")}
      onClose=${() => setCamera(null)} />`}
    <form class="read" onSubmit=${submit}>
    <input ref=${field} type="text" inputmode="numeric" enterkeyhint="go" autocomplete="off"
      aria-label=${t("station.type")} placeholder=${t("station.type")} />
    <button class="quiet-button" aria-label=${t("station.show")} title=${t("station.show")}><${Icon} name="search" /></button>
    <${Letters} field=${field} />
    <button type="button" class="quiet-button" aria-expanded=${String(Boolean(Camera))} onClick=${openCamera}>
      <${Icon} name="camera" />${t("camera.title")}</button>
    </form>`;
}
