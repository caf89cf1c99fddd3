// What a quote says of its prices and its life: when it was priced, sent and answered; once sent, its lines.
import { html, useEffect, useState } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { date, dateTime, number, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { lang } from "../../../core/preferences.js";
import { idOf } from "../../../core/records.js";
import { Findings } from "../../../ui/findings.js";
import { Lazy } from "../../../ui/lazy.js";
import { money } from "../../../ui/money.js";
import { Icon } from "../../../ui/parts.js";
import { ActionButton } from "../dialog_button.js";
import { FactsCard } from "../facts_card.js";
import { OFFICE, ORDERS, REQUESTS } from "../layout.js";
import { totals } from "../pane_grid/totals.js";
import { lastDay } from "./link.js";
import { mailFacts } from "./mail.js";

const changesOf = () => import("../request_changes.js");

export default function Offer({ quote }) {
  return html`<${Facts} quote=${quote} /><${Notes} quote=${quote} />
    ${quote.changes?.length > 0 && html`<${Lazy} load=${changesOf} changes=${quote.changes} />`}
    ${quote.status !== "draft" && html`<${Lines} quote=${quote} />`}`;
}

/** Each fact is its name and its words, or nothing. */
function Facts({ quote }) {
  const { status, price, revises, request, order } = quote;
  const customer = quote.acceptedName || quote.declinedName;
  const answerer = customer ? { name: t("quotes.byLink", { name: customer }) } : quote.answeredBy;
  const by = (moment, worker) => moment && [date(new Date(moment)), worker?.name].filter(Boolean).join(" · ");
  const link = (record, path, name) => record && html`<a href=${`${path}/${idOf(record)}`}>${record[name] ?? "–"}</a>`;
  const facts = [
    [t("quotes.pricedAt"), by(quote.pricedAt)],
    [t("field.priceList"), price.priceList],
    [t("field.sentAt"), by(quote.sentAt, quote.sentBy)],
    ...mailFacts(quote),
    [t("field.overrideReason"), quote.overrideReason],
    [t(`quotesstatus.${status}`), by(quote.answeredAt, answerer)],
    [t("field.rejectReason"), quote.rejectReason],
    [t("field.linkExpiresAt"), quote.hasLink && lastDay(quote)],
    [t("field.revises"), link(revises, `${OFFICE}/quotes`, "quoteNumber")],
    [t("field.request"), link(request, REQUESTS, "requestNumber")],
    [t("field.order"), link(order, ORDERS, "orderNumber")],
  ];
  const send = () =>
    api(`/quotes/${quote._id}`, {
      method: "PATCH",
      body: { currentPrices: true },
      headers: { "If-Match": `"${quote.version}"` },
    });
  return html`<${FactsCard} id="quote-facts" title=${t("quotes.now")} facts=${facts}>
    ${quote.waits && status !== "accepted" && html`<p class="status-line"><${Icon} name="hourglass" /> ${t("confirmations.nothingYet")}</p>`}
    ${status === "draft" && price.isExample && html`<p class="status-line"><${Icon} name="triangle-alert" /> ${t("requests.examplePrices")}</p>`}
    ${status === "draft" && may("requests:manage") && html`<div class="form-buttons"><${ActionButton} icon="refresh-cw" label=${t("quotes.renew")}
      hint=${t("quotes.renewHint")} done=${t("quotes.renewed")} record=${quote} send=${send} /></div>`}<//>`;
}

/** What customers did by the link besides answering; left out for those who may not see customers. */
function Notes({ quote: { customerNotes = [] } }) {
  if (!customerNotes.length) return null;
  return html`<section class="card facts-card" aria-labelledby="quote-notes"><h2 id="quote-notes">${t("quotes.fromCustomer")}</h2>
    <dl>${customerNotes.map(({ kind, at, name, text }, index) => html`<div key=${index}><dt>${t(`quotesnote.${kind}`, { name })} · ${dateTime(new Date(at))}</dt>
      <dd class="note-text">${text}</dd></div>`)}</dl></section>`;
}

const COLUMNS = ["glass", "size", "quantity", "area", "each", "amount"];

/** What was offered: the rows with their prices, and the totals. On a phone a row is a card. */
function Lines({ quote: { _id: id, panes, price } }) {
  const printed = usePrinted(id);
  const cells = (pane, { area, total }) => [
    `${number(pane.dimensions?.width ?? 0)} × ${number(pane.dimensions?.height ?? 0)}`,
    number(pane.quantity ?? 1),
    area && money(area),
    money(total ?? 0),
    money((total ?? 0) * (pane.quantity ?? 1)),
  ];
  const title = (index) => t(`quotesline.${COLUMNS[index]}`);
  return html`<section class="card" aria-labelledby="quote-lines"><h2 id="quote-lines">${t("requests.panes")}</h2>
    <table class="quote-lines">
      <thead><tr>${COLUMNS.map((name, index) => html`<th scope="col" key=${name}>${title(index)}</th>`)}</tr></thead>
      <tbody>${panes.map((pane, index) => html`<tr key=${index}><th scope="row">${pane.mark && html`<b>${pane.mark}</b> · `}${printed?.[index]?.description || glassOf(pane)}
          ${pane.notes && html`<br /><small class="soft">${pane.notes}</small>`}<${Found} pane=${pane} /></th>
        ${cells(pane, price.panes[index]).map((one, at) => html`<td key=${at} data-title=${title(at + 1)}>${one}</td>`)}</tr>`)}</tbody>
      <tfoot>${totals(price).map(([name, amount]) => html`<tr key=${name}><th scope="row" colspan="5">${name}</th><td>${money(amount)}</td></tr>`)}</tfoot>
    </table></section>`;
}

/** The lines as they are printed in the language of the page, with all work on the glass; undefined before. */
function usePrinted(id) {
  const [lines, setLines] = useState();
  const language = lang.value;
  useEffect(() => {
    let isShown = true;
    api(`/quotes/${id}/lines?language=${language}`).then(
      ({ data }) => isShown && setLines(data),
      () => {}, // the glass of the quote is shown
    );
    return () => (isShown = false);
  }, [id, language]);
  return lines;
}

/** The limits that the panes of a line are beyond. */
function Found({ pane: { makeability = [] } }) {
  return makeability.length > 0 && html`<${Findings} findings=${makeability} />`;
}

function glassOf({ glassTypeLabel, rawGlass, glassType }) {
  const { glassType: own, color, thickness, sheetsPerPane } = rawGlass ?? {};
  const made = [own || glassType, color, thickness && `${thickness} mm`].filter(Boolean).join(" ");
  return [glassTypeLabel || made || "–", sheetsPerPane > 1 && `× ${sheetsPerPane}`].filter(Boolean).join(" ");
}
