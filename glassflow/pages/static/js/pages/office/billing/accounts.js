// The dialog that exports billing for the accounts: which entries, and in which form; what it has
// is said before it is made, and noted on the entries.
import { html, useEffect, useState } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { number, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { lang } from "../../../core/preferences.js";
import { RetryKey } from "../../../core/retry_key.js";
import { downloadExport, Failure, FORMATS, TIMEOUT_MS } from "../../../ui/exports.js";
import { Field } from "../../../ui/field.js";
import { download, fetchFile } from "../../../ui/files.js";
import { money } from "../../../ui/money.js";
import { Icon } from "../../../ui/parts.js";
import { language } from "../paper_fields.js";

const ASK_AFTER_MS = 300; // somebody may still be typing
const UNSET = { which: "new", from: "", to: "", invoiceNumber: "", format: FORMATS[0], rows: "parts" };
const accountsKey = new RetryKey();

export default function Accounts({ onDone }) {
  const [values, setValues] = useState(() => ({ ...UNSET, language: lang.value }));
  const [{ busy, error }, setState] = useState({});
  const choice = chosenBy(values);
  const sums = useSums(choice);
  const set = (name) => (value) => {
    setValues({ ...values, [name]: value });
    setState({});
  };
  const { format, rows, language: printed } = values;
  const form = { rows, language: printed };
  const run = (name, make) => async () => {
    setState({ busy: name });
    try {
      await make();
      onDone();
    } catch (failure) {
      setState({ error: failure });
    }
  };
  const send = run("send", () => noted({ ...choice, ...form, format }));
  const look = run("look", () =>
    downloadExport(`/billing-entries/accounts.${format}?${new URLSearchParams({ ...choice, ...form })}`),
  );
  const isOff = Boolean(busy) || !sums.count;
  return html`<div class="form">
    <p>${t("accounts.hint")}</p>
    <div class="fields">${fields().map((field) => html`<${Field} key=${field.name} field=${field} prefix="accounts" value=${values[field.name]}
      values=${values} onChange=${set(field.name)} />`)}</div>
    <p class="accounts-sum" role="status">${choice ? sumWords(sums) : t("accounts.choose")}</p>
    <div role="alert"><${Failure} error=${error ?? sums.error} /></div>
    <div class="form-buttons">
      ${may("pricing:manage") && html`<button type="button" class="main-button" disabled=${isOff} onClick=${send}>
        <${Icon} name=${busy === "send" ? "hourglass" : "download"} />${t("accounts.send")}</button>`}
      <button type="button" class="quiet-button" disabled=${isOff} onClick=${look}>
        <${Icon} name=${busy === "look" ? "hourglass" : "download"} />${t("accounts.look")}</button>
      ${busy && html`<p role="status">${t("exports.busy")}</p>`}
    </div></div>`;
}

/** Get the file whose entries are noted as exported; one that was not received is sent again. */
async function noted(body) {
  try {
    const headers = { "Idempotency-Key": accountsKey.of(body) };
    const { blob, name } = await fetchFile("/billing-entries/accounts", body, TIMEOUT_MS, headers);
    accountsKey.answered();
    download(blob, name);
  } catch (error) {
    accountsKey.failed(error);
    throw error;
  }
}

/** What the export has: {count, changed, net}, {error}, or nothing yet and for another choice. */
function useSums(choice) {
  const [found, setFound] = useState({});
  const asked = choice && String(new URLSearchParams(choice));
  useEffect(() => {
    if (asked === null) return undefined;
    let current = true;
    const show = (sums) => current && setFound({ asked, sums });
    const read = () =>
      api(`/billing-entries/accounts?${asked}`).then(
        ({ data }) => show(data),
        (error) => show({ error }),
      );
    const timer = setTimeout(read, asked ? ASK_AFTER_MS : 0);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [asked]);
  return choice && found.asked === asked ? found.sums : {};
}

function sumWords({ count, changed, net }) {
  if (count === undefined) return "";
  if (!count) return t("accounts.none");
  const words = [t("accounts.sum", { count: number(count), net: money(net) })];
  return [...words, changed > 0 && t("accounts.changed", { count: number(changed) })].filter(Boolean).join(" · ");
}

function fields() {
  const options = (names, word) => names.map((value) => ({ value, label: word(value) }));
  const isOf = (which) => (values) => values.which === which;
  const day = (name, hint) => ({
    name,
    label: t(`accounts.${name}`),
    kind: "custom",
    isShown: isOf("days"),
    hint,
    draw: ({ value, onChange, id }) => html`<input type="date" id=${id} value=${value ?? ""}
      onChange=${(event) => onChange(event.target.value)} />`,
  });
  return [
    {
      name: "which",
      label: t("accounts.which"),
      kind: "select",
      wide: true,
      options: options(["new", "days", "invoice"], (one) => t(`accountswhich.${one}`)),
    },
    day("from"),
    day("to", t("accounts.daysHint")),
    { name: "invoiceNumber", label: t("field.invoiceNumber"), wide: true, isShown: isOf("invoice") },
    {
      name: "rows",
      label: t("accounts.rows"),
      kind: "select",
      options: options(["parts", "panes"], (one) => t(`accountsrows.${one}`)),
    },
    {
      name: "format",
      label: t("export.format"),
      kind: "select",
      options: options(FORMATS, (one) => t(`export.${one}`)),
    },
    { ...language(), label: t("accounts.language") },
  ];
}

/**
 * The parameters of the export for what the dialog asks: {which, from, to, invoiceNumber}; null where
 * days or the invoice are missing.
 */
export function chosenBy({ which, from, to, invoiceNumber }) {
  if (which === "new") return {};
  if (which === "invoice") return invoiceNumber?.trim() ? { invoiceNumber: invoiceNumber.trim() } : null;
  return from || to ? { ...(from && { from }), ...(to && { to }) } : null;
}
