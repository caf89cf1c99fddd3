// What a customer owes on invoices; live.
import { api } from "../../core/api.js";
import { may } from "../../core/permissions.js";
import { idOf } from "../../core/records.js";
import { useResource } from "../../ui/use_resource.js";

/** The balance of the account of a customer (an id); null for who may not see customers. */
export const readBalance = async (customer) =>
  may("customers:view") ? (await api(`/customers/${customer}/account`)).data.balance : null;

export function useBalance(customer) {
  const changed = (value, { data }) => (idOf(data.customer) === customer ? undefined : value);
  return useResource(`balance ${customer}`, () => [
    () => readBalance(customer),
    { "payment:updated": changed, "billing:updated": changed },
  ]);
}
