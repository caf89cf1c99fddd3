// What the cancellation of a request or an order will cancel and reject, before it is done.
import { html } from "../../../vendor/ui.js";
import { api } from "../../core/api.js";
import { number, t } from "../../core/i18n.js";
import { money } from "../../ui/money.js";
import { Loaded, useResource } from "../../ui/use_resource.js";

/** `of` is the path of the request or the order. What the caller may not see is left out. */
export default function WillCancel({ of }) {
  const counts = useResource(`cancellation ${of}`, () => [
    async () => (await api(`${of}/cancellation`)).data,
    {},
    { fresh: true },
  ]);
  return html`<${Loaded} of=${counts}>${() => html`<ul class="consequences">${Object.entries(counts.value).map(([name, count]) =>
    (count > 0 || (name === "panes" && count === 0)) && html`<li>${t(`requestscancels.${name}`, { count: name === "price" ? money(count) : number(count) })}</li>`)}</ul>`}<//>`;
}
