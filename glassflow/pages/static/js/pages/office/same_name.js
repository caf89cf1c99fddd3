// The field of a name that several records may have: it says so where there is another one.
import { html, useEffect, useState } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { plainName, recordsNamed } from "../../core/names.js";
import { OFFICE } from "./layout.js";

const ASK_AFTER_MS = 500;

/**
 * The field `name` of a form, as `Field` takes it. `resource` is the list of the API, `section`
 * that of the office, `about` a field that tells two records of one name apart ("phone");
 * `stored` is the name that the record has, undefined for a new one.
 */
export function nameField({ resource, section, about = undefined, stored, ...field }) {
  return {
    name: "name",
    required: true,
    kind: "custom",
    ...field,
    draw: ({ value, values, onChange, ...shared }) => html`<input type="text" autocomplete="off" value=${value ?? ""}
        onInput=${(event) => onChange(event.target.value)} ...${shared} />
      <${SameName} resource=${resource} section=${section} about=${about} name=${value} stored=${stored} own=${values._id} />`,
  };
}

function SameName({ resource, section, about, name, stored, own }) {
  const [found, setFound] = useState(null);
  const wanted = plainName(name);
  useEffect(() => {
    setFound(null);
    if (!wanted || wanted === plainName(stored)) return undefined;
    let current = true;
    const timer = setTimeout(async () => {
      const asked = { fields: ["name", about].filter(Boolean).join() };
      const named = await recordsNamed(resource, name, asked).catch(() => []);
      if (current) setFound(named.find((one) => one._id !== own));
    }, ASK_AFTER_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [wanted, stored]);
  return html`<small class="same-name" role="status">${found && html`${t(`same.${section}`)}${" "}
    <a href=${`${OFFICE}/${section}/${found._id}`}>${[found.name, found[about]].filter(Boolean).join(", ")}</a>`}</small>`;
}
