// The offer of a quote, which its customer opens by a link, without a login. The address has
// the id of the quote and the secret of the link after the "#", which no server is sent.
import { html, useEffect, useLayoutEffect, useState } from "../../../vendor/ui.js";
import { Refused, request } from "../../core/api.js";
import { changeLanguage, format, number, t } from "../../core/i18n.js";
import { showLang } from "../../core/preferences.js";
import { Fault } from "../../ui/fault.js";
import { download, fetchPublicFile } from "../../ui/files.js";
import { money } from "../../ui/money.js";
import "../../ui/page_icons.js";
import { Brand, Icon, Switches } from "../../ui/parts.js";
import { Accept } from "./accept.js";
import { wordsOf } from "./words.js";

export const title = "offer.title";
export const styles = ["pages/offer/offer"];
export const bare = true;

const ADDRESS = /^#([0-9a-f]{24})\.([\w-]+)$/;
const SIGNS = { accepted: "circle-check", rejected: "ban", expired: "clock", superseded: "history" };

/** The path of the API and the headers that a link leads to, or null. */
export function linkOf(hash) {
  const [, id, secret] = ADDRESS.exec(hash) ?? [];
  return secret ? { path: `/api/offers/${id}`, headers: { "X-Offer-Secret": secret } } : null;
}

/** A day of the API, whatever the time zone of the device. */
const day = (iso) => format(Date.parse(iso), { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

export default function Offer() {
  const [link, setLink] = useState(() => linkOf(location.hash));
  const [{ offer, error, isDone }, setState] = useState({});
  // not `useEffect`, which waits for the next frame: the address may change before it
  useLayoutEffect(() => {
    const follow = () => setLink(linkOf(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  const load = async () => {
    if (!link) return setState({});
    try {
      const { data } = await request(link.path, { headers: link.headers });
      if (offer?.number !== data.number) await changeLanguage(data.language, showLang).catch(console.warn);
      setState({ offer: data });
    } catch (failure) {
      setState({ error: failure });
    }
  };
  useEffect(() => void load(), [link]);
  const refuse = (failure) => {
    if (failure.code === "QUOTE_EXPIRED") setState({ offer: { ...offer, status: "expired" } });
    else load();
  };
  if (!link || isGone(error)) return html`<${Window}><${Gone} /><//>`;
  if (error)
    return html`<${Window}><${Fault} text=${wordsOf(error)} requestId=${error.requestId} action=${t("fault.again")} onAgain=${load} /><//>`;
  if (!offer) return html`<${Window}><p class="starting" role="status">${t("app.starting")}</p><//>`;
  return html`<${Window} name=${offer.seller}><main>
    <h1 tabindex="-1">${t("offer.number", { number: offer.number })}</h1>
    <div role="status">${offer.status !== "sent" && html`<p class="state" data-status=${offer.status}>
      <${Icon} name=${SIGNS[offer.status]} /><span>${isDone ? t("offer.thanks") : t(`offerstate.${offer.status}`, { day: offer.answeredOn && day(offer.answeredOn) })}</span></p>`}</div>
    <${Facts} offer=${offer} />
    <${Lines} offer=${offer} />
    <${Words} offer=${offer} />
    <${Pdf} link=${link} />
    ${offer.status === "sent" && html`<${Accept} link=${link} onAccepted=${(data) => setState({ offer: data, isDone: true })} onRefused=${refuse} />`}
  </main><//>`;
}

const isGone = (error) => error instanceof Refused && error.status === 404;

function Window({ name, children }) {
  return html`<div class="offer">
    <header>${name ? html`<p class="seller">${name}</p>` : html`<${Brand} />`}<${Switches} /></header>
    ${children}</div>`;
}

function Gone() {
  return html`<main class="message gone"><${Icon} name="ban" />
    <h1 tabindex="-1">${t("offer.gone")}</h1><p>${t("offer.goneHint")}</p></main>`;
}

function Facts({ offer }) {
  const facts = [
    ["buyer", offer.buyer],
    ["date", day(offer.date)],
    ["validUntil", offer.validUntil && day(offer.validUntil)],
    ["leadTime", offer.leadTime],
    ["preparedBy", offer.preparedBy],
  ];
  return html`<section class="card" aria-label=${t("offer.title")}><dl>${facts
    .filter(([, value]) => value)
    .map(([name, value]) => html`<dt key=${name}>${t(`offerfact.${name}`)}</dt><dd>${value}</dd>`)}</dl></section>`;
}

const COLUMNS = ["item", "size", "quantity", "unitPrice", "amount"];

/** A table; on a phone its rows are cards, whose cells show the names of their columns. */
function Lines({ offer }) {
  return html`<section class="card" aria-labelledby="lines"><h2 id="lines">${t("offer.lines")}</h2>
    <table aria-labelledby="lines">
      <thead><tr>${COLUMNS.map((name) => html`<th scope="col" key=${name}>${t(`offercolumn.${name}`)}</th>`)}</tr></thead>
      <tbody>${offer.lines.map((line, index) => html`<tr key=${index}>
        <th scope="row">${line.description || "–"}${line.remark && html`<small class="soft">${line.remark}</small>`}</th>
        ${cells(line).map(([name, value]) => html`<td key=${name} data-column=${t(`offercolumn.${name}`)}>${value}</td>`)}</tr>`)}</tbody>
    </table>
    <dl class="totals">${totals(offer).map(([name, amount]) => html`<dt key=${name}>${name}</dt><dd>${money(amount)}</dd>`)}</dl>
  </section>`;
}

const cells = ({ width, height, quantity, unitPrice, amount }) => [
  ["size", width && height ? `${number(width)} × ${number(height)}` : "–"],
  ["quantity", number(quantity)],
  ["unitPrice", money(unitPrice)],
  ["amount", money(amount)],
];

/** The sums, and the other amounts unless they are 0. */
function totals(offer) {
  const parts = [
    [t("offertotal.subtotal"), offer.subtotal, true],
    [t("offertotal.rush"), offer.rush],
    [t("offertotal.discount", { percent: number(offer.discountPercent) }), -offer.discount],
    [t("offertotal.minimum"), offer.minimum],
    [t("offertotal.net"), offer.net, true],
    [t("offertotal.vat", { percent: number(offer.vatPercent) }), offer.vat],
    [t("offertotal.gross"), offer.gross, true],
  ];
  return parts.filter(([, amount, isSum]) => isSum || Number(amount));
}

/** The texts of the workshop, with their line breaks. */
function Words({ offer }) {
  return ["notes", "conditions"]
    .filter((name) => offer[name])
    .map(
      (name) => html`<section class="card" key=${name} aria-labelledby=${name}>
      <h2 id=${name}>${t(`offertext.${name}`)}</h2><p class="words">${offer[name]}</p></section>`,
    );
}

function Pdf({ link: { path, headers } }) {
  const [{ making, error }, setState] = useState({});
  const get = async () => {
    setState({ making: true });
    try {
      const { blob, name } = await fetchPublicFile(`${path}/pdf`, headers);
      download(blob, name);
      setState({});
    } catch (failure) {
      setState({ error: failure });
    }
  };
  return html`<div><button type="button" class="quiet-button" disabled=${making} onClick=${get}>
      <${Icon} name=${making ? "hourglass" : "download"} />${t("offer.pdf")}</button>
    <div role="alert">${error && html`<p class="fault"><${Icon} name="circle-alert" /><span>${isGone(error) ? t("offer.gone") : wordsOf(error)}</span></p>`}</div></div>`;
}
