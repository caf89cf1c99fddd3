// The customers.
import { html } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { referenceFilter } from "../../../ui/filters.js";
import { ListPage } from "../list_page.js";

export const title = "office.customers";

export default function Customers() {
  return html`<${ListPage} section="customers" icon="users" create="customers:manage"
    newTitle=${t("customers.new")} hint=${t("customers.hint")}
    resource="customers" sort="name" populate="priceList" columns=${columns()} filters=${filters()}
    actions=${() => import("./batch.js")} rowName=${({ name }) => name} />`;
}

function filters() {
  const priceList = { name: "priceList", resource: "price-lists", label: t("field.priceList") };
  return may("pricing:view") ? [referenceFilter(priceList)] : [];
}

/** Columns of texts that are hidden until they are chosen. */
const more = (...names) =>
  names.map((name) => ({
    name,
    title: t(`field.${name}`),
    width: "160px",
    hidden: true,
    fields: name,
    sort: name,
    cell: (customer) => customer[name],
  }));

export function columns() {
  return [
    {
      name: "name",
      title: t("field.name"),
      width: "2fr",
      sort: "name",
      cell: ({ name }) => html`<strong>${name}</strong>`,
    },
    ...more("contact"),
    { name: "phone", title: t("field.phone"), width: "160px", sort: "phone", cell: ({ phone }) => phone },
    ...more("email", "taxId", "branch", "country"),
    {
      name: "address",
      title: t("field.address"),
      width: "3fr",
      fields: "address",
      sort: "address",
      cell: ({ address }) => address,
    },
    {
      name: "discount",
      title: t("field.discount"),
      width: "110px",
      sort: "discount",
      cell: ({ discount }) => discount > 0 && `${number(discount)} %`,
    },
    {
      name: "priceList",
      title: t("field.priceList"),
      width: "160px",
      hidden: true,
      fields: "priceList",
      sort: may("pricing:view") && "priceList.name",
      cell: ({ priceList }) => priceList?.name,
    },
    {
      name: "notes",
      title: t("field.notes"),
      width: "2fr",
      hidden: true,
      fields: "notes",
      sort: "notes",
      cell: ({ notes }) => notes,
    },
  ];
}
