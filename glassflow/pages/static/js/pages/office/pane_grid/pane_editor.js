// One row of a request beside its drawing: holes, notches, worked edges, route.
import { html, useLayoutEffect, useRef } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { CUT_SIZES } from "../../../ui/cut_sizes.js";
import { Drawing, edgeName } from "../../../ui/drawing.js";
import { Findings } from "../../../ui/findings.js";
import { Grid } from "../../../ui/grid.js";
import { money } from "../../../ui/money.js";
import { Icon } from "../../../ui/parts.js";
import RouteField from "../route_field.js";
import { useFindings } from "./check.js";
import { cutFaults, faultAt } from "./pane_faults.js";
import { newKey, readable, SIDES } from "./rows.js";

/**
 * `row` is the row of number `number`, changed by `onRow(row)`, `price` what the service says of
 * its price; `profiles` are the names of
 * worked edges. `faults` are those of the row. `onFindings` gets what `useFindings` finds in all the `rows`; `onRouteForAll()` gives
 * its route to all rows.
 */
export function PaneEditor({ row, price, number: position, profiles, faults, rows, onFindings, onRow, onRouteForAll }) {
  const findings = useFindings(rows, onFindings)(row);
  const set = (name) => (value) => onRow({ ...row, [name]: value });
  const fault = (name) => faultAt(faults, name);
  return html`<section class="card pane-editor" aria-labelledby="pane-editor">
    <h2 id="pane-editor" tabindex="-1">${t("requests.paneOf", { number: position })}</h2>
    <button type="button" class="quiet-button to-row" onClick=${() => toRow(position)}><${Icon} name="arrow-left" />${t("requests.row", { number: position })}</button>
    <${Drawing} pane=${{ ...readable(row), makeability: findings }} />
    ${price?.total && html`<${Lines} price=${price} />`}
    <div role="status">${findings.length > 0 && html`<${Findings} findings=${findings} />`}</div>
    ${["holes", "notches"].map((name) => html`<${Cuts} key=${`${row.key} ${name}`} name=${name} cuts=${row[name]}
      onCuts=${set(name)} faults=${faults} path=${name} />`)}
    <fieldset><legend>${t("field.edgeTasks")}</legend>
      <${Edges} edges=${row.edges} profiles=${profiles} onEdges=${set("edges")} />
      ${fault("edges") && html`<p class="field-fault">${fault("edges")}</p>`}</fieldset>
    <fieldset><legend>${t("field.routing")}</legend>
      ${!row.routing.length && html`<p class="soft">${t("requests.noRoute")}</p>`}
      <${RouteField} value=${row.routing} onChange=${(routing) => onRow({ ...row, routing, customRouting: true })} />
      ${fault("routing") && html`<p class="field-fault">${fault("routing")}</p>`}
      <button type="button" class="quiet-button" onClick=${onRouteForAll}>${t("requests.routeForAll")}</button></fieldset>
  </section>`;
}

/** On a phone the row is far above. */
const toRow = (position) => document.querySelector(`#field-panes [data-row="${position - 1}"]`)?.focus();

/** How the price of a pane comes about. */
function Lines({ price }) {
  return html`<fieldset><legend>${t("requests.priceOfOne")}</legend>
    <table class="price-lines"><tbody>${price.lines.map(
      (line, index) => html`<tr key=${index}>
        <th scope="row">${t(`requestspart.${line.part}`)} ${line.part === "edge" ? edgeName(line.name) : line.name}</th>
        <td>${calculation(line)}</td><td>${money(line.amount)}</td></tr>`,
    )}</tbody>
      <tfoot><tr><th scope="row" colspan="2">${t("requests.price")}</th><td>${money(price.total)}</td></tr></tfoot></table></fieldset>`;
}

function calculation({ quantity, unit, rate }) {
  const [count, each] = [quantity, rate].map((one) => number(Number(one)));
  if (unit === "percent") return `${each} % × ${money(quantity)}`;
  return `${count}${unit === "piece" ? "" : ` ${t(`requestsunit.${unit}`)}`} × ${each}`;
}

