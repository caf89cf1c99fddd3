// The way back from the page of a record.
import { html } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { query } from "../../core/router.js";
import { Icon } from "../../ui/parts.js";
import { OFFICE, ORDERS, passportOf, REQUESTS } from "./layout.js";

const WAYS = {
  // a record that another one names: its address and its name, as far as the worker may see it
  order: ({ order }) => order?.orderNumber && [`${ORDERS}/${order._id}`, order.orderNumber],
  request: ({ request }) => request?.requestNumber && [`${REQUESTS}/${request._id}`, request.requestNumber],
  pane: ({ pane }) => pane?.paneNumber && [passportOf(pane.paneNumber), pane.paneNumber],
  material: ({ material }) => material?.name && [`${OFFICE}/materials/${material._id}`, material.name],
  book: ({ material }) => material?.name && [`${OFFICE}/materials/${material._id}/book`, material.name],
  cutting: () => [`${OFFICE}/cutting`, t("office.cutting")],
  stock: () => [`${OFFICE}/stock`, t("office.stock")],
  template: ({ templateId: template }) =>
    template?.name && [`${OFFICE}/station-templates/${template._id}`, template.name],
};

/**
 * The way back from the page of `record`: to the record from whose page it was opened, which
 * the address names (`?from=order`), else to the first that it has of `owners` (["order"]),
 * else to the list of its section.
 */
export function Back({ section, record, owners = [] }) {
  const list = [`${OFFICE}/${section}`, t(`office.${section}`)];
  const found = record && [query.value.get("from"), ...owners].map((one) => WAYS[one]?.(record)).find(Boolean);
  const [href, name] = found || list;
  return html`<a class="back" href=${href}><${Icon} name="arrow-left" />${name}</a>`;
}
