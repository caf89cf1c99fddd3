// The camera on a page: the picture with a frame, or why there is none and a photo instead.
// A page that shows it has "camera" in its `styles`.
import { html, useEffect, useRef, useState } from "../../vendor/ui.js";
import { t } from "../core/i18n.js";
import { cameraSupport, chooseCamera, decodeFile, openCamera } from "../scan/camera.js";
import { parse } from "../scan/codes.js";
import "./page_icons.js";
import { Icon } from "./parts.js";

const REASONS = { NotAllowedError: "denied", NotFoundError: "none", NotReadableError: "busy" };

/**
 * Calls `onCode(text)` for each code that comes into the picture, and `onClose()`. The page
 * removes it then. It only reports codes: what they do is for the page to ask.
 */
export function CameraSheet({ onCode, onClose }) {
  const [seen, setSeen] = useState("");
  const report = (text) => {
    setSeen(text);
    onCode(text);
  };
  const { live, reason } = cameraSupport();
  return html`<section class="camera" data-own-keys aria-label=${t("camera.title")}
      onKeyDown=${(event) => event.key === "Escape" && onClose()}>
    ${live ? html`<${Live} onCode=${report} />` : html`<${Problem} reason=${reason} />`}
    <p class="camera-seen" role="status">${seen && html`<${Icon} name="circle-check" />
      ${t("camera.seen", { code: nameOf(seen) })}`}</p>
    <div class="camera-actions">
      <${Photo} onCode=${report} main=${!live} />
      <button type="button" class="quiet-button" onClick=${onClose}>
        <${Icon} name="x" />${t(live ? "camera.close" : "dialog.close")}</button>
    </div>
  </section>`;
}

const nameOf = (text) => parse(text).number || text.slice(0, 60);

/** The live picture. `onCode` may change with each drawing; the camera stays open. */
function Live({ onCode }) {
  const video = useRef(null);
  const report = useRef(onCode);
  report.current = onCode;
  const [state, setState] = useState({ name: "starting", camera: null });
  const [turn, setTurn] = useState({ number: 0, cameraId: undefined }); // another one opens the camera again

  useEffect(() => {
    let opened;
    let closed = false;
    const fail = (error) => {
      console.warn(error);
      if (!closed) setState({ name: REASONS[error.name] ?? "failed", camera: null });
    };
    setState({ name: "starting", camera: null });
    openCamera(video.current, (text) => report.current(text), { cameraId: turn.cameraId, onFail: fail }).then(
      (camera) => {
        opened = camera;
        if (closed) camera.stop();
        else setState({ name: "live", camera });
      },
      fail,
    );
    return () => {
      closed = true;
      opened?.stop();
    };
  }, [turn]);

  const again = () => setTurn({ number: turn.number + 1, cameraId: undefined });
  const choose = (cameraId) => {
    chooseCamera(cameraId);
    setTurn({ number: turn.number + 1, cameraId });
  };
  const running = ["starting", "live"].includes(state.name);
  return html`
    <div class="camera-picture" hidden=${!running} data-state=${state.name}>
      <video ref=${video} muted playsinline aria-hidden="true"></video>
      <p>${t(state.name === "live" ? "camera.aim" : "camera.starting")}</p>
    </div>
    ${state.camera && html`<${Choices} ...${state.camera} onChoose=${choose} />`}
    ${!running && html`<${Problem} reason=${state.name} onAgain=${again} />`}`;
}

/** The light and the other cameras, where the device has them. */
function Choices({ torch, cameras, onChoose }) {
  const [lit, setLit] = useState(false);
  const toggle = () => torch(!lit).then(() => setLit(!lit), console.warn);
  if (!torch && cameras.length < 2) return null;
  const option = ({ id, label, current }, i) => html`<option value=${id} key=${id}
    selected=${current}>${label || t("camera.nameless", { position: i + 1 })}</option>`;
  return html`<div class="camera-choices">
    ${torch && html`<button type="button" class="quiet-button" aria-pressed=${String(lit)}
      onClick=${toggle}><${Icon} name="sun" />${t("camera.torch")}</button>`}
    ${cameras.length > 1 && html`<select aria-label=${t("camera.choose")}
      onChange=${(event) => onChoose(event.target.value)}>${cameras.map(option)}</select>`}
  </div>`;
}

function Problem({ reason, onAgain }) {
  return html`<div class="fault camera-problem" role="alert" data-reason=${reason}>
    <${Icon} name="triangle-alert" />
    <div><p>${t(`camera.${reason}`)}</p>
      ${onAgain && html`<button type="button" class="quiet-button" onClick=${onAgain}>
        <${Icon} name="rotate-cw" />${t("fault.again")}</button>`}</div>
  </div>`;
}

/** A photo of a label, which works without https too. */
function Photo({ onCode, main }) {
  const [state, setState] = useState("");
  const read = async (event) => {
    const [file] = event.target.files;
    event.target.value = ""; // so that the same photo can be chosen again
    if (!file) return;
    setState("reading");
    try {
      const text = await decodeFile(file);
      setState(text === null ? "unreadable" : "");
      if (text !== null) onCode(text);
    } catch (error) {
      console.warn(error);
      setState("notLoaded");
    }
  };
  return html`<label class=${main ? "main-button" : "quiet-button"}>
      <${Icon} name="image" />${t("camera.photo")}
      <input class="visually-hidden" type="file" accept="image/*" capture="environment"
        onChange=${read} />
    </label>
    <p class="camera-photo" role="status">${state && t(`camera.${state}`)}</p>`;
}
