// The field of a name that several records may have: it says so where there is another one.
import { html, useEffect, useState } from "../../../vendor/ui.js";
import { api } from "../../core/api.js";
import { addTexts, t } from "../../core/i18n/index.js";
import { OFFICE } from "./layout.js";
import { texts } from "./same_name_texts.js";

addTexts(texts);

const ASK_AFTER_MS = 500;
const MOST = 100;

/** The form in which names are compared: letter case and the number of spaces do not count. */
const wordsOf = (name) => (name ?? "").normalize("NFC").toLowerCase().split(/\s+/).filter(Boolean);

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
  const words = wordsOf(name);
  const wanted = words.join(" ");
  useEffect(() => {
    setFound(null);
    if (!wanted || wanted === wordsOf(stored).join(" ")) return undefined;
    let current = true;
    const timer = setTimeout(async () => {
      // a search compares the spaces too, so it looks for the word that finds the fewest
      const search = [...words].sort((one, other) => other.length - one.length)[0];
      const asked = { search, limit: String(MOST), fields: ["name", about].filter(Boolean).join() };
      const { data } = await api(`/${resource}?${new URLSearchParams(asked)}`).catch(() => ({ data: [] }));
      if (current) setFound(data.find((one) => one._id !== own && wordsOf(one.name).join(" ") === wanted));
    }, ASK_AFTER_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [wanted, stored]);
  return html`<small class="same-name" role="status">${found && html`${t(`same.${section}`)}${" "}
    <a href=${`${OFFICE}/${section}/${found._id}`}>${[found.name, found[about]].filter(Boolean).join(", ")}</a>`}</small>`;
}
