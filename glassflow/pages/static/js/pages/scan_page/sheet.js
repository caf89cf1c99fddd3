// A form or a menu over the page, and the button that must be held.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { Icon } from "../../ui/parts.js";

export const HOLD_MS = 600; // an accidental tap is shorter

/** Closes by its button, Escape and a tap beside it; the focus returns to where it was. */
export function Sheet({ desk, title, children, alert }) {
  const dialog = useRef();
  const close = () => desk.send({ type: "open", sheet: null });
  useLayoutEffect(() => {
    const element = dialog.current;
    element.showModal();
    return () => element.close();
  }, []);
  const { notice } = desk.state.value;
  const cancel = (event) => {
    event.preventDefault();
    close();
  };
  return html`<dialog ref=${dialog} class="sheet-box" aria-labelledby="sheet-title" onCancel=${cancel}
    onClick=${(event) => event.target === dialog.current && close()}>
    <div class="sheet-body">
      <header><h2 id="sheet-title" tabindex="-1">${title}</h2>
        <button type="button" class="icon-button" aria-label=${t("dialog.close")} title=${t("dialog.close")}
          onClick=${close}><${Icon} name="x" /></button></header>
      <div role="alert">${(alert || notice) && html`<p class="fault"><${Icon} name="circle-alert" />
        <span>${alert || t(`station.${notice}`)}</span></p>`}</div>
      ${children}
    </div>
  </dialog>`;
}

/**
 * A button that acts after it was held for 0.6 s; a short tap says so. With the keyboard,
 * and for screen readers, it is pressed twice. `kind` is its class.
 */
export function HoldButton({ icon, label, onHeld, disabled, kind = "fail-button" }) {
  const [state, setState] = useState("");
  const timer = useRef();
  const letGo = () => {
    clearTimeout(timer.current);
    setState((before) => (before === "holding" ? "hint" : before));
  };
  const hold = (event) => {
    if (event.button !== 0) return;
    setState("holding");
    timer.current = setTimeout(onHeld, HOLD_MS);
  };
  const press = (event) => {
    if (event.detail !== 0) return; // a pointer, which has to hold
    if (state === "armed") onHeld();
    else setState("armed");
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return html`<div class="hold">
    <button type="button" class=${kind} data-holding=${state === "holding" ? "" : null} disabled=${disabled}
      onPointerDown=${hold} onPointerUp=${letGo} onPointerLeave=${letGo} onPointerCancel=${letGo}
      onContextMenu=${(event) => event.preventDefault()} onClick=${press}>
      <${Icon} name=${icon} />${label}</button>
    <p role="status">${state === "armed" ? t("station.pressAgain") : t("station.hold")}</p>
  </div>`;
}
