// The offer of a quote, which its customer opens by a link, without a login. The address has
// the id of the quote and the secret of the link after the "#", which no server is sent.
import { html, useEffect, useLayoutEffect, useMemo, useState } from "../../../vendor/ui.js";
import { Refused, request } from "../../core/api.js";
import { changeLanguage, format, number, t } from "../../core/i18n.js";
import { lang, showLang } from "../../core/preferences.js";
import { Fault } from "../../ui/fault.js";
import { download, fetchPublicFile } from "../../ui/files.js";
import { money } from "../../ui/money.js";
import "../../ui/page_icons.js";
import { Brand, Icon, Switches } from "../../ui/parts.js";
import { AnswerForm, State, wordsFor, wordsOf } from "./answer.js";

export const title = "offer.title";
export const styles = ["pages/offer/offer"];
export const bare = true;

const ADDRESS = /^#([0-9a-f]{24})\.([\w-]+)$/;

/** The path of the API and the headers that a link leads to, or null. */
export function linkOf(hash) {
  const [, id, secret] = ADDRESS.exec(hash) ?? [];
  return secret ? { path: `/api/offers/${id}`, headers: { "X-Offer-Secret": secret } } : null;
}

/** A day of the API, whatever the time zone of the device. */
const day = (iso) => format(Date.parse(iso), { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

export default function Offer() {
  const [hash, setHash] = useState(location.hash);
  // not `useEffect`, which waits for the next frame: the address may change before it
  useLayoutEffect(() => {
    const follow = () => setHash(location.hash);
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  const link = useMemo(() => linkOf(hash), [hash]);
  return link ? html`<${Linked} key=${hash} link=${link} />` : html`<${Window}><${Gone} /><//>`;
}

/** The offer of a link; `done` is what came of an answer that was given here, an action or "refused". */
function Linked({ link }) {
  const [{ offer, error, done }, setState] = useState({});
  /** Ask for the offer, in its own language unless told otherwise. */
  const load = async (language = "", isRefused = false) => {
    try {
      const { data } = await request(`${link.path}${language && `?language=${language}`}`, { headers: link.headers });
      if (!language) await changeLanguage(data.language, showLang).catch(console.warn);
      setState((state) => ({ offer: data, done: isRefused ? "refused" : state.done }));
    } catch (failure) {
      console.warn(failure);
      setState((state) => (state.offer && !isGone(failure) ? state : { error: failure }));
    }
  };
  useEffect(() => void load(), []);
  // the glass, the work on it and the conditions are texts of the service
  useEffect(() => void (offer && offer.language !== lang.value && load(lang.value)), [lang.value, offer]);
  const onAnswered = (action, { status, answeredOn, changesAsked }) =>
    setState({ offer: { ...offer, status, answeredOn, changesAsked }, done: action });
  const onRefused = async ({ code }) => {
    if (code === "QUOTE_EXPIRED") setState({ offer: { ...offer, status: "expired" }, done: "refused" });
    else await load(lang.value, true);
  };
  if (isGone(error)) return html`<${Window}><${Gone} /><//>`;
  if (error)
    return html`<${Window}><${Fault} text=${wordsOf(error)} requestId=${error.requestId} action=${t("fault.again")} onAgain=${() => load()} /><//>`;
  if (!offer) return html`<${Window}><p class="starting" role="status">${t("app.starting")}</p><//>`;
  const isOpen = offer.status === "sent";
  return html`<${Window} name=${offer.seller}><main>
    <h1 tabindex="-1">${wordsFor(offer)("offer.number", { number: offer.number })}</h1>
    ${!isOpen && !done && html`<${Standing} offer=${offer} />`}
    <${Facts} offer=${offer} />
    <${Lines} offer=${offer} />
    <${Changes} changes=${offer.changes} />
    <${Words} offer=${offer} />
    <${ChangesAsked} changes=${offer.changesAsked} />
    <${Pdf} link=${link} />
    ${done && (!isOpen || done === "change") && html`<${Standing} key=${done} offer=${offer} done=${done} onBack=${() => setState({ offer })} />`}
    ${isOpen && done !== "change" && html`<${AnswerForm} link=${link} kind=${offer.kind} say=${wordsFor(offer)} onAnswered=${onAnswered} onRefused=${onRefused} />`}
  </main><//>`;
}

/** Where the offer stands; what an answer has brought stands in the place of the form. */
function Standing({ offer, done, onBack }) {
  const { status, answeredOn } = offer;
  const say = wordsFor(offer);
  const isAnswer = done && done !== "refused";
  const isChange = done === "change";
  const name = isChange ? "asked" : status;
  const title = isAnswer
    ? say(`offerdone.${done}`)
    : say(`offerstate.${status}`, { day: answeredOn && day(answeredOn) });
  const words = [done === "refused" && t("offer.notRecorded"), say(`offernext.${name}`)];
  return html`<${State} name=${name} title=${title} words=${words} isFocused=${Boolean(done)}>
    ${isChange && html`<button type="button" class="quiet-button" onClick=${onBack}><${Icon} name="undo-2" />${t("offerchoose.accept")}</button>`}<//>`;
}

/** What has changed since the quote, of a confirmation. */
function Changes({ changes }) {
  if (!changes.length) return null;
  const signed = (amount) => `${Number(amount) < 0 ? "" : "+"}${money(amount)}`;
  return html`<section class="card" aria-labelledby="changed"><h2 id="changed">${t("offer.changed")}</h2>
    ${changes.map(({ on, reason, difference, waits, lines }, index) => html`<div class="changed" key=${index}>
      <p><span>${[day(on), reason].filter(Boolean).join(" · ")}</span><b>${signed(difference)}</b></p>
      ${waits && html`<p class="waits"><${Icon} name="hourglass" /> ${t("offer.waits")}</p>`}
      <ul>${lines.map((line, at) => html`<li key=${at}><span>${line.words}</span>${Number(line.difference) !== 0 && html`<span>${signed(line.difference)}</span>`}</li>`)}</ul></div>`)}</section>`;
}

/** The changes that were asked for by the link. */
function ChangesAsked({ changes }) {
  return (
    changes.length > 0 &&
    html`<section class="card" aria-labelledby="changes"><h2 id="changes">${t("offer.changes")}</h2>
    ${changes.map(({ on, name, text }, index) => html`<p key=${index}><span class="soft">${day(on)} · ${name}</span><br /><span class="words">${text}</span></p>`)}</section>`
  );
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
    ["validUntil", offer.kind === "quote" && offer.validUntil && day(offer.validUntil)],
    ["leadTime", offer.leadTime],
    ["expectedDelivery", offer.expectedDelivery && day(offer.expectedDelivery)],
    ["preparedBy", offer.preparedBy],
  ];
  return html`<section class="card" aria-label=${t("offer.title")}><dl>${facts
    .filter(([, value]) => value)
    .map(([name, value]) => html`<dt key=${name}>${t(`offerfact.${name}`)}</dt><dd>${value}</dd>`)}</dl></section>`;
}

const COLUMNS = ["item", "size", "quantity", "unitPrice", "amount"];

/** A table; on a phone its rows are cards, whose cells show the names of their columns. */
function Lines({ offer }) {
  return html`<section class="card" aria-labelledby="lines"><h2 id="lines">${wordsFor(offer)("offer.lines")}</h2>
    <table aria-labelledby="lines">
      <thead><tr>${COLUMNS.map((name) => html`<th scope="col" key=${name}>${t(`offercolumn.${name}`)}</th>`)}</tr></thead>
      <tbody>${offer.lines.map((line, index) => html`<tr key=${index}>
        <th scope="row"><b>${line.mark}</b> ${line.description || "–"}${line.remark && html`<small class="soft">${line.remark}</small>`}</th>
        ${cells(line).map(([name, value]) => html`<td key=${name} data-column=${t(`offercolumn.${name}`)}>${value}</td>`)}</tr>`)}</tbody>
    </table>
    <dl class="totals">${totals(offer).map(([name, amount, kind]) => html`<dt key=${name} class=${kind}>${name}</dt><dd class=${kind}>${money(amount)}</dd>`)}</dl>
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
    [t("offertotal.subtotal"), offer.subtotal, "sum"],
    [t("offertotal.rush"), offer.rush],
    [t("offertotal.discount", { percent: number(offer.discountPercent) }), -offer.discount],
    [t("offertotal.minimum"), offer.minimum],
    [t("offertotal.net"), offer.net, "sum"],
    [t("offertotal.vat", { percent: number(offer.vatPercent) }), offer.vat],
    [t("offertotal.gross"), offer.gross, "gross"],
    [t("offertotal.deposit", { percent: number(offer.depositPercent) }), offer.deposit],
  ];
  return parts.filter(([, amount, kind]) => kind || Number(amount));
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
      const { blob, name } = await fetchPublicFile(`${path}/pdf?language=${lang.value}`, headers);
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
