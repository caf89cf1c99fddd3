// The deliveries of today on the board: how much of each is ready, and what it lacks.
import { html } from "../../../vendor/ui.js";
import { number, t } from "../../core/i18n.js";
import { Icon } from "../../ui/parts.js";
import { inTurn } from "./foot.js";
import { board } from "./source.js";

const AT_ONCE = 6;

export default function Deliveries({ now }) {
  const all = board.deliveries.value;
  const open = all.filter(({ status }) => status === "planned");
  const done = all.filter((one) => !open.includes(one));
  return html`<section class="lane deliveries" data-empty=${open.length ? null : ""}>
    <h2><span>${t("board.deliveries")}</span>
      <small>${t("board.deliveredOf", { done: number(done.length), count: number(all.length) })}</small></h2>
    <ul>${inTurn([...open, ...done], AT_ONCE, now).map((one) => html`<${Delivery} key=${one._id} delivery=${one} />`)}</ul>
  </section>`;
}

function Delivery({ delivery: { recipient, deliveryNumber, status, paneCount, loaded, lacking } }) {
  const parts =
    status === "planned"
      ? [
          loaded > 0 && t("board.loaded", { count: number(loaded) }),
          lacking.length > 0 && html`<b class="over">${t("board.lacking", { count: number(lacking.length) })}</b>`,
        ]
      : [];
  return html`<li data-status=${status}>
    <b>${recipient || deliveryNumber}</b>
    <span>${status === "planned" ? "" : html`<${Icon} name="circle-check" />`}${t("board.readyOf", {
      done: number(paneCount - lacking.length),
      count: number(paneCount),
    })}</span>
    ${parts.filter(Boolean).map((part, index) => html`<small key=${index}>${part}</small>`)}</li>`;
}
