// The confirmations of a request that were sent to its customer, and the button that sends one.
import { html, useEffect } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { date, t } from "../../../core/i18n.js";
import { joinRoom } from "../../../core/live.js";
import { may } from "../../../core/permissions.js";
import { idOf, withChange } from "../../../core/records.js";
import { RetryKey } from "../../../core/retry_key.js";
import { go } from "../../../core/router.js";
import { Table } from "../../../ui/table.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { ActionButton } from "../dialog_button.js";
import { OFFICE } from "../layout.js";
import { baht } from "../money.js";
import { language } from "../paper_fields.js";
import { isOpenRequest, QuoteStatus } from "../statuses.js";

const FIELDS = "quoteNumber,status,sentAt,amount,waits,answeredAt,acceptedName,version";

/** Nothing for a request without any, where none can be sent. */
export default function Confirmations({ request }) {
  const { _id: id } = request;
  useEffect(() => {
    joinRoom("pricing").catch(() => {}); // the list is read again when the page is opened
  }, []);
  const list = useResource(`confirmations of ${id}`, () => [
    async () => (await api(`/quotes?request=${id}&kind=confirmation&sort=-createdAt&limit=50&fields=${FIELDS}`)).data,
    {
      "quote:updated": (rows, payload) => {
        const isListed = rows.some(({ _id }) => _id === payload.data._id);
        if (isListed) return withChange(rows, payload);
        return payload.data.kind === "confirmation" && idOf(payload.data.request) === id ? undefined : rows;
      },
    },
  ]);
  const maySend = may("requests:manage") && isOpenRequest(request);
  if (!maySend && !list.value?.length) return null;
  return html`<section class="card confirmations" aria-labelledby="confirmations"><h2 id="confirmations">${t("confirmations.title")}</h2>
    <${Loaded} of=${list}>${() => list.value.length > 0 && html`<${Table} name="confirmations" label=${t("confirmations.title")} columns=${columns()} rows=${list.value}
      href=${({ _id }) => `${OFFICE}/quotes/${_id}`} />`}<//>
    ${maySend && html`<div class="form-buttons"><${Send} request=${request} /></div>`}</section>`;
}

// in the language of the page
const columns = () => [
  { name: "number", width: "170px", cell: ({ quoteNumber }) => html`<strong>${quoteNumber}</strong>` },
  { name: "state", width: "200px", cell: ({ status }) => html`<${QuoteStatus} status=${status} />` },
  { name: "sent", title: t("field.sentAt"), width: "140px", cell: ({ sentAt }) => sentAt && date(new Date(sentAt)) },
  {
    name: "amount",
    title: t("field.agreedPrice"),
    width: "140px",
    cell: ({ amount }) => baht(amount),
  },
  {
    name: "about",
    width: "2fr",
    title: t("confirmations.about"),
    cell: ({ waits, status, acceptedName }) =>
      [waits && status !== "accepted" && t("confirmations.waits"), acceptedName].filter(Boolean).join(" · "),
  },
];

function Send({ request }) {
  const retryKey = new RetryKey();
  const notes = { name: "notes", label: t("confirmations.notes"), kind: "textarea", rows: 2, wide: true };
  const send = async ({ notes: words, language: chosen }) => {
    const body = { request: request._id, ...(chosen && { language: chosen }), ...(words && { notes: words }) };
    const headers = { "Idempotency-Key": retryKey.of(body) };
    const { data } = await api("/quotes/confirmations", { method: "POST", body, headers });
    retryKey.answered();
    go(`${OFFICE}/quotes/${data._id}`);
  };
  return html`<${ActionButton} icon="receipt-text" label=${t("confirmations.send")} hint=${t("confirmations.sendHint")}
    record=${request} fields=${[language(), notes]} send=${send} />`;
}
