// The customers whose name was searched for in a list that finds nothing itself; loaded when that happens.
import { html, useEffect, useState } from "../../vendor/ui.js";
import { api } from "../core/api.js";
import { t } from "../core/i18n.js";
import { may } from "../core/permissions.js";
import { address } from "./record_list.js";

const MOST = 5;

/** Links that filter the list by such a customer in place of the search; `list` is its name. */
export default function FoundCustomers({ search, list }) {
  const [found, setFound] = useState([]);
  useEffect(() => {
    let current = true;
    const asked = new URLSearchParams({ search, sort: "name", fields: "name", limit: "50" });
    const isNamed = ({ name }) => name.toLowerCase().includes(search.toLowerCase()); // not only their address
    if (may("customers:view"))
      api(`/customers?${asked}`).then(
        ({ data }) => current && setFound(data.filter(isNamed).slice(0, MOST)),
        () => {},
      );
    return () => (current = false);
  }, []);
  return html`<span role="status">${found.map(({ _id, name }) => html`<br key=${_id} />
    <a href=${address({ search: null, page: null, customer: _id })}>${t("list.of", { list, name })}</a>`)}</span>`;
}
