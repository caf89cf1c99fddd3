// The panes of a new request as a grid, with the chosen one and its drawing beside it.
import { html, useEffect, useRef, useState } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { explain } from "../../../ui/fault.js";
import { Grid } from "../../../ui/grid.js";
import { withTable } from "../../../ui/grid_paste.js";
import { Lazy } from "../../../ui/lazy.js";
import { Reference } from "../../../ui/reference.js";
import { cellName, faultAt, ofRow } from "./pane_faults.js";
import { RowPrice, Sum, usePrice } from "./price.js";
import { doubtOf, faultsOfRows, rowFaults, tooMany } from "./row_faults.js";
import { isBlank, newRow, withJobType } from "./rows.js";
import { profilesOf, typedRows } from "./setup.js";

const PIECES = /\s*(แผ่น|ชิ้น|บาน|pcs\.?|pieces?|panes?)$/i;
const SHEETS = /\s*(ชั้น|แผ่น|sheets?|plies|ply)$/i;
/** What may stand behind a price. */
export const PRICE = /\s*(บาท|baht|thb)$/i;
const DOUBTED = ["width", "height", "glassType"];
const readFile = () => import("./read_file.js");
const addJobType = () => import("./add_job_type.js");

/**
 * `rows` are changed by `onRows`. `asked` is what their price depends on, as `usePrice` takes it;
 * `columns` are further ones, before the price. `prices` is the price list, for names of glass and edges;
 * `faults` are those of the form or the API, of the rows to whose keys `sent` refers; it gets `check(rows, name)`.
 */
export function PaneRows({
  heading = t("requests.panes"),
  rows,
  asked,
  columns: own = [],
  jobTypes,
  prices,
  faults,
  sent,
  onRows,
}) {
  const [selected, setSelected] = useState(rows[0].key);
  const price = usePrice(rows, asked);
  const [findingOf, setFindingOf] = useState();
  const PaneEditor = usePaneEditor();
  const at = Math.max(
    0,
    rows.findIndex(({ key }) => key === selected),
  );
  const row = rows[at];
  sent.check = (panes, name) => faultsOfRows(panes, name, sent);
  const place = (one) => sent.current.indexOf(one.key);
  const typed = (one) => (isBlank(one) ? [] : rowFaults(one));
  const known = new Map(rows.map((one) => [one.key, [...typed(one), ...ofRow(faults, place(one))]]));
  const newest = useRef(); // what is typed while the panes are read stays
  newest.current = rows;
  const [failure, setFailure] = useState(null);
  const withPanes = async (id) => {
    setFailure(null);
    try {
      const { readCopied } = await import("./copied_rows.js");
      const copied = await readCopied(id);
      if (copied.length) onRows([...newest.current.filter((one) => !isBlank(one)), ...copied]);
    } catch (error) {
      setFailure(error);
    }
  };
  const doubted = new Map(
    rows.map((one) => [one.key, Object.fromEntries(DOUBTED.map((cell) => [cell, doubtOf(one, cell, prices)]))]),
  );
  const marked = (one) =>
    DOUBTED.filter((cell) => doubted.get(one.key)[cell] && !faultAt(known.get(one.key), cell)).length;
  const sumOf = (count) => rows.reduce((sum, one) => sum + count(one), 0);
  const putIn = (table, ofFile) => {
    const next = withTable({ rows: newest.current, table, newRow, isBlank, marks: { ofFile } });
    const many = tooMany(typedRows(next));
    if (!many) onRows(next);
    return many;
  };
  const takeOut = (id) => {
    const left = newest.current.filter(({ ofFile }) => ofFile !== id);
    onRows(left.length ? left : [newRow()]);
  };
  const [adding, setAdding] = useState(null); // the row that gets a new job type
  const shown = columns(jobTypes, prices, price, setAdding, own);
  const withNew = (code, jobType) => {
    setAdding(null);
    onRows(newest.current.map((one) => (one.key === adding.key ? withJobType(one, code, jobType) : one)));
  };
  return html`<div class="pane-rows">
    <section aria-labelledby="pane-rows">
      <h2 id="pane-rows">${heading}</h2>
      <p class="soft">${t("requests.panesHint")}</p>
      <${Lazy} load=${readFile} columns=${shown} onTable=${putIn} onUndo=${takeOut} faults=${sumOf(({ key }) => known.get(key).length)} doubts=${sumOf(marked)} />
      <${Grid} id="field-panes" label=${t("requests.panes")} columns=${shown} rows=${rows}
        onRows=${onRows} newRow=${newRow} isBlank=${isBlank} faultOf=${({ key }, name) => faultAt(known.get(key), name)} hasFault=${({ key }) => known.get(key).length > 0} findingOf=${(one, cell) => findingOf?.(one, cell) ?? doubted.get(one.key)?.[cell]}
        selected=${row.key} onSelect=${setSelected} opens=${(number) => t("requests.paneOf", { number })} onOpen=${PaneEditor && openEditor} />
      ${adding && html`<${Lazy} load=${addJobType} onSaved=${withNew} onClose=${() => setAdding(null)} />`}
      <${Sum} price=${price} rows=${rows} />
      <label class="copy-panes"><span>${t("requests.copyPanes")}</span>
        <${Reference} resource="requests" query=${{ populate: "customer" }} value=${null} nameOf=${requestName}
          onChange=${(id) => id && withPanes(id)} shared=${{ id: "copy-panes" }} /></label>
      <div role="alert">${failure && html`<p class="field-fault">${explain(failure)}</p>`}</div>
    </section>
    ${PaneEditor && html`<${PaneEditor} row=${row} price=${price?.byKey.get(row.key)} number=${at + 1} profiles=${profilesOf(prices)} faults=${known.get(row.key)}
      rows=${rows} onFindings=${setFindingOf} onRow=${(next) => onRows(rows.map((one) => (one.key === row.key ? next : one)))}
      onRouteForAll=${() => onRows(rows.map((one) => ({ ...one, routing: row.routing, customRouting: row.customRouting })))} />`}
  </div>`;
}

