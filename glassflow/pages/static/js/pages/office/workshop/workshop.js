// The workshop itself: its name, what its paper says, and its daily target.
import { html } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { start } from "../../../core/session.js";
import { Form } from "../../../ui/form.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import History from "../history.js";
import { Head, Office } from "../layout.js";
import { taxFields } from "../tax_fields.js";
import { Logo } from "./logo.js";

export const title = "office.workshop";
export const styles = ["pages/office/workshop/workshop"];

const PATH = "/workshop";

export default function Workshop() {
  const workshop = useResource("workshop", () => [
    async () => (await api(PATH)).data,
    { "workshop:updated": () => undefined }, // without the logo
  ]);
  const saved = (data) => {
    workshop.put(data);
    start(); // the session has the name for the head of printed pages
  };
  return html`<${Office}><${Head}><h1 tabindex="-1">${t("office.workshop")}</h1><//>
    <${Loaded} of=${workshop}>${() => html`<section class="card"><p class="soft workshop-hint">${t("workshop.hint")}</p>
      <${Form} fields=${fields()} record=${workshop.value} path=${PATH} single readOnly=${!may("pricing:manage")}
        onSaved=${saved} onStale=${workshop.load} /></section>
      <${History} path=${PATH} version=${workshop.value.version} />`}<//><//>`;
}

const text = (name, further) => ({ name, label: t(`field.${name}`), ...further });
const lines = (name, maxlength, further) =>
  text(name, { kind: "textarea", wide: true, attributes: { maxlength }, ...further });

const fields = () => [
  text("name", { attributes: { maxlength: 100 } }),
  text("nameEnglish", { attributes: { maxlength: 100 }, hint: t("workshop.englishHint") }),
  lines("address", 500),
  lines("addressEnglish", 500, { hint: t("workshop.englishHint") }),
  text("phone", { attributes: { type: "tel" } }),
  text("email", { attributes: { type: "email" } }),
  text("website", { attributes: { type: "url" } }),
  text("logo", { kind: "custom", wide: true, hint: t("workshop.logoHint"), draw: drawLogo }),
  ...taxFields(),
  text("quoteDays", {
    kind: "number",
    min: 1,
    max: 365,
    step: 1,
    unit: t("workshop.days"),
    heading: t("workshop.quotes"),
  }),
  text("depositPercent", { kind: "number", min: 0, max: 100, unit: "%", hint: t("workshop.depositHint") }),
  text("maximumDiscount", { kind: "number", min: 0, max: 100, unit: "%", hint: t("workshop.discountHint") }),
  text("mailHasLink", { kind: "checkbox", hint: t("workshop.mailHasLinkHint") }),
  text("quoteDrawings", { kind: "checkbox", hint: t("workshop.quoteDrawingsHint") }),
  lines("bankLine", 300, { rows: 2 }),
  lines("conditions", 2000, { rows: 6 }),
  lines("conditionsEnglish", 2000, { rows: 6, hint: t("workshop.englishHint") }),
  text("dailyTarget", {
    kind: "number",
    min: 1,
    max: 100_000,
    step: 1,
    unit: t("workshop.panes"),
    heading: t("workshop.production"),
    hint: t("workshop.targetHint"),
  }),
];

const drawLogo = ({ values: _, ...field }) => html`<${Logo} ...${field} />`;
