// One hand-over of a delivery: who gave what to whom, what came back and why, its note.
import { html } from "../../../../vendor/ui.js";
import { dateTime, number as inDigits, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { Icon } from "../../../ui/parts.js";
import { FactsCard } from "../facts_card.js";
import { Gallery } from "../gallery.js";
import { OFFICE, passportOf } from "../layout.js";
import { LANGUAGES } from "../paper_fields.js";
import { PdfButton } from "../pdf_button.js";
import { reasonOf } from "./status.js";

const when = (time) => dateTime(new Date(time));

/** The facts of a hand-over as `FactsCard` takes them. */
export function factsOf({ at, deliveredBy, receivedBy, remark, signature, panes }) {
  const gave = panes.length > 0;
  return [
    [t(gave ? "field.deliveredAt" : "delivery.cameBackAt"), when(at)],
    [t(gave ? "field.deliveredBy" : "field.driver"), deliveredBy],
    [t("field.receivedBy"), receivedBy],
    [t("field.remark"), remark],
    [
      t("field.signature"),
      signature &&
        html`<img class="signature" src=${signature} alt=${t("delivery.signatureOf", { name: receivedBy })} />`,
    ],
  ];
}

/** That the time of the device cannot be right. */
export const TimeRemark = ({ isEarly, recordedAt }) =>
  isEarly &&
  html`<p class="time-remark"><${Icon} name="triangle-alert" /><span>${t("delivery.early", { time: when(recordedAt) })}</span></p>`;

/** Its delivery note; of what is planned where there is no hand-over yet. */
export function Notes({ delivery, handOver }) {
  if (handOver && !handOver.panes.length) return null; // nobody got one
  const of = handOver ? `&handOver=${handOver.number}` : "";
  return LANGUAGES.map(
    (one) =>
      html`<${PdfButton} key=${one} path=${`/deliveries/${delivery._id}/pdf?language=${one}${of}`} label=${t(`deliverynote.${one}`)} />`,
  );
}

/** A hand-over in a card of its own. `panes` are those of the checklist; `children` are what can be done with it. */
export function HandOver({ handOver, delivery, panes, children }) {
  const { number, undone, photos, left, repeated } = handOver;
  const said = left.filter(({ reason }) => reason); // another phone may have given the rest
  const named = panes.filter(({ _id }) => repeated.includes(_id)).map(({ paneNumber }) => paneNumber);
  const count = inDigits(handOver.panes.length);
  const facts = [
    [t("delivery.undoReason"), undone?.reason],
    [t("delivery.undoneBy"), undone && `${undone.by}, ${when(undone.at)}`],
    [t("field.panes"), handOver.panes.length ? t("delivery.handedOver", { count }) : t("delivery.noneHandedOver")],
    ...factsOf(handOver),
    [t("delivery.repeated"), named.join(", ")],
  ];
  const title = t(undone ? "delivery.undone" : "delivery.handOverNumber", { number: inDigits(number) });
  return html`<${FactsCard} id=${`hand-over-${number}`} title=${title} facts=${facts}>
    <${TimeRemark} ...${handOver} /><${Gallery} photos=${photos} /><${Left} rows=${said} />
    ${!undone && html`<div class="form-buttons"><${Notes} delivery=${delivery} handOver=${handOver} />${children}</div>`}<//>`;
}

/** What came back with a hand-over, by the reason. */
export function Left({ rows }) {
  if (!rows.length) return null;
  const reasons = [...new Set(rows.map(({ reason }) => reason))];
  return html`<section class="left-panes"><h3>${t("delivery.left")} <b>${inDigits(rows.length)}</b></h3>
    <dl>${reasons.map((reason) => {
      const panes = rows.filter((one) => one.reason === reason);
      return html`<div key=${reason}><dt>${reasonOf(reason)} ${reasons.length > 1 && html`<b>${inDigits(panes.length)}</b>`}</dt>
        ${panes.map((one) => html`<${LeftPane} key=${one.pane} ...${one} />`)}</div>`;
    })}</dl></section>`;
}

function LeftPane({ paneNumber, note, photos, claim, claimNumber }) {
  const link = may("claims:view") ? html`<a href=${`${OFFICE}/claims/${claim}`}>${claimNumber}</a>` : claimNumber;
  return html`<dd><a href=${passportOf(paneNumber)}>${paneNumber}</a>
    ${note && html`<span>${note}</span>`}${claim && html`<span>${t("delivery.claim")} ${link}</span>`}
    <${Gallery} photos=${photos} /></dd>`;
}
