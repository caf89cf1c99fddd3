// The dialog that credits a part of a billed entry on the next invoice of the customer.
import { html, useLayoutEffect, useRef, useState } from "../../../../vendor/ui.js";
import { Refused } from "../../../core/api.js";
import { number, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { RetryKey } from "../../../core/retry_key.js";
import { explain } from "../../../ui/fault.js";
import { Field } from "../../../ui/field.js";
import { money } from "../../../ui/money.js";
import { Icon } from "../../../ui/parts.js";
import { Loaded } from "../../../ui/use_resource.js";
import { Working } from "../../../ui/working.js";
import { Pane, usePanes } from "./charged_panes.js";
import { bodyOf, leftOf, placed, sumOfCredit, ticked } from "./credit_rows.js";
import { useCredits } from "./credits.js";

const key = new RetryKey();

/** `entry` as the dialog opens is credited; `onDone()` is called once it is. */
export default function CreditForm({ entry: given, onDone }) {
  const [entry] = useState(given);
  const credits = useCredits(entry._id);
  return html`<${Loaded} of=${credits}>${() => html`<${Form} entry=${entry} credits=${credits.value} onDone=${onDone} />`}<//>`;
}

function Form({ entry, credits, onDone }) {
  const [rows, setRows] = useState({});
  const [values, setValues] = useState({ amount: null, reason: "" });
  const [{ sending, error, sent }, setState] = useState({});
  const form = useRef();
  useLayoutEffect(() => error && form.current.querySelector("[aria-invalid=true]")?.focus(), [error]);
  const { left, panes } = leftOf(entry, credits);
  const body = bodyOf(panes, rows, values);
  const faults = placed(error?.faults ?? [], sent ?? {});
  const known = error instanceof Refused && error.status < 500;
  const said = error && (known ? (error.faults.length ? faults.other?.join(" ") : error.message) : explain(error));
  const submit = async (event) => {
    event.preventDefault();
    setState({ sending: true });
    try {
      await key.post(`/billing-entries/${entry._id}/credit`, body, { records: panes.length });
      onDone();
    } catch (failure) {
      setState({ error: failure, sent: body });
    }
  };
  const field = (
    name,
    more,
  ) => html`<${Field} prefix="credit" field=${{ name, label: t(`field.${name}`), ...more }} value=${values[name]}
    values=${values} faults=${faults[name]} onChange=${(value) => setValues({ ...values, [name]: value })} />`;
  return html`<form ref=${form} class="form" onSubmit=${submit} noValidate>
    <p>${t("billing.creditHint")}</p>
    <div role="alert">${said && html`<p class="fault"><${Icon} name="circle-alert" /><span>${said}</span></p>`}</div>
    ${panes.length > 0 && may("panes:view") && html`<${Rows} panes=${panes} rows=${rows} onChange=${setRows} faults=${faults.panes} />`}
    ${field("amount", { label: t("billing.creditAmount"), kind: "number", min: 0, unit: t("requests.bahtUnit"), hint: t("billing.creditAmountHint", { left: money(left) }) })}
    ${field("reason", { hint: t("billing.creditReasonHint"), required: true, wide: true, attributes: { maxlength: 500 } })}
    <${Sums} sums=${sumOfCredit(body, entry.vatPercent)} vatPercent=${entry.vatPercent} />
    <div class="form-buttons"><button class="main-button" disabled=${sending}>
      <${Icon} name=${sending ? "hourglass" : "minus"} />${t("billing.credit")}</button>
      ${sending && html`<${Working} count=${panes.length} />`}</div>
  </form>`;
}

/** What the credit comes to, before it is made. */
const Sums = ({ sums, vatPercent }) => html`<dl class="billed-sums" aria-live="polite">
  <div><dt>${t("field.net")}</dt><dd>${money(sums.net)}</dd></div>
  <div><dt>${t("quotestotal.vat", { percent: number(vatPercent) })}</dt><dd>${money(sums.vat)}</dd></div>
  <div><dt>${t("field.gross")}</dt><dd>${money(sums.gross)}</dd></div></dl>`;

function Rows({ panes, rows, onChange, faults }) {
  const known = usePanes(panes.map(({ pane }) => pane));
  return html`<fieldset class="credit-rows"><legend>${t("billing.creditPanes")}</legend>
    <${Loaded} of=${known}>${() => html`<ul class="batch-rows">${panes.map((one) => html`<${Row} key=${one.pane} ...${one} row=${rows[one.pane]}
      known=${known.value[one.pane]} faults=${faults[one.pane]} onTick=${(isOn) => onChange(ticked(rows, one, isOn))}
      onType=${(net) => onChange({ ...rows, [one.pane]: { isOn: true, net } })} />`)}</ul>`}<//></fieldset>`;
}

function Row({ pane, left, row, known, faults, onTick, onType }) {
  const [id, name] = [`credit-${pane}`, known?.paneNumber ?? t("billing.paneGone")];
  const typed = ({ target: { value } }) => onType(value === "" ? null : Number(value));
  return html`<li>
    <label class="credit-pane"><input type="checkbox" checked=${Boolean(row?.isOn)} disabled=${left <= 0} onChange=${({ target }) => onTick(target.checked)} />
      <span><${Pane} pane=${known} isPlain /></span></label>
    ${row?.isOn ? html`<input id=${id} class="credit-net" type="number" inputmode="decimal" min="0" max=${left} step="any" value=${row.net ?? ""}
        aria-label=${t("billing.creditNet", { pane: name })} aria-invalid=${faults ? "true" : undefined}
        aria-describedby=${faults ? `${id}-fault` : undefined} onInput=${typed} />`
      : html`<span class="amount">${left > 0 ? money(left) : t("billing.credited")}</span>`}
    ${faults && html`<p class="field-fault" id=${`${id}-fault`}>${faults.join(" ")}</p>`}</li>`;
}
