// The templates of labels.
import { html } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { ListPage } from "../list_page.js";

export const title = "office.labels";

export default function Templates() {
  return html`<${ListPage} section="labels" icon="qr-code" create="sticker_templates:manage"
    newTitle=${t("stickers.new")} hint=${t("stickers.hint")} resource="sticker-templates" event="sticker-template:updated"
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
    {
      name: "size",
      title: t("stickers.size"),
      width: "1fr",
      sort: "width",
      cell: ({ width, height }) => t("stickers.mm", { width: number(width), height: number(height) }),
    },
    {
      name: "elements",
      title: t("stickers.elements"),
      width: "160px",
      cell: ({ elements }) => t("stickers.count", { count: number(elements.length) }),
    },
  ];
}
