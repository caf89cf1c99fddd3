// What is known of a delivery besides its form: what came of it, and its panes; live.
import { html } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { dateTime, number, t } from "../../../core/i18n.js";
import { Table } from "../../../ui/table.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { FactsCard } from "../facts_card.js";
import { Gallery } from "../gallery.js";
import { ORDERS, passportOf } from "../layout.js";
import { LANGUAGES } from "../paper_fields.js";
import { Empty, Station } from "../parts.js";
import { PdfButton } from "../pdf_button.js";
import { countOf, PaneState } from "./status.js";

const STATES = ["ready", "unfinished", "claimed", "lost", "delivered"];

export default function Contents({ delivery }) {
  const id = delivery._id;
  const checklist = useResource(`checklist ${id}`, () => [
    async () => (await api(`/deliveries/${id}/checklist`)).data,
    {
      "delivery:updated": (value, { data }) => (data._id === id ? undefined : value),
      "pane:updated": (value, { data }) => (allOf(value).some(({ _id }) => _id === data._id) ? undefined : value),
    },
  ]);
  return html`<${Loaded} of=${checklist}>${() => html`<${Facts} delivery=${delivery} panes=${allOf(checklist.value)} />
    <${Panes} checklist=${checklist.value} />
    ${delivery.undoneHandOvers?.map((one, index) => html`<${Undone} key=${one.undoneAt} id=${`undone-${index}`} ...${one} />`)}`}<//>`;
}

const allOf = ({ panes, missingPanes }) => [...panes, ...missingPanes];

function Facts({ delivery, panes }) {
  const { deliveredAt, deliveredBy, receivedBy, remark, signature, photos } = delivery;
  const orders = new Map(panes.filter(({ order }) => order).map(({ order, orderNumber }) => [order, orderNumber]));
  const links = [...orders].map(([order, name]) => html`<a key=${order} href=${`${ORDERS}/${order}`}>${name}</a>`);
  const facts = [
    [t("field.panes"), countOf(delivery)],
    [t("office.orders"), links.length > 0 && html`<span class="order-links">${links}</span>`],
    [t("field.deliveredAt"), deliveredAt && dateTime(new Date(deliveredAt))],
    [t("field.deliveredBy"), deliveredBy?.name],
    [t("field.receivedBy"), receivedBy],
    [t("field.remark"), remark],
    [t("field.signature"), signature && html`<${Signature} signature=${signature} name=${receivedBy} />`],
  ];
  return html`<${FactsCard} id="delivery-facts" title=${t("quotes.now")} facts=${facts}><${Gallery} photos=${photos} />
    <div class="form-buttons">${LANGUAGES.map((one) => html`<${PdfButton} key=${one} path=${`/deliveries/${delivery._id}/pdf?language=${one}`} label=${t(`deliverynote.${one}`)} />`)}</div><//>`;
}

/** A hand-over that was undone: what was recorded, and why it does not count. */
function Undone({ id, deliveredAt, deliveredBy, receivedBy, remark, signature, photos, undoneAt, undoneBy, reason }) {
  const at = (time) => dateTime(new Date(time));
  const facts = [
    [t("delivery.undoReason"), reason],
    [t("delivery.undoneBy"), `${undoneBy}, ${at(undoneAt)}`],
    [t("field.deliveredBy"), [deliveredBy, at(deliveredAt)].filter(Boolean).join(", ")],
    [t("field.receivedBy"), receivedBy],
    [t("field.remark"), remark],
    [t("field.signature"), signature && html`<${Signature} signature=${signature} name=${receivedBy} />`],
  ];
  return html`<${FactsCard} id=${id} title=${t("delivery.undone")} facts=${facts}><${Gallery} photos=${photos} /><//>`;
}

const Signature = ({ signature, name }) =>
  html`<img class="signature" src=${signature} alt=${t("delivery.signatureOf", { name })} />`;

/** The panes by what they are; those that were not handed over come last. */
function Panes({ checklist: { status, panes, missingPanes } }) {
  const groups =
    status === "planned"
      ? STATES.map((state) => [state, panes.filter((one) => one.state === state)])
      : [
          ["handedOver", panes],
          ["missing", missingPanes],
        ];
  return html`<section class="card" aria-labelledby="delivery-panes"><h2 id="delivery-panes">${t("field.panes")}</h2>
    ${panes.length + missingPanes.length === 0 && html`<${Empty} icon="layers" title=${t("delivery.empty")} hint=${t("delivery.emptyHint")} />`}
    ${groups.filter(([, rows]) => rows.length).map(([name, rows]) => html`<section class="group" key=${name}>
      <h3>${t(`deliverygroup.${name}`)} <b>${number(rows.length)}</b></h3>
      <${Table} name="delivery-panes" label=${t(`deliverygroup.${name}`)} columns=${columns(name)} rows=${rows}
        href=${({ paneNumber }) => passportOf(paneNumber)} /></section>`)}</section>`;
}

function columns(group) {
  const all = [
    {
      name: "number",
      title: t("field.pane"),
      width: "170px",
      cell: ({ paneNumber }) => html`<strong>${paneNumber}</strong>`,
    },
    {
      name: "order",
      title: t("field.order"),
      width: "2fr",
      cell: ({ orderNumber, referenceId }) => [orderNumber, referenceId].filter(Boolean).join(" · "),
    },
    { name: "glass", title: t("panes.glass"), width: "2fr", cell: ({ glass }) => glass },
    { name: "size", title: t("field.dimensions"), width: "170px", cell: sizeOf },
    {
      name: "state",
      title: t("field.status"),
      width: "190px",
      cell: (pane) =>
        pane.state === "unfinished" && pane.station
          ? html`<${Station} station=${pane.station} />`
          : html`<${PaneState} pane=${pane} />`,
    },
  ];
  return group === "handedOver" ? all.slice(0, -1) : all;
}

const sizeOf = ({ width, height }) => width > 0 && t("office.mm", { size: `${number(width)} × ${number(height)}` });
