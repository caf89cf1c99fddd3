// The proposal where the panes of a new delivery go to several places: a delivery for each.
import { html, useEffect, useMemo, useRef, useState } from "../../../../vendor/ui.js";
import { Refused } from "../../../core/api.js";
import { number, t } from "../../../core/i18n.js";
import { idOf } from "../../../core/records.js";
import { RetryKey } from "../../../core/retry_key.js";
import { explain } from "../../../ui/fault.js";
import { Icon } from "../../../ui/parts.js";
import { useResource } from "../../../ui/use_resource.js";
import { OFFICE } from "../layout.js";
import { readPlaces } from "./address.js";
import { placesOf } from "./to_choose.js";

const idsOf = (places) => places.flatMap(({ panes }) => panes.map(({ _id }) => _id));
const isSame = (ids, others) => String([...ids].sort()) === String([...others].sort());

/**
 * Shown as long as no address is typed. `rows` are the panes to choose from, `requests` those of them
 * by id. What the service refused with `SEVERAL_PLACES` ({error}) counts for the panes that were sent:
 * a worker may not see the requests. `planEach` is {toBody(values), onPlanned()}, which is called once
 * all are planned; what is planned is taken out of the form.
 */
export default function SeveralPlaces({ rows, requests, values, set, error, planEach: { toBody, onPlanned } }) {
  const customer = idOf(values.customer);
  const chosen = values.panes ?? [];
  const known = useResource(`addresses of ${customer}`, () => [() => readPlaces(customer)]);
  const whenSent = useMemo(() => chosen, [error]);
  // what is planned, until the form is sent: {places, keys, planned, isSending, fault, error}
  const [begun, setBegun] = useState(null);
  const section = useRef();
  const refused = error?.code === "SEVERAL_PLACES" && isSame(chosen, whenSent) && error.errors.places;
  useEffect(() => void (refused && section.current?.scrollIntoView({ block: "center" })), [error]); // the message is far above
  const remains = () => isSame(chosen, idsOf(begun.places.slice(begun.planned.length)));
  const isBegun = begun && (begun.isSending || (begun.error === error && remains()));
  const found = () => placesOf(rows, new Set(chosen), requests, known.value?.[0]?.address);
  const places = isBegun ? begun.places : refused || found();
  const planned = isBegun ? begun.planned : [];
  const isRead = known.value !== undefined || known.error; // else the customer's own address is not known yet
  if (values.address || places.length < 2 || !(isBegun || refused || isRead)) return null;

  const plan = async () => {
    const keys = isBegun ? begun.keys : places.map(() => new RetryKey());
    const done = [...planned];
    const show = (more) => setBegun({ places, keys, planned: [...done], error, ...more });
    show({ isSending: true });
    try {
      for (const place of places.slice(done.length)) {
        // without its address: the service reads it, which may have changed meanwhile
        const body = toBody({ ...values, panes: idsOf([place]) });
        done.push(await keys[done.length].post("/deliveries", body, { records: place.panes.length }));
        if (done.length === places.length) return void onPlanned();
        set("panes", idsOf(places.slice(done.length)));
        show({ isSending: true });
      }
    } catch (refusal) {
      const isKnown = refusal instanceof Refused && refusal.status < 500;
      show({ fault: isKnown ? refusal.message : explain(refusal) });
    }
  };
  const { isSending, fault } = (isBegun && begun) || {};
  return html`<section ref=${section} class="refused-panes" aria-labelledby="several-places">
    <${Places} places=${places} planned=${planned} /><p>${t("delivery.severalHint")}</p>
    <div role="alert">${fault && html`<p class="fault"><${Icon} name="circle-alert" /><span>${fault}</span></p>`}</div>
    <div class="form-buttons"><button type="button" class="main-button" disabled=${isSending} onClick=${plan}>
      <${Icon} name=${isSending ? "hourglass" : "plus"} />${t("delivery.planEach", { count: number(places.length - planned.length) })}</button></div></section>`;
}

/** To which places panes go; `planned` are the deliveries of the first of them. */
export function Places({ places, planned = [] }) {
  return html`<p><strong id="several-places">${t("delivery.severalPlaces", { count: number(places.length) })}</strong></p>
    <ul>${places.map(({ address, panes }, index) => html`<li key=${address}><strong>${address || t("delivery.ownPlace")}</strong>
      ${panes.length > 0 && ` ${t("office.countOfKind", { count: number(panes.length) })}`}
      ${planned[index] && html` <a class="good" href=${`${OFFICE}/deliveries/${planned[index]._id}`}><${Icon} name="circle-check" />${planned[index].deliveryNumber}</a>`}</li>`)}</ul>`;
}
