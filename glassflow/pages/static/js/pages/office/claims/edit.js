// The form that changes what is wrong, and the photos, of a claim.
import { html, useState } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { idOf } from "../../../core/records.js";
import { Dialog } from "../../../ui/dialog.js";
import { Form } from "../../../ui/form.js";
import { defectFields, sent } from "./fields.js";

export default function EditDialog({ claim, onStale, onClose }) {
  const [ids] = useState(() => new Map()); // of the photos that were sent
  const record = { ...claim, defectStation: idOf(claim.defectStation) };
  const toBody = async (_, changed) =>
    changed.photos ? { ...changed, photos: await sent(changed.photos, ids) } : changed;
  return html`<${Dialog} title=${t("form.editDetails")} className="wide" onClose=${onClose}>
    <${Form} fields=${defectFields()} record=${record} path="/claims" toBody=${toBody} onStale=${onStale} onSaved=${onClose} /><//>`;
}
