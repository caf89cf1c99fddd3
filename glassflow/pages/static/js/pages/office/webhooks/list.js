// The webhooks: addresses of other programs, to which events are sent.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { ListPage } from "../list_page.js";
import { State } from "./parts.js";

export const title = "office.webhooks";
export const styles = ["pages/office/webhooks/webhooks"];

export default function Webhooks() {
  return html`<${ListPage} section="webhooks" icon="webhook" create="*" newTitle=${t("webhooks.new")} hint=${t("webhooks.hint")}
    resource="webhooks" event="webhook:updated" sort="url" columns=${columns()} />`;
}

export function columns() {
  return [
    {
      name: "url",
      title: t("field.url"),
      width: "3fr",
      sort: "url",
      cell: ({ url }) => html`<strong class="address">${url}</strong>`,
    },
    {
      name: "events",
      title: t("field.events"),
      width: "2fr",
      cell: ({ events }) => (events.includes("*") ? t("webhooks.allEvents") : events.join(", ")),
    },
    {
      name: "state",
      title: t("field.status"),
      width: "180px",
      cell: (webhook) => html`<${State} webhook=${webhook} />`,
    },
  ];
}
