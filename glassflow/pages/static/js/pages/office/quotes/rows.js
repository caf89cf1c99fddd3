// The panes of a quote that is written: rows as those of a request, with agreed prices.
import { html } from "../../../../vendor/ui.js";
import { idOf } from "../../../core/records.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { cellName } from "../pane_grid/pane_faults.js";
import { PaneRows, PRICE } from "../pane_grid/pane_rows.js";
import { readSetup } from "../pane_grid/setup.js";

/** `id` is the quote, whose prices are kept; `values`, `set` and `error` are those of its form. */
export default function QuoteRows({ id, values, set, error, sent }) {
  const setup = useResource("setup of a quote", () => [readSetup, { "jobType:updated": () => undefined }]);
  const asked = {
    path: "/quotes/price",
    ...(id && { quote: id }),
    customer: idOf(values.customer),
    isRush: Boolean(values.isRush),
    discountPercent: isPercent(values.discountPercent) ? values.discountPercent : null,
  };
  return html`<${Loaded} of=${setup}>${() => html`<${PaneRows} rows=${values.panes} asked=${asked} columns=${AGREED()}
    ...${setup.value} faults=${error?.faults ?? []} sent=${sent} onRows=${(panes) => set("panes", panes)} />`}<//>`;
}

const isPercent = (value) => Number.isFinite(value) && value >= 0 && value <= 100;

const AGREED = () => [
  {
    name: "unitPrice",
    title: cellName("unitPrice"),
    kind: "number",
    unit: PRICE,
    width: "72px",
    names: ["ราคา", "ราคาต่อหน่วย", "ราคาต่อแผ่น", "price", "unitprice"],
  },
];
