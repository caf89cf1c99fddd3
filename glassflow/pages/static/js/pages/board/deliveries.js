// The deliveries of today on the board: how much of each is ready, and what it lacks or came back.
import { html } from "../../../vendor/ui.js";
import { number, t } from "../../core/i18n.js";
import { Icon } from "../../ui/parts.js";
import { inTurn } from "./foot.js";
import { board } from "./source.js";

const AT_ONCE = 3;
const ORDER = ["planned", "returned", "partly", "delivered"];
const SIGNS = { returned: "undo-2", partly: "circle-alert", delivered: "circle-check" };

/** With panes that wait it is handed over in part. */
const stateOf = ({ status, missing }) => (status === "delivered" && missing > 0 ? "partly" : status);

export default function Deliveries({ now }) {
  const all = board.deliveries.value;
  const sorted = ORDER.flatMap((state) => all.filter((one) => stateOf(one) === state));
  const rows = inTurn(sorted, AT_ONCE, now);
  const count = (state) => all.filter((one) => stateOf(one) === state).length;
  return html`<section class="lane deliveries" data-empty=${count("planned") ? null : ""}>
    <h2><span>${t("board.deliveries")}</span>
      <small>${t("board.deliveredOf", { done: number(count("delivered")), count: number(all.length) })}</small></h2>
    <ul style=${{ "--rows": rows.length }}>${rows.map((one) => html`<${Delivery} key=${one._id} delivery=${one} />`)}</ul>
  </section>`;
}

function Delivery({ delivery }) {
  const { recipient, deliveryNumber, paneCount, missing, loaded, lacking } = delivery;
  const state = stateOf(delivery);
  const of = (done, count) => t("board.readyOf", { done: number(done), count: number(count) });
  const parts =
    state === "planned"
      ? [
          loaded > 0 && t("board.loaded", { count: number(loaded) }),
          lacking.length > 0 && html`<b class="over">${t("board.lacking", { count: number(lacking.length) })}</b>`,
        ]
      : [state === "returned" && t("board.returned")];
  const count =
    state === "planned" ? of(paneCount - lacking.length, paneCount) : of(paneCount, paneCount + (missing ?? 0));
  return html`<li data-status=${state}>
    <b>${recipient || deliveryNumber}</b>
    <span>${SIGNS[state] && html`<${Icon} name=${SIGNS[state]} />`}${count}</span>
    ${parts.filter(Boolean).map((part, index) => html`<small key=${index}>${part}</small>`)}</li>`;
}
