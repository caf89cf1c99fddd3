// The form that changes what a pane is: sizes, glass, material, notes.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n/index.js";
import { Dialog } from "../../../ui/dialog.js";
import { Form } from "../../../ui/form.js";

const mm = () => ({ kind: "number", min: 0, unit: t("panes.mm") });

export default function DescriptionDialog({ pane, onStale, onClose }) {
  return html`<${Dialog} title=${t("panes.edit")} className="wide" onClose=${onClose}>
    <${Form} fields=${descriptionFields(pane)} record=${pane} path="/panes" onStale=${onStale} onSaved=${onClose} /><//>`;
}

function descriptionFields({ laminateRole }) {
  return [
    { name: "dimensions.width", label: t("panes.width"), ...mm() },
    { name: "dimensions.height", label: t("panes.height"), ...mm() },
    { name: "dimensions.thickness", label: t("panes.thickness"), ...mm() },
    { name: "glassTypeLabel", label: t("panes.glass") },
    { name: "glassType", label: t("panes.glassType") },
    { name: "jobType", label: t("panes.jobType") },
    { name: "material", label: t("office.material"), kind: "reference", resource: "materials", readOnly: laminateRole === "sheet",
      hint: laminateRole === "sheet" ? t("panes.materialOfUnit") : undefined },
    { name: "rawGlass.glassType", label: t("panes.rawGlass") },
    { name: "rawGlass.color", label: t("panes.color") },
    { name: "rawGlass.thickness", label: t("panes.rawThickness"), ...mm() },
    { name: "rawGlass.sheetsPerPane", label: t("panes.sheets"), kind: "number", min: 1, max: 26, step: 1 },
    { name: "cornerSpec", label: t("panes.corners") },
    { name: "dimensionTolerance", label: t("panes.tolerance") },
    { name: "notes", label: t("office.notes"), kind: "textarea", wide: true },
  ];
}
