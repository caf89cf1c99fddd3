// The permission keys of a role as a table: a row for each kind of record, a column for
// each action. Each key is explained by its sentence.
import { html } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { t } from "../../../core/i18n.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";

const EVERYTHING = "*";
const ACTIONS = ["view", "create", "manage"]; // in the order of the columns; the others follow
// A key of this service that the list of the keys, which others read too, does not have; and what implies it.
const NAMES = "customers:names";
const isImplied = (key, action, resource, value) =>
  (action !== "manage" && value.includes(`${resource}:manage`)) || (key === NAMES && value.includes("customers:view"));

/** `value` is the list of keys; the catalogue is read from the service. */
export function Matrix(properties) {
  const catalogue = useResource("permission keys", () => [
    async () => [...(await api("/roles/permissions")).data, NAMES],
  ]);
  return html`<${Loaded} of=${catalogue}>${() => html`<${Keys} catalogue=${catalogue.value} ...${properties} />`}<//>`;
}

function Keys({ id, catalogue, value = [], onChange, readOnly }) {
  const all = value.includes(EVERYTHING);
  const toggle = (key) => onChange(value.includes(key) ? value.filter((one) => one !== key) : [...value, key]);
  const resources = [...new Set(catalogue.map((key) => key.split(":")[0]))];
  const own = value.filter((key) => key !== EVERYTHING && !catalogue.includes(key));
  return html`<div class="matrix" id=${id} role="group" aria-label=${t("roles.permissions")} tabindex="-1">
    <${Key} name=${EVERYTHING} checked=${all} disabled=${readOnly} label=${t("history.everything")}
      hint=${t("roles.everythingHint")} onToggle=${toggle} />
    ${resources.map((resource) => html`<fieldset key=${resource}>
      <legend>${t(`rolesof.${resource}`)}</legend>
      ${actionsOf(resource, catalogue).map((action) => {
        const key = `${resource}:${action}`;
        const implied = all || isImplied(key, action, resource, value);
        return html`<${Key} key=${key} name=${key} checked=${implied || value.includes(key)}
          disabled=${readOnly || implied} label=${t(`rolesaction.${action}`)} hint=${hintOf(key, action)} onToggle=${toggle} />`;
      })}</fieldset>`)}
    ${own.length > 0 && html`<p class="soft">${t("roles.own", { keys: own.join(", ") })}</p>`}
  </div>`;
}

function actionsOf(resource, catalogue) {
  const found = catalogue.filter((key) => key.startsWith(`${resource}:`)).map((key) => key.split(":")[1]);
  const place = (action) => (ACTIONS.includes(action) ? ACTIONS.indexOf(action) : ACTIONS.length);
  return found.sort((one, other) => place(one) - place(other));
}

const EXPLAINED = [
  NAMES,
  "claims:approve",
  "claims:create",
  "panes:scan",
  "inventory:move",
  "orders:create",
  "orders:view",
  "claims:view",
  "notifications:view",
  "withdrawals:create",
  "withdrawals:manage",
  "panes:manage",
];

function hintOf(key, action) {
  return EXPLAINED.includes(key) ? t(`roleskey.${key}`) : t(`roleshint.${action}`);
}

function Key({ name, checked, disabled, label, hint, onToggle }) {
  return html`<label class="key" title=${name}>
    <input type="checkbox" checked=${checked} disabled=${disabled} onChange=${() => onToggle(name)} />
    <span>${label}<small>${hint}</small></span></label>`;
}
