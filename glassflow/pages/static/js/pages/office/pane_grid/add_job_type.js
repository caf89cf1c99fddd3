// A job type that is created for a row of panes.
import { html, useState } from "../../../../vendor/ui.js";
import AddRecord from "../add_record.js";
import { readJobTypes } from "./setup.js";

/** `onSaved(code, jobType)` gets it with its material, undefined where it cannot be read; `onClose()`: there is none. */
export default function AddJobType({ onSaved, onClose }) {
  const [isSaved, setSaved] = useState(false);
  const saved = async ({ code }) => {
    setSaved(true);
    onSaved(code, (await readJobTypes({ code }).catch(() => []))[0]);
  };
  return !isSaved && html`<${AddRecord} resource="job-types" name="" onSaved=${saved} onClose=${onClose} />`;
}
