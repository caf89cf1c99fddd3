// The keys of a PIN. A keyboard works too: the field has the focus, and brings up no keys of the
// device over these.
import { html, useEffect, useState } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { identifyByPin } from "../../core/identify.js";
import { Icon } from "../../ui/parts.js";

const LEAST = 4;
const MOST = 8;
const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

export function PinPad({ worker, busy, identify, onBack }) {
  const [pin, setPin] = useState("");
  const [next, setNext] = useState(""); // typed while another one is checked, perhaps a wrong one
  const type = (digit) => setPin((now) => (now + digit).slice(0, MOST));
  const submit = (event) => {
    event.preventDefault();
    if (pin.length < LEAST) return;
    setPin("");
    (busy ? setNext : check)(pin);
  };
  const check = (typed) => identify(() => identifyByPin(worker._id, typed));
  useEffect(() => {
    if (busy || !next) return;
    setNext("");
    check(next);
  }, [busy]);
  const key = (digit) => html`<button type="button" key=${digit} onClick=${() => type(digit)}>${digit}</button>`;
  return html`<form class="pin" onSubmit=${submit}>
    <input type="password" inputmode="none" autocomplete="off" maxlength=${MOST} value=${pin}
      aria-label=${t("person.pin")} onInput=${({ target }) => {
        setPin(target.value.replace(/\D/g, "").slice(0, MOST));
      }} />
    <div class="keys" onMouseDown=${(event) => event.preventDefault()}>${DIGITS.map(key)}
      <button type="button" aria-label=${t("person.delete")} title=${t("person.delete")}
        onClick=${() => setPin(pin.slice(0, -1))}><${Icon} name="arrow-left" /></button>
      ${key("0")}
      <button class="enter" disabled=${pin.length < LEAST} aria-label=${t("person.enter")}
        title=${t("person.enter")}><${Icon} name=${busy ? "hourglass" : "check"} /></button></div>
    <button type="button" class="quiet-button" onClick=${onBack}><${Icon} name="users" />${t("person.other")}</button>
  </form>`;
}
