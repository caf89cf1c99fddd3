// The limits of making: what the workshop can cut, drill and temper.
import { html } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { t, textOr } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { Form } from "../../../ui/form.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { Back } from "../back.js";
import History from "../history.js";
import { Head, Office } from "../layout.js";

export const title = "office.makeability";
export const styles = ["pages/office/prices/prices"];

const PATH = "/makeability";
const WITHOUT_UNIT = /Factor$|Divisor$|^aspectRatio$|^mostHoles$/;

export default function LimitsOfMaking() {
  const limits = useResource("makeability", () => [
    async () => (await api(PATH)).data,
    { "makeability:updated": (_, data) => data },
  ]);
  return html`<${Office}><${Head}><${Back} section="prices" /><h1 tabindex="-1">${t("office.makeability")}</h1><//>
    <${Loaded} of=${limits}>${() => html`<section class="card"><p class="soft limits-hint">${t("limits.hint")}</p>
      <${Form} fields=${fields(limits.value)} record=${limits.value} path=${PATH} single readOnly=${!may("pricing:manage")}
        onStale=${limits.load} /></section>
      <${History} path=${PATH} version=${limits.value.version} />`}<//><//>`;
}

function fields({ limits }) {
  const numbers = Object.keys(limits).map((name) => ({
    name: `limits.${name}`,
    label: textOr(`limits.${name}`, name), // a later release may have more
    kind: "number",
    min: 0,
    unit: WITHOUT_UNIT.test(name) ? undefined : name === "heaviest" ? t("limits.kg") : t("panes.mm"),
  }));
  return [
    ...numbers,
    {
      name: "isStrict",
      label: t("limits.strict"),
      kind: "checkbox",
      hint: t("limits.strictHint"),
    },
  ];
}
