// What a field says that names another record, where it finds none; loaded when that happens.
import { html, useEffect, useState } from "../../vendor/ui.js";
import { api } from "../core/api.js";
import { addTexts, t } from "../core/i18n/index.js";
import { may } from "../core/permissions.js";
import { explain } from "./fault.js";
import { texts as loadedTexts } from "./loaded_texts.js";
import { Icon } from "./parts.js";
import { texts } from "./nothing_found_texts.js";

addTexts(texts);
addTexts(loadedTexts);

/** Where a new record is added: its section of the office, and the key that this takes. */
const PAGES = {
  customers: ["customers", "customers:manage"],
  inventories: ["stock", "inventory:manage"],
  materials: ["materials", "materials:manage"],
  roles: ["roles", "roles:manage"],
  "station-templates": ["station-templates", "station_templates:manage"],
  stations: ["stations", "stations:manage"],
  workers: ["people", "workers:manage"],
};

/**
 * `resource` is the list, `text` what was searched for, "" for everything that the field offers;
 * `error`: why nothing is known. `adds` leads to the page of a new record, which gets the text as its name.
 */
export default function NothingFound({ resource, text, error, adds }) {
  const [state, setState] = useState({ total: undefined, error });
  useEffect(() => {
    let current = true;
    if (!error)
      api(`/${resource}?limit=1`)
        .then(
          ({ pagination: { total } }) => ({ total, error: null }),
          (error) => ({ total: undefined, error }),
        )
        .then((next) => current && setState(next));
    return () => (current = false);
  }, []);
  if (state.error) return html`<p>${state.error.status === 403 ? t("loaded.forbidden") : explain(state.error)}</p>`;
  if (state.total === undefined) return null;
  const [section, key] = PAGES[resource] ?? [];
  const query = text && `?${new URLSearchParams({ name: text })}`;
  return html`<p>${state.total === 0 ? t(`none.${resource}`) : text ? t("nothing.found", { text }) : t("nothing.toChoose")}</p>
    ${adds && key && may(key) && html`<p><a class="quiet-button" href=${`/floor/office/${section}/new${query}`}>
      <${Icon} name="plus" />${t(`add.${resource}`)}</a> <small>${t("nothing.kept")}</small></p>`}`;
}
