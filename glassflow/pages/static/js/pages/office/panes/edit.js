// The form that changes what a pane is: sizes, glass, material, notes, and its shape beside the
// drawing.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { Dialog } from "../../../ui/dialog.js";
import { Drawing } from "../../../ui/drawing.js";
import { Form } from "../../../ui/form.js";
import { useResource } from "../../../ui/use_resource.js";
import { inCuts } from "../pane_grid/pane_faults.js";
import { Cuts, Edges } from "../pane_grid/pane_editor.js";
import { profilesOf, readPrices } from "../pane_grid/setup.js";
import { CUTS, cutRows, cutsOfRows, drawable, edgesOf, toBody, withEdges } from "./shape.js";
import { cutWords, edgeWords } from "./shape_words.js";

const mm = () => ({ kind: "number", min: 0, unit: t("panes.mm") });

export default function DescriptionDialog({ pane, onStale, onClose }) {
  // a draft of its own: the form of a correction keeps one of the same pane
  return html`<${Dialog} title=${t("form.editDetails")} className="wide" onClose=${onClose}>
    <${Form} fields=${descriptionFields(pane)} record=${pane} path="/panes" draft=${`/panes/${pane._id} details`}
      toBody=${toBody} strict onStale=${onStale} onSaved=${onClose}>${(form) => html`<${Shape} pane=${pane} ...${form} />`}<//><//>`;
}

function descriptionFields({ laminateRole }) {
  return [
    { name: "dimensions.width", label: t("field.width"), ...mm() },
    { name: "dimensions.height", label: t("field.height"), ...mm() },
    { name: "dimensions.thickness", label: t("field.thickness"), ...mm() },
    { name: "glassTypeLabel", label: t("panes.glass") },
    { name: "glassType", label: t("field.glassType") },
    { name: "jobType", label: t("field.jobType") },
    {
      name: "material",
      label: t("field.material"),
      kind: "reference",
      resource: "materials",
      readOnly: laminateRole === "sheet",
      hint: laminateRole === "sheet" ? t("panes.materialOfUnit") : undefined,
    },
    { name: "rawGlass.glassType", label: t("field.rawGlass") },
    { name: "rawGlass.color", label: t("field.color") },
    { name: "rawGlass.thickness", label: t("panes.rawThickness"), ...mm() },
    { name: "rawGlass.sheetsPerPane", label: t("field.sheetsPerPane"), kind: "number", min: 1, max: 26, step: 1 },
    {
      name: "mark",
      label: t("field.mark"),
      attributes: { maxlength: 60 },
      readOnly: laminateRole === "sheet",
      hint: t("panes.markHint"),
    },
    { name: "cornerSpec", label: t("field.cornerSpec") },
    { name: "dimensionTolerance", label: t("field.dimensionTolerance") },
    { name: "notes", label: t("field.notes"), kind: "textarea", wide: true },
    { name: "holes", label: t("field.holes"), isShown: () => false, show: cutWords, detail: inCuts("holes") }, // drawn by Shape
    { name: "notches", label: t("field.notches"), isShown: () => false, show: cutWords, detail: inCuts("notches") },
    { name: "edgeTasks", label: t("field.edgeTasks"), isShown: () => false, show: edgeWords },
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
      <fieldset id="field-edgeTasks" tabindex="-1"><legend>${t("field.edgeTasks")}</legend>
        <${Edges} edges=${edgesOf(values.edgeTasks)} profiles=${profilesOf(prices.value)}
          onEdges=${(edges) => set("edgeTasks", withEdges(pane.edgeTasks, edges))} />
        ${faults.edgeTasks && html`<p class="field-fault">${faults.edgeTasks.join(" ")}</p>`}</fieldset></div>
  </div>`;
}
