// Where a delivery goes: typed, or one of the addresses of its customer.
import { html } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { idOf } from "../../../core/records.js";
import { useResource } from "../../../ui/use_resource.js";

/** A chosen address brings its contact and phone. */
export function AddressField({ value, values, onChange, set, ...shared }) {
  const customer = idOf(values.customer);
  const read = useResource(`addresses of ${customer}`, () => [() => readPlaces(customer)]);
  const places = shared.readOnly ? [] : (read.value ?? []).filter(({ address }) => address);
  const choose = ({ target }) => {
    const { address, contact = "", phone = "" } = places[target.value];
    target.value = "";
    onChange(address);
    set("contact", contact);
    set("phone", phone);
  };
  return html`<textarea rows="3" value=${value ?? ""} onInput=${(event) => onChange(event.target.value)} ...${shared}></textarea>
    ${places.length > 0 && html`<select aria-label=${t("delivery.choosePlace")} onChange=${choose}>
      <option value="">${t("delivery.choosePlace")}</option>
      ${places.map(({ name, address }, index) => html`<option key=${index} value=${index}>${[name, address].filter(Boolean).join(", ")}</option>`)}</select>`}`;
}

/**
 * The addresses of a customer, by its id: [{name, address, contact, phone}], where panes go whose request names
 * no place first, and the customer's own last, which may be empty. None, if the worker may not see customers.
 */
export async function readPlaces(customer) {
  if (!customer || !may("customers:view")) return [];
  const { data } = await api(`/customers/${customer}`);
  const { address, contact, phone } = data;
  const sites = data.deliveryAddresses.map((one) => ({
    ...one,
    contact: one.contact || contact,
    phone: one.phone || phone,
  }));
  return [...sites, { address, contact, phone }];
}
