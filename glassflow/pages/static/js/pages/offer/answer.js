// The customer's answer to an offer: the form, and what came of it in the place of the form.
import { html, useLayoutEffect, useRef, useState } from "../../../vendor/ui.js";
import { Refused, request } from "../../core/api.js";
import { duration, hasText, t } from "../../core/i18n.js";
import { explain } from "../../ui/fault.js";
import { Icon } from "../../ui/parts.js";

const ANSWERED = [404, 409];
/** What a customer may do: its path, the icon of its button, and whether it needs a text. */
const ACTIONS = {
  accept: { path: "accept", icon: "circle-check" },
  change: { path: "change", icon: "pencil", needsText: true },
  decline: { path: "decline", icon: "ban" },
};
const ICONS = {
  accepted: "circle-check",
  rejected: "circle-x",
  expired: "clock",
  superseded: "history",
  asked: "pencil",
};

/** `onAnswered(action, offer)`, or `onRefused(error)` where the offer is no longer open. */
export function AnswerForm({ link: { path, headers }, kind, say, onAnswered, onRefused }) {
  const [action, setAction] = useState("accept");
  const [{ sending, fault, missing }, setState] = useState({});
  const form = useRef();
  const heading = useRef();
  const choose = (chosen) => {
    setAction(chosen);
    setState({});
    heading.current.focus(); // its text changes, and the button that was pressed goes
  };
  const { icon, needsText } = ACTIONS[action];
  const submit = async (event) => {
    event.preventDefault();
    const { name, text, referenceId } = form.current.elements;
    const empty = [name, needsText && text].find((field) => field && !field.value.trim());
    if (empty) {
      setState({ missing: empty.name });
      return empty.focus();
    }
    setState({ sending: true });
    const body = {
      name: name.value,
      [needsText ? "text" : "note"]: text.value,
      ...(referenceId?.value && { referenceId: referenceId.value }),
    };
    try {
      onAnswered(action, (await request(`${path}/${ACTIONS[action].path}`, { method: "POST", body, headers })).data);
    } catch (error) {
      if (error instanceof Refused && ANSWERED.includes(error.status)) await onRefused(error);
      setState({ fault: error });
    }
  };
  const said = fault && (fault.status === 400 ? t("offer.refused") : wordsOf(fault));
  const others = Object.keys(ACTIONS).filter((one) => (action === "accept") === (one !== "accept"));
  return html`<form ref=${form} class="card" data-action=${action} onSubmit=${submit} noValidate aria-labelledby="answer">
    <h2 id="answer" ref=${heading} tabindex="-1">${say(`offertitle.${action}`)}</h2>
    <p>${say(`offermeaning.${action}`)}</p>
    <${Field} name="name" label=${t("offerfield.name")} isMissing=${missing === "name"} maxlength="100" autocomplete="name" required />
    ${action === "accept" && kind === "quote" && html`<${Field} name="referenceId" label=${t("offerfield.referenceId")} maxlength="200" autocomplete="off" />`}
    <${Field} name="text" label=${say(`offerwords.${action}`)} isMissing=${missing === "text"} tag="textarea" rows="3" maxlength="500" required=${Boolean(needsText)} />
    <div role="alert">${said && html`<p class="fault"><${Icon} name="circle-alert" /><span>${said}</span></p>`}</div>
    <button class="main-button" disabled=${sending}><${Icon} name=${sending ? "hourglass" : icon} />${say(`offersend.${action}`)}</button>
    <p class="others">${others.map(
      (one) => html`<button type="button" class="quiet-button" key=${one} disabled=${sending} onClick=${() => choose(one)}>
        <${Icon} name=${one === "accept" ? "undo-2" : ACTIONS[one].icon} />${say(`offerchoose.${one}`)}</button>`,
    )}</p>
  </form>`;
}

function Field({ name, label, isMissing, tag = "input", ...attributes }) {
  const fault = `${name}-fault`;
  const shared = { ...attributes, "aria-invalid": isMissing ? "true" : undefined, "aria-describedby": fault };
  return html`<label for=${name}>${label}${!attributes.required && html` <span class="soft">${t("offer.optional")}</span>`}</label>
    <${tag} id=${name} name=${name} ...${shared} />
    <p class="missing" id=${fault} role="alert">${isMissing && t(`offermissing.${name}`)}</p>`;
}

/**
 * Where an offer stands: `name` is its status, or "asked"; `words` are sentences below the title.
 * With `isFocused` it takes the focus and is scrolled into view, as what a button has brought.
 */
export function State({ name, title, words, isFocused, children }) {
  const card = useRef();
  useLayoutEffect(() => {
    if (!isFocused) return;
    card.current.focus({ preventScroll: true });
    card.current.scrollIntoView({ block: "center" });
  }, []);
  return html`<section ref=${card} class="state" data-status=${name} tabindex="-1" aria-labelledby="state" aria-describedby="state-words">
    <${Icon} name=${ICONS[name]} /><div><h2 id="state">${title}</h2>
    <p id="state-words">${words.filter(Boolean).join(" ")}</p>${children}</div></section>`;
}

/** A function that returns texts of an offer; a confirmation says some of them in its own way. */
export const wordsFor =
  ({ kind }) =>
  (key, facts) =>
    t(kind === "confirmation" && hasText(`confirmed.${key}`) ? `confirmed.${key}` : key, facts);

/** The sentence for an error of a request. */
export const wordsOf = (error) =>
  error.status === 429 ? t("login.tooMany", { wait: duration(error.retryAfterS) }) : explain(error);
