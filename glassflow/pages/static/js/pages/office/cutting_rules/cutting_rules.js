// The rules of cutting: what is trimmed, kept apart, added and kept; for all glass, and by thickness.
import { html } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { number, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { Form } from "../../../ui/form.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { Back } from "../back.js";
import History from "../history.js";
import { Head, Office } from "../layout.js";
import { numberList } from "../number_list.js";
import { inForce, RULES } from "./model.js";

export const title = "cutting.title";
export const styles = ["ui/grid", "pages/office/stock/stock"];

const PATH = "/cutting-rules";

export default function CuttingRules() {
  const rules = useResource("cutting rules", () => [
    async () => (await api(PATH)).data,
    { "cuttingRules:updated": (_, data) => data },
  ]);
  return html`<${Office}><${Head}><${Back} section="cutting" /><h1 tabindex="-1">${t("cutting.title")}</h1><//>
    <${Loaded} of=${rules}>${() => html`<section class="card"><p class="soft cutting-hint">${t("cutting.hint")}</p>
      <${Form} fields=${fields()} record=${rules.value} path=${PATH} single readOnly=${!may("inventory:manage")} onStale=${rules.load} /></section>
      <${History} path=${PATH} version=${rules.value.version} fields=${fields()} />`}<//><//>`;
}

const WITHOUT_UNIT = ["scrapAfterDays", "leastUsePercent"]; // whose label names it
const HINTS = ["leastDistance", "kerf", "scrapAfterDays"];

function fields() {
  return [
    ...RULES.map((name) => ({
      name: `common.${name}`,
      label: t(`field.${name}`),
      kind: "number",
      min: 0,
      unit: WITHOUT_UNIT.includes(name) ? undefined : t("panes.mm"),
      hint: HINTS.includes(name) && t(`cuttinghint.${name}`),
    })),
    numberList({
      name: "byThickness",
      label: t("field.byThickness"),
      hint: t("cutting.byThicknessHint"),
      columns: ({ common }) => columns(common),
      add: t("cutting.addThickness"),
    }),
  ];
}

const columns = (common) => [
  { name: "thickness", title: t("cutting.thickness"), width: "90px" },
  ...RULES.map((name) => ({
    name,
    title: t(`field.${name}`),
    short: t(`cuttingshort.${name}`),
    placeholder: (row) => shown(inForce(name, row.thickness, common)),
  })),
];

const shown = (value) => (value === null ? "–" : number(value));
