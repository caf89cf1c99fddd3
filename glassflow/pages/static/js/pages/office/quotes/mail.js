// A quote by e-mail: the button that asks for it, and what came of the last one.
import { html, useEffect, useState } from "../../../../vendor/ui.js";
import { api, inWords } from "../../../core/api.js";
import { dateTime, t } from "../../../core/i18n.js";
import { ActionButton } from "../dialog_button.js";

const COMPLETE = /.@.+\../; // not while its domain is being typed

/** The button, where the service sends e-mail; `send(body, quote)` asks for it. */
export function MailButton({ quote, send }) {
  const [draft, setDraft] = useState();
  useEffect(() => {
    let isShown = true;
    api(`/quotes/${quote._id}/mail`).then(
      ({ data, warnings = [] }) => isShown && setDraft({ ...data, warnings }),
      () => {}, // the rest of the page works without it
    );
    return () => (isShown = false);
  }, [quote._id]);
  if (!draft?.isOn) return null;
  const { customerAddresses } = draft; // null for a worker who may not see customers
  const fields = [
    {
      name: "to",
      label: t("field.to"),
      hint: [t("quotes.mailToHint"), customerAddresses === null && t("quotes.mailUncompared")]
        .filter(Boolean)
        .join(" "),
      required: true,
      kind: "custom",
      draw: drawRecipients(customerAddresses),
      attributes: { inputmode: "email" },
      wide: true,
    },
    { name: "subject", label: t("field.subject"), wide: true },
    { name: "message", label: t("quotes.mailMessage"), hint: aboutLink(draft), kind: "textarea", rows: 8, wide: true },
  ];
  const hint = t("quotes.mailHint", { number: quote.quoteNumber });
  return html`<${ActionButton} icon="arrow-right" label=${t("quotes.mail")} hint=${hint} record=${quote} fields=${fields}
    initial=${{ ...draft, to: draft.to.join(", ") }} send=${(values, seen) => send(bodyOf(values), seen)} />`;
}

/** What the customer reads below the text, or why there is no link; and what is wrong with it. */
function aboutLink({ linkText, warnings }) {
  const about = linkText ? t("quotes.mailAdds", { text: linkText }) : t("quotes.mailNoLink");
  return [about, ...warnings.map((one) => inWords(one).message)].join(" · ");
}

/** The recipients; below them those that are not among `known`, as the customer may not be meant. */
const drawRecipients =
  (known) =>
  ({ value, values: _, onChange, ...shared }) =>
    html`<input type="text" autocomplete="off" value=${value} onInput=${({ target }) => onChange(target.value)} ...${shared} />
      <small class="mail-remark" role="status">${known && remarkOn(addressesOf(value), known)}</small>`;

function remarkOn(addresses, known) {
  const plain = known.map((one) => one.toLowerCase());
  const others = addresses.filter((one) => COMPLETE.test(one) && !plain.includes(one.toLowerCase()));
  return others.length > 0 && t("quotes.mailOthers", { addresses: others.join(", ") });
}

const addressesOf = (text) => text.split(/[,;\s]+/).filter(Boolean);

function bodyOf({ to, subject, message }) {
  return { to: addressesOf(to), subject: subject.trim(), message: message.trim() };
}

/** The facts of the last e-mail of a quote: names and words. */
export function mailFacts({ mail }) {
  if (!mail) return [];
  const { to, linkTo, askedAt, sentAt, nextAttemptAt, error } = mail;
  const at = (moment) => dateTime(new Date(moment));
  const state = sentAt
    ? t("quotes.mailSent", { time: at(sentAt) })
    : !nextAttemptAt
      ? t("quotes.mailFailed")
      : t(error ? "quotes.mailAgain" : "quotes.mailWaits", { time: at(error ? nextAttemptAt : askedAt) });
  return [
    [t("quotes.mail"), state],
    [t("quotes.mailTo"), to.join(", ")],
    [t("quotes.mailLink"), linkTo],
    [t("quotes.mailError"), error],
  ];
}
