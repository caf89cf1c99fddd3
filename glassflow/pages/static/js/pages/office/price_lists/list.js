// The price lists: how the prices of some customers differ from those of the workshop.
import { html } from "../../../../vendor/ui.js";
import { dateTime, number, t } from "../../../core/i18n.js";
import { ListPage } from "../list_page.js";

export const title = "office.price-lists";

export default function PriceLists() {
  return html`<${ListPage} section="price-lists" icon="badge-check" create="pricing:manage" newTitle=${t("pricelists.new")}
    hint=${t("pricelists.hint")} resource="price-lists" sort="name" columns=${columns()} rowName=${({ name }) => name} />`;
}

export function columns() {
  const time = (name) => ({
    name,
    title: t(`field.${name}`),
    width: "180px",
    sort: name,
    cell: (priceList) => priceList[name] && dateTime(new Date(priceList[name])),
  });
  return [
    {
      name: "name",
      title: t("field.name"),
      width: "2fr",
      sort: "name",
      cell: ({ name }) => html`<strong>${name}</strong>`,
    },
    {
      name: "percent",
      title: t("field.percent"),
      width: "140px",
      sort: "percent",
      cell: ({ percent }) => signed(percent),
    },
    time("validFrom"),
    time("validTo"),
    {
      name: "notes",
      title: t("field.notes"),
      width: "3fr",
      fields: "notes",
      sort: "notes",
      cell: ({ notes }) => notes,
    },
  ];
}

const signed = (percent) => `${percent > 0 ? "+" : ""}${number(percent)} %`;