const EMPTY_CUT = { x: "", y: "", diameter: "", width: "", height: "", length: "" };
const FIRST_TYPES = { holes: "circle", notches: "rectangle" };

/**
 * The holes or the notches of a pane (`name`) as a grid; their cells are texts. `faults` are
 * those of the API, which has the list at `path`.
 */
export function Cuts({ name, cuts, onCuts, faults, path }) {
  const rows = cuts.map((cut, at) => ({ key: `${name} ${at}`, ...cut }));
  const columns = cutColumns(rows);
  const { cells, own } = cutFaults(faults, path, rows.length ? columns.map((one) => one.name) : []);
  const first = name === "holes" ? t("requests.addHole") : t("requests.addNotch");
  const newCut = (previous) => ({ key: newKey(), type: previous?.type ?? FIRST_TYPES[name], ...EMPTY_CUT });
  const place = useRef();
  const isAdded = useRef(false);
  // what is typed next, where the button was
  useLayoutEffect(() => {
    if (isAdded.current) place.current.querySelector("[data-column=x]")?.focus();
    isAdded.current = false;
  }, [rows.length]);
  const add = () => {
    isAdded.current = true;
    onCuts([newCut()]);
  };
  return html`<fieldset ref=${place}><legend>${name === "holes" ? t("field.holes") : t("field.notches")}</legend>
    ${rows.length === 0
      ? html`<button type="button" class="quiet-button" onClick=${add}>${first}</button>`
      : html`<${Grid} id=${`${name}-grid`} label=${name === "holes" ? t("field.holes") : t("field.notches")}
          columns=${columns} rows=${rows} newRow=${newCut} isBlank=${({ x, y }) => !x && !y}
          faultOf=${(row, cell) => cells[`${rows.indexOf(row)}.${cell}`]}
          onRows=${(next) => onCuts(withoutLastBlank(next, rows))} />`}
    ${own && html`<p class="field-fault">${own}</p>`}</fieldset>`;
}

/** The rows after a change; none where the last one was removed, in whose place is a blank. */
const withoutLastBlank = (next, before) =>
  before.length === 1 && next.length === 1 && next[0].key !== before[0].key ? [] : next;

const SHORT = { x: "x", y: "y", diameter: "Ø" };

function cutColumns(cuts) {
  const sizes = ["diameter", "width", "height", "length"].filter((name) =>
    cuts.some(({ type }) => CUT_SIZES[type]?.includes(name)),
  );
  const cell = (name) => ({ name, title: t(`requestscut.${name}`), short: SHORT[name], kind: "number", width: "60px" });
  const types = Object.keys(CUT_SIZES).map((value) => ({ value, label: t(`requestscut.${value}`) }));
  return [
    { name: "type", title: t("requestscut.type"), kind: "select", options: types, width: "92px" },
    cell("x"),
    cell("y"),
    ...sizes.map(cell),
  ];
}

/** The work on each side, by the name of the side; `profiles` are those to choose from. */
export function Edges({ edges, profiles, onEdges }) {
  const common = SIDES.every((side) => edges[side] === edges.top) ? (edges.top ?? "") : "";
  const choice = (id, label, value, onChange) => html`<label key=${id}><span>${label}</span>
    <select id=${id} onChange=${(event) => onChange(event.target.value)}>
      <option value="" selected=${!value}>–</option>
      ${[...new Set([...profiles, ...(value ? [value] : [])])].map((one) => html`<option key=${one} value=${one} selected=${one === value}>${edgeName(one)}</option>`)}
    </select></label>`;
  return html`<div class="edges-editor">
    ${choice("edge-all", t("requests.allSides"), common, (value) => onEdges(Object.fromEntries(SIDES.map((side) => [side, value]))))}
    ${SIDES.map((side) => choice(`edge-${side}`, t(`requestsside.${side}`), edges[side] ?? "", (value) => onEdges({ ...edges, [side]: value })))}
  </div>`;
}
