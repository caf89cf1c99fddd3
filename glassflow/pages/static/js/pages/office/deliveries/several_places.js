// The proposal where the panes of a new delivery go to several places: a delivery for each.
import { html, useMemo, useState } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { RetryKey } from "../../../core/retry_key.js";
import { explain } from "../../../ui/fault.js";
import { Icon } from "../../../ui/parts.js";

/**
 * What the service refused with `SEVERAL_PLACES` ({error}), as long as the panes are those and no
 * address is typed. `toBody(values)` is the body of a delivery; `onPlanned(delivery)` gets the first
 * of them once all are planned. Where one is refused, `set` takes those that are planned out of the form.
 */
export default function SeveralPlaces({ error, values, set, toBody, onPlanned }) {
  const whenSent = useMemo(() => values.panes, [error]);
  const keys = useMemo(() => error?.errors?.places?.map(() => new RetryKey()), [error]);
  const [{ planned = [], isSending, fault }, setState] = useState({});
  const { places } = error.errors;
  const rest = places.slice(planned.length);
  const remain = rest.flatMap(({ panes }) => panes.map(({ _id }) => _id));
  if (values.address || (values.panes !== whenSent && String(values.panes) !== String(remain))) return null;

  const plan = async () => {
    setState({ planned, isSending: true });
    const done = [...planned];
    try {
      for (const { address, panes } of rest) {
        const body = toBody({ ...values, address, panes: panes.map(({ _id }) => _id) });
        done.push(await keys[done.length].post("/deliveries", body, { records: panes.length }));
      }
      onPlanned(done[0]);
    } catch (refusal) {
      const left = places.slice(done.length).flatMap(({ panes }) => panes.map(({ _id }) => _id));
      setState({ planned: done, fault: explain(refusal) });
      if (done.length > planned.length) set("panes", left);
    }
  };
  return html`<section class="refused-panes" aria-labelledby="several-places"><p><strong id="several-places">${t("delivery.severalPlaces", { count: number(places.length) })}</strong></p>
    <ul>${places.map(({ address, panes }, index) => html`<li key=${address}><strong>${address || t("delivery.noPlace")}</strong> ${t("office.countOfKind", { count: number(panes.length) })}
      ${planned[index] && html`<span class="good"><${Icon} name="circle-check" />${planned[index].deliveryNumber}</span>`}</li>`)}</ul>
    <p>${t("delivery.severalHint")}</p>
    <div class="form-buttons"><button type="button" class="main-button" disabled=${isSending} onClick=${plan}>
      <${Icon} name=${isSending ? "hourglass" : "plus"} />${t("delivery.planEach", { count: number(rest.length) })}</button></div>
    <div role="alert">${fault && html`<p class="fault"><${Icon} name="circle-alert" /><span>${fault}</span></p>`}</div></section>`;
}
