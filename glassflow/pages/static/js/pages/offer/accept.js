// The form by which a customer accepts an offer.
import { html, useRef, useState } from "../../../vendor/ui.js";
import { Refused, request } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { Icon } from "../../ui/parts.js";
import { wordsOf } from "./words.js";

const ANSWERED = [404, 409];

/** `onAccepted(offer)`, or `onRefused(error)` where the offer is no longer open. */
export function Accept({ link: { path, headers }, onAccepted, onRefused }) {
  const [{ sending, fault, isNameless }, setState] = useState({});
  const form = useRef();
  const submit = async (event) => {
    event.preventDefault();
    const { name, note, referenceId } = form.current.elements;
    if (!name.value.trim()) {
      setState({ isNameless: true });
      return name.focus();
    }
    setState({ sending: true });
    const body = { name: name.value, note: note.value, ...(referenceId.value && { referenceId: referenceId.value }) };
    try {
      onAccepted((await request(`${path}/accept`, { method: "POST", body, headers })).data);
    } catch (error) {
      setState({ fault: error });
      if (error instanceof Refused && ANSWERED.includes(error.status)) onRefused(error);
    }
  };
  const said = fault && (fault.status === 400 ? t("offer.refused") : wordsOf(fault));
  return html`<form ref=${form} class="card" onSubmit=${submit} noValidate aria-labelledby="accept">
    <h2 id="accept">${t("offer.acceptTitle")}</h2>
    <p>${t("offer.meaning")}</p>
    <${Input} name="name" maxlength="100" autocomplete="name" required aria-invalid=${isNameless ? "true" : undefined} aria-describedby="name-fault" />
    <p class="name-fault" id="name-fault" role="alert">${isNameless && t("offer.nameMissing")}</p>
    <${Input} name="referenceId" maxlength="200" autocomplete="off" />
    <label for="note">${t("offerfield.note")} <span class="soft">${t("offer.optional")}</span></label>
    <textarea id="note" name="note" rows="3" maxlength="500"></textarea>
    <div role="alert">${said && html`<p class="fault"><${Icon} name="circle-alert" /><span>${said}</span></p>`}</div>
    <button class="main-button" disabled=${sending}><${Icon} name=${sending ? "hourglass" : "circle-check"} />${t("offer.accept")}</button>
  </form>`;
}

function Input({ name, ...attributes }) {
  return html`<label for=${name}>${t(`offerfield.${name}`)}
      ${!attributes.required && html` <span class="soft">${t("offer.optional")}</span>`}</label>
    <input id=${name} name=${name} ...${attributes} />`;
}
