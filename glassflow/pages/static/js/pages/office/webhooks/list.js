// The webhooks: addresses of other programs, to which events are sent.
import { html } from "../../../../vendor/ui.js";
import { addTexts, t } from "../../../core/i18n/index.js";
import { ListPage } from "../list_page.js";
import { State } from "./parts.js";
import { texts } from "./texts.js";

addTexts(texts);

export const title = "office.webhooks";
export const styles = ["office", "records", "webhooks"];

export default function Webhooks() {
  return html`<${ListPage} section="webhooks" icon="webhook" create="*" newTitle=${t("webhooks.new")} hint=${t("webhooks.hint")}
    resource="webhooks" event="webhook:updated" sort="url" columns=${columns()} />`;
}

function columns() {
  return [
    {
      name: "url",
      title: t("webhooks.url"),
      width: "3fr",
      sort: "url",
      cell: ({ url }) => html`<strong class="address">${url}</strong>`,
    },
    {
      name: "events",
      title: t("webhooks.events"),
      width: "2fr",
      cell: ({ events }) => (events.includes("*") ? t("webhooks.allEvents") : events.join(", ")),
    },
    {
      name: "state",
      title: t("webhooks.state"),
      width: "180px",
      cell: (webhook) => html`<${State} webhook=${webhook} />`,
    },
  ];
}
