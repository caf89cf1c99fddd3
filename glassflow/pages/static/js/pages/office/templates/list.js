// The templates of stations: how the screens of other clients are laid out.
import { html } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { ListPage } from "../list_page.js";
import { actionsOf, schemaOf } from "./schema.js";

export const title = "office.station-templates";

export default function Templates() {
  return html`<${ListPage} section="station-templates" icon="layout-grid" create="station_templates:manage"
    newTitle=${t("templates.new")} hint=${t("templates.hint")} resource="station-templates" event="station-template:updated"
    sort="name" columns=${columns()} />`;
}

export function columns() {
  return [
    {
      name: "name",
      title: t("templates.name"),
      width: "2fr",
      sort: "name",
      cell: ({ name }) => html`<strong>${name}</strong>`,
    },
    { name: "title", title: t("templates.title"), width: "2fr", cell: (template) => schemaOf(template).title },
    { name: "steps", title: t("templates.actions"), width: "3fr", cell: (template) => actionsOf(template).join(" → ") },
    {
      name: "fields",
      title: t("templates.members"),
      width: "120px",
      hidden: true,
      cell: (template) => number(Object.keys(schemaOf(template)).length),
    },
  ];
}
