// A notification that somebody writes to a worker.
import { html, useState } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { Form } from "../../../ui/form.js";
import { Icon } from "../../../ui/parts.js";
import { Head, Office, OFFICE } from "../layout.js";
import { priorities } from "./priorities.js";

export const title = "notifications.new";

const TYPE = "message"; // those of the service have types of their own

export default function NewNotification() {
  const [sent, setSent] = useState([]);
  return html`<${Office}><${Head}>
      <a class="back" href=${`${OFFICE}/notifications`}><${Icon} name="arrow-left" />${t("office.notifications")}</a>
      <h1 tabindex="-1">${t("notifications.new")}</h1><//>
    <section class="card">
      <p role="status">${sent.length > 0 && html`<span class="saved"><${Icon} name="circle-check" />${t("notifications.sent", { name: sent.at(-1) })}</span>`}</p>
      <${Form} key=${sent.length} fields=${fields()} initial=${{ priority: "medium" }} path="/notifications"
        submit=${t("notifications.send")} readOnly=${!may("notifications:create")}
        toBody=${(values) => ({ ...values, type: TYPE })} onSaved=${({ title: name }) => setSent([...sent, name])} />
    </section><//>`;
}

function fields() {
  return [
    {
      name: "recipient",
      label: t("notifications.recipient"),
      kind: "reference",
      resource: "workers",
      query: { isActive: "true" },
      required: true,
    },
    { name: "priority", label: t("field.priority"), kind: "select", options: priorities() },
    { name: "title", label: t("notifications.title"), required: true, wide: true },
    { name: "message", label: t("notifications.message"), kind: "textarea", wide: true },
  ];
}
