// What is known of a delivery besides its form: its hand-overs, and its panes; live.
import { html } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { Table } from "../../../ui/table.js";
import { Loaded } from "../../../ui/use_resource.js";
import { FactsCard } from "../facts_card.js";
import { Gallery } from "../gallery.js";
import { ORDERS, passportOf } from "../layout.js";
import { Empty, Station } from "../parts.js";
import { allOf, useChecklist } from "./checklist.js";
import { factsOf, HandOver, Left, Notes, TimeRemark } from "./hand_over.js";
import { countOf, PaneState, reasonOf } from "./status.js";
import { Undo } from "./undo.js";

const STATES = ["ready", "unfinished", "claimed", "lost", "delivered"];

export default function Contents({ delivery, onStale }) {
  const checklist = useChecklist(delivery._id);
  const handOvers = (delivery.handOvers ?? []).toReversed();
  const counting = handOvers.filter(({ undone }) => !undone);
  const undone = handOvers.filter((one) => one.undone);
  return html`<${Loaded} of=${checklist}>${() => html`<${Facts} delivery=${delivery} panes=${allOf(checklist.value)} counting=${counting} onStale=${onStale} />
    ${counting.length > 1 && counting.map((one) => html`<${HandOver} key=${one.number} handOver=${one} delivery=${delivery} panes=${checklist.value.panes}>
      <${Undo} delivery=${delivery} handOver=${one} onStale=${onStale} /><//>`)}
    <${Panes} checklist=${checklist.value} counting=${counting} />
    ${undone.map((one) => html`<${HandOver} key=${one.number} handOver=${one} delivery=${delivery} panes=${[]} />`)}`}<//>`;
}

/** The state of a delivery, with its hand-over where there is one: several have cards of their own. */
function Facts({ delivery, panes, counting, onStale }) {
  const orders = new Map(panes.filter(({ order }) => order).map(({ order, orderNumber }) => [order, orderNumber]));
  const links = [...orders].map(([order, name]) => html`<a key=${order} href=${`${ORDERS}/${order}`}>${name}</a>`);
  const only = counting.length === 1 ? counting[0] : null;
  const facts = [
    [t("field.panes"), countOf(delivery)],
    [t("office.orders"), links.length > 0 && html`<span class="order-links">${links}</span>`],
    ...(only ? factsOf(only) : []),
  ];
  return html`<${FactsCard} id="delivery-facts" title=${t("quotes.now")} facts=${facts}>
    ${only && html`<${TimeRemark} ...${only} /><${Gallery} photos=${only.photos} /><${Left} rows=${only.left} />`}
    ${counting.length < 2 && html`<div class="form-buttons"><${Notes} delivery=${delivery} handOver=${only} />
      ${only && html`<${Undo} delivery=${delivery} handOver=${only} isOnly onStale=${onStale} />`}</div>`}<//>`;
}

/** The panes by what they are; those that came back and wait come first once it was handed over. */
function Panes({ checklist: { status, panes, missingPanes }, counting }) {
  const groups =
    status === "planned"
      ? STATES.map((state) => [state, panes.filter((one) => one.state === state)])
      : [
          ["missing", missingPanes],
          ["handedOver", panes],
        ];
  return html`<section class="card" aria-labelledby="delivery-panes"><h2 id="delivery-panes">${t("field.panes")}</h2>
    ${panes.length + missingPanes.length === 0 && html`<${NoPanes} status=${status} />`}
    ${groups.filter(([, rows]) => rows.length).map(([name, rows]) => html`<section class="group" key=${name}>
      <h3>${t(`deliverygroup.${name}`)} <b>${number(rows.length)}</b></h3>
      <${Table} name="delivery-panes" label=${t(`deliverygroup.${name}`)} columns=${columns(name, counting)} rows=${rows}
        href=${({ paneNumber }) => passportOf(paneNumber)} /></section>`)}</section>`;
}

const NoPanes = ({ status }) =>
  status === "planned"
    ? html`<${Empty} icon="layers" title=${t("delivery.empty")} hint=${t("delivery.emptyHint")} />`
    : html`<p class="soft">${t("delivery.noneWaits")}</p>`;

/** The tables of all groups have the same columns. */
function columns(group, counting) {
  const more =
    { missing: ({ reason }) => reasonOf(reason), handedOver: givenWith(counting) }[group] ?? (() => undefined);
  return [
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
    {
      name: "glass",
      title: t("panes.glass"),
      width: "2fr",
      cell: ({ mark, glass }) => [mark, glass].filter(Boolean).join(" · "),
    },
    { name: "size", title: t("field.dimensions"), width: "170px", cell: sizeOf },
    {
      name: "state",
      title: t("field.status"),
      width: "260px",
      cell: (pane) => html`${stateOf(pane)}${more(pane) && html` <span class="soft">· ${more(pane)}</span>`}`,
    },
  ];
}

const stateOf = (pane) =>
  pane.state === "unfinished" && pane.station
    ? html`<${Station} station=${pane.station} />`
    : html`<${PaneState} pane=${pane} />`;

/** A function that tells with which of several hand-overs a pane was given. */
function givenWith(counting) {
  if (counting.length < 2) return () => undefined;
  const found = new Map(counting.flatMap(({ number: of, panes }) => panes.map((id) => [id, of])));
  return ({ _id }) => found.has(_id) && t("delivery.handOverNumber", { number: number(found.get(_id)) });
}

const sizeOf = ({ width, height }) => width > 0 && t("office.mm", { size: `${number(width)} × ${number(height)}` });
