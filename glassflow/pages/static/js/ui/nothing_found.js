// What a field says that names another record, where it finds none of that name; loaded then.
import { html, useEffect, useState } from "../../vendor/ui.js";
import { api } from "../core/api.js";
import { t } from "../core/i18n.js";
import { plainName, recordsNamed } from "../core/names.js";
import { may } from "../core/permissions.js";
import { explain } from "./fault.js";
import { Lazy } from "./lazy.js";
import { loadAddRecord, newRecordOf } from "./new_records.js";
import { Icon } from "./parts.js";

/**
 * `text` was searched for in the list `resource`, with the parameters `query`, and found `rows`; ""
 * stands for everything that the field offers. `error`: why nothing is known. `onAdd(record)` gets
 * a record that is created in place; without it none is offered.
 */
export default function NothingFound({ resource, query, text, rows, error, onAdd }) {
  const name = text.trim();
  const { section, key, form } = newRecordOf(resource);
  const offers = onAdd && key && may(key);
  const isListed = rows.some((one) => plainName(one.name) === plainName(name));
  const [state, setState] = useState({ error, total: undefined, isNamed: false });
  const [adding, setAdding] = useState(false);
  useEffect(() => {
    const mayAdd = offers && form && name && !isListed;
    if (error || (rows.length && !mayAdd)) return undefined;
    let current = true;
    const look = async () => ({
      error: null,
      total: rows.length || (await api(`/${resource}?limit=1`)).pagination.total,
      isNamed: mayAdd && (await recordsNamed(resource, name, query)).length > 0,
    });
    look().then(
      (next) => current && setState(next),
      (error) => current && !rows.length && setState({ ...state, error }),
    );
    return () => (current = false);
  }, []);
  // the focus returns there as the dialog closes
  const add = ({ currentTarget }) => [
    currentTarget.closest(".reference").querySelector("input").focus(),
    setAdding(true),
  ];
  if (state.error) return html`<p>${state.error.status === 403 ? t("loaded.forbidden") : explain(state.error)}</p>`;
  if (state.total === undefined) return null;
  const says =
    state.total === 0 ? t(`none.${resource}`) : name ? t("nothing.found", { text: name }) : t("nothing.toChoose");
  const label = form && name ? t("nothing.add", { text: name }) : t(`add.${resource}`);
  const link = `/floor/office/${section}/new${name && `?${new URLSearchParams({ name })}`}`;
  return html`${!rows.length && html`<p>${says}</p>`}
    ${offers && form && !state.isNamed && html`<p><button type="button" class="quiet-button" onClick=${add}>
      <${Icon} name="plus" />${label}</button></p>`}
    ${offers && !form && html`<p><a class="quiet-button" href=${link}>
      <${Icon} name="plus" />${label}</a> <small>${t("nothing.kept")}</small></p>`}
    ${adding && html`<${Lazy} load=${loadAddRecord} resource=${resource} name=${name} onSaved=${onAdd} onClose=${() => setAdding(false)} />`}`;
}
