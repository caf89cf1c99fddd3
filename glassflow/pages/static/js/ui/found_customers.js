// The customers whose name was searched for in a list that finds nothing itself; loaded when that happens.
import { html, useEffect, useState } from "../../vendor/ui.js";
import { api } from "../core/api.js";
import { t } from "../core/i18n.js";
import { may } from "../core/permissions.js";

const MOST = 5;

/** Links to the list of the name `list`, filtered by such a customer: `hrefOf(id)` is its address. */
export default function FoundCustomers({ search, list, hrefOf }) {
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
    <a href=${hrefOf(_id)}>${t("list.of", { list, name })}</a>`)}</span>`;
}
