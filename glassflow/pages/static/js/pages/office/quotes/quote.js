// One quote: a draft in a form, or what was offered, and what can be done with it.
import { html, useEffect, useRef } from "../../../../vendor/ui.js";
import { styled } from "../../../core/api.js";
import { t } from "../../../core/i18n.js";
import { joinRoom } from "../../../core/live.js";
import { may } from "../../../core/permissions.js";
import { Lazy } from "../../../ui/lazy.js";
import { KnownRecordPage } from "../known_record.js";
import { checkRows } from "../pane_grid/setup.js";
import { changeBody, fieldsOf, toValues } from "./fields.js";
import { Standing } from "../standing/slot.js";
import { QuoteStatus } from "../statuses.js";

export const title = "quotes.one";
export const styles = [
  "ui/drawing",
  "ui/station_colors",
  "ui/grid",
  "pages/office/requests/requests",
  "pages/office/quotes/quotes",
  "pages/office/standing/standing",
];

const actions = () => import("./actions.js");
const rows = () => import("./rows.js");
const offer = () => import("./offer.js");
const forecast = () => import("../forecast/forecast.js").then(styled);
const isDraft = ({ status }) => status === "draft";
/** Whether it may become work; a confirmation is of work that is there. */
const isOffered = ({ kind, status }) => kind !== "confirmation" && ["draft", "sent"].includes(status);

export default function QuotePage({ id }) {
  const sent = useRef([]); // the keys of the rows that were sent
  useEffect(() => {
    joinRoom("pricing").catch(() => {}); // a change that is missed is found when the quote is saved
  }, []);
  return html`<${KnownRecordPage} section="quotes" resource="quotes" id=${id} event="quote:updated"
    populate="customer,revises,request,order,sentBy,answeredBy,overriddenBy" manage="requests:manage"
    nameOf=${({ quoteNumber }) => quoteNumber ?? t("quotes.one")} fields=${(quote) => fieldsOf(sent, quote)} toValues=${toValues} toBody=${changeBody(sent)} check=${checkRows(sent)} strict
    isClosed=${(quote) => !isDraft(quote)} canDelete=${isDraft}
    actions=${(quote, load) => html`<${QuoteStatus} status=${quote.status} /><${Lazy} load=${actions} quote=${quote} onStale=${load} />`}
    above=${({ _id }) => html`<${Standing} kind="quote" id=${_id} />`}
    below=${(quote, load) => html`<${Lazy} load=${offer} quote=${quote} />
      ${isOffered(quote) && may("orders:view") && html`<${Lazy} load=${forecast} path="/quotes" record=${quote} isFixed=${!isDraft(quote)} onStale=${load} />`}`}>
    ${(form) => form.values.status === "draft" && html`<${Lazy} load=${rows} id=${id} ...${form} sent=${sent} />`}<//>`;
}
