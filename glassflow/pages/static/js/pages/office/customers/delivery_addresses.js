// The delivery addresses of a customer, typed as rows.
import { html, useEffect, useState } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { Grid } from "../../../ui/grid.js";
import { Icon } from "../../../ui/parts.js";

const NAMES = ["name", "address", "contact", "phone"];

let keys = 0;

/** Addresses as rows, each with a key that no other row of the page has. */
const keyed = (addresses) =>
  addresses.map((one) => ({
    key: `address ${(keys += 1)}`,
    ...Object.fromEntries(NAMES.map((name) => [name, one[name] ?? ""])),
  }));

/** The addresses that rows say, as they are sent: without keys, and without blank rows. */
const typed = (rows) =>
  rows
    .filter((row) => NAMES.some((name) => row[name]?.trim()))
    .map((row) => Object.fromEntries(NAMES.map((name) => [name, row[name] ?? ""])));

const newRow = () => keyed([{}])[0];
const isBlank = (row) => !typed([row]).length;

/** `value` is the list; `onChange(list)` gets the rows in which something is typed. */
export function DeliveryAddresses({ id, value, onChange, readOnly, ...shared }) {
  const [rows, setRows] = useState(() => keyed(value));
  const stored = JSON.stringify(typed(value));
  useEffect(() => {
    // the list has changed elsewhere
    if (JSON.stringify(typed(rows)) !== stored) setRows(keyed(value));
  }, [stored]);
  const change = (next) => {
    setRows(next);
    onChange(typed(next));
  };
  const isWrong = shared["aria-invalid"];
  const faultOf = (row, name) =>
    isWrong && name === "address" && !row.address.trim() && !isBlank(row) ? t("pricefault.missing") : undefined;
  if (readOnly) return html`<ul id=${id}>${rows.map((row) => html`<li key=${row.key}>${textOf(row)}</li>`)}</ul>`;
  return rows.length === 0
    ? html`<button type="button" id=${id} class="quiet-button" onClick=${() => change([newRow()])}>
        <${Icon} name="plus" />${t("customers.addAddress")}</button>`
    : html`<${Grid} id=${id} label=${t("field.deliveryAddresses")} columns=${columns()} rows=${rows} onRows=${change}
        newRow=${newRow} isBlank=${isBlank} faultOf=${faultOf} />`;
}

/** An address in one line. */
export const textOf = (row) =>
  NAMES.map((name) => row[name])
    .filter(Boolean)
    .join(", ");

function columns() {
  const widths = { name: "150px", address: "280px", contact: "140px", phone: "130px" };
  const titles = {
    name: t("customers.place"),
    address: t("field.address"),
    contact: t("field.contact"),
    phone: t("field.phone"),
  };
  return NAMES.map((name) => ({ name, title: titles[name], width: widths[name] }));
}
