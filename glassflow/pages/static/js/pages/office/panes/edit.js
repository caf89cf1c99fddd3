// The form that changes what a pane is: sizes, glass, material, notes, and its shape beside the
// drawing.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { Dialog } from "../../../ui/dialog.js";
import { Drawing } from "../../../ui/drawing.js";
import { Form } from "../../../ui/form.js";
import { useResource } from "../../../ui/use_resource.js";
import { inCuts } from "../requests/pane_faults.js";
import { Cuts, Edges } from "../requests/pane_editor.js";
import { profilesOf, readPrices } from "../requests/setup.js";
import { CUTS, cutRows, cutsOfRows, drawable, edgesOf, toBody, withEdges } from "./shape.js";
import { cutWords, edgeWords } from "./shape_words.js";

const mm = () => ({ kind: "number", min: 0, unit: t("panes.mm") });

export default function DescriptionDialog({ pane, onStale, onClose }) {
  // a draft of its own: the form of a correction keeps one of the same pane
  return html`<${Dialog} title=${t("panes.edit")} className="wide" onClose=${onClose}>
    <${Form} fields=${descriptionFields(pane)} record=${pane} path="/panes" draft=${`/panes/${pane._id} details`}
      toBody=${toBody} strict onStale=${onStale} onSaved=${onClose}>${(form) => html`<${Shape} pane=${pane} ...${form} />`}<//><//>`;
}

function descriptionFields({ laminateRole }) {
  return [
    { name: "dimensions.width", label: t("panes.width"), ...mm() },
    { name: "dimensions.height", label: t("panes.height"), ...mm() },
    { name: "dimensions.thickness", label: t("panes.thickness"), ...mm() },
    { name: "glassTypeLabel", label: t("panes.glass") },
    { name: "glassType", label: t("panes.glassType") },
    { name: "jobType", label: t("panes.jobType") },
    {
      name: "material",
      label: t("office.material"),
      kind: "reference",
      resource: "materials",
      readOnly: laminateRole === "sheet",
      hint: laminateRole === "sheet" ? t("panes.materialOfUnit") : undefined,
    },
    { name: "rawGlass.glassType", label: t("panes.rawGlass") },
    { name: "rawGlass.color", label: t("panes.color") },
    { name: "rawGlass.thickness", label: t("panes.rawThickness"), ...mm() },
    { name: "rawGlass.sheetsPerPane", label: t("panes.sheets"), kind: "number", min: 1, max: 26, step: 1 },
    { name: "cornerSpec", label: t("panes.corners") },
    { name: "dimensionTolerance", label: t("panes.tolerance") },
    { name: "notes", label: t("office.notes"), kind: "textarea", wide: true },
    { name: "holes", label: t("requests.holes"), isShown: () => false, show: cutWords, detail: inCuts("holes") }, // drawn by Shape
    { name: "notches", label: t("requests.notches"), isShown: () => false, show: cutWords, detail: inCuts("notches") },
    { name: "edgeTasks", label: t("requests.edges"), isShown: () => false, show: edgeWords },
  ];
}

/** Holes, notches and worked edges, beside the drawing of what was typed. */
function Shape({ pane, values, set, faults, error }) {
  const prices = useResource("names of edges", () => [readPrices]);
  return html`<div class="shape">
    <${Drawing} pane=${drawable(values)} />
    <div>${Object.keys(CUTS).map((name) => html`<div key=${name} id=${`field-${name}`} tabindex="-1">
        <${Cuts} name=${name} cuts=${cutRows(values[name])} onCuts=${(rows) => set(name, cutsOfRows(rows))}
          faults=${error?.faults ?? []} path=${name} /></div>`)}
      <fieldset id="field-edgeTasks" tabindex="-1"><legend>${t("requests.edges")}</legend>
        <${Edges} edges=${edgesOf(values.edgeTasks)} profiles=${profilesOf(prices.value)}
          onEdges=${(edges) => set("edgeTasks", withEdges(pane.edgeTasks, edges))} />
        ${faults.edgeTasks && html`<p class="field-fault">${faults.edgeTasks.join(" ")}</p>`}</fieldset></div>
  </div>`;
}