/** On a phone the pane is below the cards of all rows. */
const openEditor = () => document.getElementById("pane-editor")?.focus();

/** What is beside the grid is loaded after it, and not missed where that fails. */
function usePaneEditor() {
  const [component, setComponent] = useState(null);
  useEffect(() => {
    import("./pane_editor.js").then(
      (module) => setComponent(() => module.PaneEditor),
      () => {},
    );
  }, []);
  return component;
}

const requestName = ({ requestNumber, customer, details }) =>
  [requestNumber, customer?.name, details?.type].filter(Boolean).join(" · ");

function columns(jobTypes, prices, price, addJobType, own) {
  const byCode = (code) => jobTypes.find((one) => one.code === code);
  const thicknesses = [...new Set(Object.values(prices.glassPrices).flatMap((rows) => Object.keys(rows)))]
    .map((one) => one.replace("mm", ""))
    .sort((one, other) => Number(one) - Number(other));
  return [
    {
      name: "width",
      title: cellName("width"),
      kind: "number",
      width: "64px",
      names: ["กว้าง", "ความกว้าง", "width", "w"],
      needed: true,
    },
    {
      name: "height",
      title: cellName("height"),
      kind: "number",
      width: "64px",
      names: ["สูง", "ความสูง", "ยาว", "ความยาว", "height", "length", "h"],
      needed: true,
    },
    {
      name: "quantity",
      title: cellName("quantity"),
      kind: "number",
      unit: PIECES,
      width: "60px",
      names: ["จำนวน", "จำนวนแผ่น", "แผ่น", "quantity", "qty", "pcs", "count"],
    },
    {
      name: "jobType",
      title: cellName("jobType"),
      kind: "select",
      width: own.length ? "112px" : "132px",
      grow: "26%",
      names: ["ประเภทงาน", "ชนิดงาน", "งาน", "ประเภท", "jobtype", "job", "type"],
      options: jobTypes.map(({ code, name }) => ({ value: code, label: name })),
      empty: !jobTypes.length && may("job_types:view") && t("requests.noJobTypes"),
      adds: may("job_types:manage") && { label: t("requests.addJobType"), onAdd: addJobType },
      set: (row, code) => withJobType(row, code, byCode(code)),
    },
    {
      name: "glassType",
      title: cellName("glassType"),
      width: "80px",
      names: ["กระจก", "ชนิดกระจก", "glass", "glasstype"],
      suggestions: Object.keys(prices.glassPrices),
    },
    {
      name: "thickness",
      title: cellName("thickness"),
      kind: "number",
      width: "60px",
      names: ["หนา", "ความหนา", "thickness", "thick", "t"],
      suggestions: thicknesses,
    },
    { name: "color", title: cellName("color"), width: "58px", names: ["สี", "color", "colour"] },
    {
      name: "sheets",
      title: cellName("sheets"),
      kind: "number",
      unit: SHEETS,
      width: "52px",
      names: ["ชั้น", "จำนวนชั้น", "sheets", "plies"],
    },
    {
      name: "mark",
      title: cellName("mark"),
      width: "54px",
      names: ["ตำแหน่ง", "ตำแหน่งติดตั้ง", "รหัส", "มาร์ค", "มาร์ก", "mark", "marks", "pos", "position", "tag", "ref"],
    },
    {
      name: "notes",
      title: cellName("notes"),
      width: "74px",
      grow: "16%",
      names: ["หมายเหตุ", "notes", "note", "remark", "remarks"],
    },
    ...own,
    {
      name: "price",
      title: t("requests.price"),
      kind: "number",
      width: "104px",
      draw: (row) => html`<${RowPrice} row=${row} price=${price?.byKey.get(row.key)} all=${price} />`,
    },
  ];
}
