// The limits of making that a pane is beyond, in the words of domain/makeability.py. A page that
// lists them has "ui/drawing" in its `styles`.
import { html } from "../../vendor/ui.js";
import { hasText, t, textOr } from "../core/i18n.js";
import { Icon } from "./parts.js";

/** A finding of the API in words. */
export function inWords({ code, at, least, most, actual }) {
  const [name, index] = at.split(".");
  const place = index >= 0 ? t(`makeabilityplace.${name}`, { number: Number(index) + 1 }) : placeOf(at);
  return t(`makeability.${actual === null ? "notGiven" : least === null ? "most" : "least"}`, {
    subject: hasText(`makeabilitysubject.${code}`) ? t(`makeabilitysubject.${code}`, { place }) : code, // of a later release
    actual,
    limit: least ?? most,
    unit: textOr(`makeabilityunit.${code}`, t("makeabilityunit.mm")),
  });
}

const placeOf = (at) => textOr(`makeabilityplace.${at.split(".").at(-1)}`, "");

/** Findings as a list, each with its level in words. */
export function Findings({ findings }) {
  return html`<ul class="findings">${findings.map((one) => html`<li key=${one.code + one.at} class=${one.level}>
    <${Icon} name=${one.level === "refusal" ? "circle-alert" : "triangle-alert"} /><span><b>${t(`findings.${one.level}`)}</b> ${inWords(one)}</span></li>`)}</ul>`;
}
