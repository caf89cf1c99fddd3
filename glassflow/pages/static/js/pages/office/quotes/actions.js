// What can be done with a quote: send it, mail it, record the answer, revise, copy and print it.
import { html } from "../../../../vendor/ui.js";
import { api, serviceTime } from "../../../core/api.js";
import { number, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { idOf } from "../../../core/records.js";
import { go } from "../../../core/router.js";
import { stations } from "../../../core/stations.js";
import { readDraft } from "../../../ui/form.js";
import { Icon } from "../../../ui/parts.js";
import { useResource } from "../../../ui/use_resource.js";
import { actOn } from "../act_on.js";
import { ActionButton } from "../dialog_button.js";
import { stationsOf } from "../kinds.js";
import { OFFICE, REQUESTS } from "../layout.js";
import { baht } from "../money.js";
import { LANGUAGES } from "../paper_fields.js";
import { PdfButton } from "../pdf_button.js";
import { worker } from "../request_fields.js";
import { placeOf } from "../pane_grid/pane_faults.js";
import { MATERIALS } from "../order_fields.js";
import { CustomerLink } from "./link.js";
import { MailButton } from "./mail.js";

const OPEN = ["sent", "expired"];
const REVISABLE = [...OPEN, "rejected", "superseded"];

export const countOf = ({ panes }) => panes.reduce((sum, { quantity }) => sum + (quantity ?? 1), 0);

export default function Actions({ quote, onStale }) {
  const { _id: id, status } = quote;
  const manages = may("requests:manage");
  const isConfirmation = quote.kind === "confirmation";
  const shared = { quote, onStale };
  return html`${manages && status === "draft" && html`<${Send} ...${shared} />`}
    ${manages && html`<${CustomerLink} ...${shared} />`}
    ${manages && status === "sent" && html`<${MailButton} quote=${quote} send=${(body) => act(quote, "mail", body, onStale)} />`}
    ${manages && OPEN.includes(status) && html`<${isConfirmation ? Confirm : Accept} ...${shared} /><${Reject} ...${shared} />`}
    ${manages && !isConfirmation && REVISABLE.includes(status) && html`<${Revise} ...${shared} />`}
    ${quote.price.isComplete && quote.panes.length > 0 && LANGUAGES.map((one) => html`<${PdfButton} key=${one} path=${`/quotes/${id}/pdf?language=${one}`} label=${t(`quotespdf.${one}`)} />`)}
    ${manages && !isConfirmation && html`<a class="quiet-button" href=${`${OFFICE}/quotes/new?copy=${id}`}><${Icon} name="copy" />${t("quotes.copy")}</a>`}`;
}

/** Do something with the quote that is shown. */
const act = (quote, action, body, onStale) =>
  actOn("/quotes", quote, { action, body, records: countOf(quote), onStale });

function Send({ quote, onStale }) {
  const refused = quote.panes.some(({ makeability = [] }) => makeability.some(({ level }) => level === "refusal"));
  const reason = {
    name: "overrideReason",
    label: t("quotes.overrideReason"),
    hint: t("quotes.overrideHint"),
    kind: "textarea",
    rows: 2,
    wide: true,
  };
  return html`<${ActionButton} icon="arrow-right" label=${t("quotes.send")} hint=${t("quotes.sendHint")} about=${html`<${WhatIsSent} quote=${quote} />`} isMain record=${quote}
    fields=${refused ? [reason] : []} placeOf=${placeOf} send=${(values) => act(quote, "send", values, onStale)} />`;
}

/** What is sent, as the dialog opens: what was typed since it was saved is not. */
function WhatIsSent({ quote }) {
  const workshop = useResource("workshop", () => [async () => (await api("/workshop")).data, {}]).value;
  const warnings = [
    isOverdue(quote) && t("quotes.deadlineOver"),
    readDraft(`/quotes/${quote._id}`) && t("quotes.unsaved"),
    quote.price.isExample && t("requests.examplePrices"),
    workshop && isUnnamed(workshop) && t("quotes.unnamed", { name: workshop.name }),
  ];
  return html`<p><strong>${t("quotes.sends", { count: number(countOf(quote)), amount: baht(quote.price.totalWithVat) })}</strong></p>
    ${warnings.filter(Boolean).map((text) => html`<p class="status-line" key=${text}><${Icon} name="triangle-alert" /> ${text}</p>`)}`;
}

/** Whether papers have the name of a new store, or no address. */
const isUnnamed = ({ name, address }) => name === "glassflow" || !address;

/** Whether the panes would be late at once. */
const isOverdue = ({ deadline }) => deadline && Date.parse(deadline) < serviceTime();

function Accept({ quote, onStale }) {
  const orders = may("orders:manage") && may("materials:view");
  const fields = [
    { name: "referenceId", label: t("field.referenceId") },
    { name: "deadline", label: t("field.deadline"), kind: "moment" },
    ...(orders ? [{ name: "hasOrder", label: t("quotes.withOrder"), kind: "checkbox" }] : []),
    ...ofOrder(),
  ];
  const send = async ({ referenceId, deadline, hasOrder, material, assignedTo }) => {
    const order = hasOrder && { material: material ?? "", stations: routeOf(quote), ...(assignedTo && { assignedTo }) };
    const body = { ...(referenceId && { referenceId }), ...(deadline && { deadline }), ...(order && { order }) };
    const { request } = await act(quote, "accept", body, onStale);
    go(`${REQUESTS}/${request}`);
  };
  return html`<${ActionButton} icon="circle-check" label=${t("quotes.accept")} hint=${t("quotes.acceptHint", { count: number(countOf(quote)) })} about=${isOverdue(quote) && html`<p class="status-line"><${Icon} name="triangle-alert" /> ${t("quotes.deadlineOver")}</p>`}
    record=${quote} records=${countOf(quote)} fields=${fields} send=${send} />`;
}

function Confirm({ quote, onStale }) {
  const send = async () => {
    const { request } = await act(quote, "accept", {}, onStale);
    go(`${REQUESTS}/${idOf(request)}`);
  };
  return html`<${ActionButton} icon="circle-check" label=${t("confirmations.confirmed")} record=${quote} records=${countOf(quote)}
    hint=${t(quote.waits ? "confirmations.confirmedHint" : "confirmations.notedHint")} send=${send} />`;
}

/** The fields of the order, whose faults the API has at "order.material". */
function ofOrder() {
  const isShown = ({ hasOrder }) => hasOrder;
  const material = { name: "material", label: t("field.material"), kind: "reference", required: true, ...MATERIALS };
  return [material, worker("assignedTo", t("field.assignedTo"))].map((field) => ({ ...field, isShown }));
}

/** The stations of all routes of the panes. */
const routeOf = ({ panes }) =>
  stationsOf(
    [{ routes: panes.map(({ routing = [] }) => routing).filter(({ length }) => length) }],
    stations().map(({ _id }) => _id),
  );

function Reject({ quote, onStale }) {
  const reason = { name: "reason", label: t("field.rejectReason"), kind: "textarea", rows: 2, wide: true };
  return html`<${ActionButton} icon="ban" label=${t("quotes.reject")} hint=${t("quotes.rejectHint")} isDanger record=${quote}
    fields=${[reason]} send=${(values) => act(quote, "reject", values, onStale)} />`;
}

function Revise({ quote, onStale }) {
  const send = async () => go(`${OFFICE}/quotes/${(await act(quote, "revise", {}, onStale))._id}`);
  return html`<${ActionButton} icon="pencil" label=${t("quotes.revise")} hint=${t("quotes.reviseHint")} isMain=${quote.status === "expired"} record=${quote} send=${send} />`;
}
