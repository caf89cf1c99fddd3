// The fields of a quote, and its rows as the form of a new one and that of a draft show them.
import { t } from "../../../core/i18n.js";
import { idOf } from "../../../core/records.js";
import { withoutEmpty } from "../../../ui/form_values.js";
import { day, language } from "../paper_fields.js";
import { customer, expectedDelivery } from "../request_fields.js";
import { inPanes } from "../pane_grid/pane_faults.js";
import { rowOf } from "../pane_grid/row_of_pane.js";
import { newRow, toPane } from "../pane_grid/rows.js";
import { typedRows } from "../pane_grid/setup.js";

/** The fields of a quote; one that does not change any more has no hints of what to type, and shows its texts whole. */
export const fieldsOf = (sent, quote) =>
  fields(sent).map((field) =>
    quote.status === "draft" ? field : { ...field, hint: undefined, ...whole(field, quote) },
  );

const LINE = 90; // characters of a wide field, about

function whole({ kind, name }, quote) {
  if (kind !== "textarea") return {};
  const rows = (quote[name] ?? "")
    .split("\n")
    .reduce((sum, { length }) => sum + Math.max(1, Math.ceil(length / LINE)), 0);
  return { wide: rows > 1, rows };
}

/** `sent` refers to the keys of the rows that were sent last. */
export function fields(sent) {
  return [
    customer(),
    { name: "project", label: t("field.project") },
    { name: "referenceId", label: t("field.referenceId") },
    day("validUntil", { hint: t("quotes.validHint") }),
    { name: "deadline", label: t("field.deadline"), kind: "moment" },
    expectedDelivery(),
    { name: "leadTime", label: t("field.leadTime"), hint: t("quotes.leadTimeHint") },
    {
      name: "discountPercent",
      label: t("field.discountPercent"),
      kind: "number",
      min: 0,
      max: 100,
      unit: "%",
      hint: t("quotes.discountHint"),
    },
    {
      name: "depositPercent",
      label: t("field.depositPercent"),
      kind: "number",
      min: 0,
      max: 100,
      unit: "%",
      hint: t("quotes.depositHint"),
    },
    language(),
    { name: "isRush", label: t("field.isRush"), kind: "checkbox", hint: t("quotes.rushHint") },
    { name: "deliveryAddress", label: t("field.deliveryAddress"), kind: "textarea", rows: 2 },
    { name: "notes", label: t("field.notes"), kind: "textarea", rows: 2, hint: t("quotes.notesHint") },
    { name: "conditions", label: t("field.conditions"), kind: "textarea", rows: 2, hint: t("quotes.conditionsHint") },
    { name: "panes", label: t("requests.panes"), isShown: () => false, detail: inPanes(sent) },
    { name: "status", label: t("field.status"), isShown: () => false },
  ];
}

/** What the form shows of a quote of the API: its panes as rows, whose keys are the same each time. */
export const toValues = (quote) => ({ ...quote, panes: rowsOf(quote.panes) });

/** The rows of panes of a quote; at least one. */
export function rowsOf(panes) {
  const rows = panes.map((pane) => {
    const row = rowOf({ ...EMPTY, ...pane, rawGlass: { ...EMPTY.rawGlass, ...pane.rawGlass } }, []);
    const sheets = String(pane.rawGlass?.sheetsPerPane ?? "");
    return { ...row, sheets, quantity: String(pane.quantity ?? 1), unitPrice: String(pane.unitPrice ?? "") };
  });
  return (rows.length ? rows : [newRow()]).map((row, index) => ({ ...row, key: `row ${index}` }));
}

/** What a pane lacks of which a quote does not have it. */
const EMPTY = {
  mark: "",
  dimensions: {},
  rawGlass: { glassType: "", color: "", sheetsPerPane: 1 },
  jobType: "",
  glassType: "",
  edgeTasks: [],
  holes: [],
  notches: [],
  routing: [],
  customRouting: false,
  notes: "",
};

/** The body of a new quote. */
export const newBody = (sent) => (values) =>
  withoutEmpty({ ...values, customer: idOf(values.customer), panes: panesOf(values, sent) });

/** The body of a change. */
export const changeBody = (sent) => (values, changed) => ({
  ...changed,
  ...("customer" in changed && { customer: idOf(changed.customer) }),
  ...("panes" in changed && { panes: panesOf(values, sent) }),
});

function panesOf({ panes }, sent) {
  const rows = typedRows(panes);
  sent.current = rows.map(({ key }) => key);
  return rows.map(toPane);
}
