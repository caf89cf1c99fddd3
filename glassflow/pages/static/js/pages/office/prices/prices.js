// The price list as tables like those of a spreadsheet.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../../../../vendor/ui.js";
import { api, Refused } from "../../../core/api.js";
import { dateTime, number, t } from "../../../core/i18n.js";
import { joinRoom } from "../../../core/live.js";
import { may } from "../../../core/permissions.js";
import { connection } from "../../../core/events.js";
import { explain } from "../../../ui/fault.js";
import { keepDraft, readDraft, warnBeforeLeaving } from "../../../ui/form.js";
import { Grid } from "../../../ui/grid.js";
import { Icon } from "../../../ui/parts.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import History from "../history.js";
import { Head, Office } from "../layout.js";
import { Collisions } from "./collisions.js";
import {
  adopted,
  AMOUNTS,
  bare,
  cellsOf,
  changedParts,
  COLUMNS,
  faultsIn,
  isBlankGlass,
  isBlankPair,
  isTyped,
  newPair,
  newRow,
  partsOf,
  TABLES,
  tablesOf,
  typedCells,
  withCells,
  withKeys,
} from "./model.js";
import { ReadOnly } from "./read_only.js";

export const title = "office.prices";
export const styles = ["ui/grid", "pages/office/prices/prices"];

const PATH = "/pricing-settings";
const STALE = 412;

export default function Prices() {
  const list = useResource("prices", () => [
    async () => (await api(PATH)).data,
    { "pricing:updated": () => undefined },
  ]);
  const isLive = connection.value.state === "live";
  useEffect(() => {
    if (isLive) joinRoom("pricing").then(list.load, () => {}); // what changed before is not sent
  }, [isLive]);
  return html`<${Office}><${Head}><h1 tabindex="-1">${t("office.prices")}</h1>
      ${may("panes:view") && html`<a class="quiet-button" href="/floor/office/prices/limits">${t("office.makeability")}</a>`}<//>
    ${list.value?.isExample && html`<${Example} list=${list.value} onSaved=${list.put} onStale=${list.load} />`}
    <${Loaded} of=${list}>${() => (may("pricing:manage")
      ? html`<${Editor} list=${list.value} onStale=${list.load} />`
      : html`<${ReadOnly} list=${list.value} />`)}<//>
    ${list.value && html`<${History} path=${PATH} version=${list.value.version} />`}<//>`;
}

/** Says that the prices are not the workshop's own until somebody changes them, or takes them as they are. */
function Example({ list, onSaved, onStale }) {
  const [error, setError] = useState(null);
  const take = async () => {
    try {
      const headers = { "If-Match": `"${list.version}"` };
      onSaved((await api(PATH, { method: "PUT", body: { isExample: false }, headers })).data);
    } catch (failure) {
      setError(failure);
      if (failure.status === STALE) onStale();
    }
  };
  return html`<section class="card price-example" aria-labelledby="example">
    <h2 id="example"><${Icon} name="triangle-alert" />${t("prices.example")}</h2>
    <p>${t("prices.exampleHint")}</p>
    ${may("pricing:manage") && html`<p class="form-buttons"><button type="button" class="quiet-button" onClick=${take}>
      <${Icon} name="check" />${t("prices.exampleTake")}</button></p>`}
    <div role="alert">${error && html`<p class="fault">${explain(error)}</p>`}</div></section>`;
}

/**
 * The tables of a price list, changed with `method` at `path`, where an answer is the list.
 * `amounts` are those that are shown, `needed` those that must have a value; what was typed is
 * kept as `draft`. `onSaved()`: the list was saved; `onStale()`: the service has a newer one.
 */
export function Editor({
  list,
  path = PATH,
  method = "PUT",
  draft: draftName = path,
  amounts = AMOUNTS,
  needed = amounts,
  onSaved,
  onStale,
}) {
  const [draft] = useState(() => readDraft(draftName));
  const base = useRef(draft?.list ?? list); // what was typed is based on it
  const [tables, setTables] = useState(() => (draft ? withKeys(draft.tables) : tablesOf(cellsOf(list))));
  const [collisions, setCollisions] = useState(draft?.collisions ?? []);
  const [state, setState] = useState({});
  const form = useRef();
  const newest = useRef(); // also of a save that began before
  newest.current = tables;
  const undecided = useRef();
  undecided.current = collisions;
  const sent = useRef(); // the cells that are being saved
  const parts = changedParts(cellsOf(base.current), typedCells(tables), base.current);
  const isChanged = Object.keys(parts).length > 0;
  const hasTyped = isTyped(tables, base.current);

  useLayoutEffect(() => {
    if (!(list.version > base.current.version)) return;
    adopt(list);
    if (!sent.current) setState({ merged: isChanged });
  }, [list.version]);
  useLayoutEffect(
    () => keepDraft(draftName, hasTyped && { list: base.current, tables: bare(tables), collisions }),
    [tables, collisions],
  );
  useEffect(() => warnBeforeLeaving(hasTyped), [hasTyped]);
  useLayoutEffect(() => form.current?.querySelector("[aria-invalid=true]")?.focus(), [state.faults]);

  /** Go on from a newer list, with what was typed here. */
  function adopt(next) {
    const found = adopted(base.current, newest.current, next, sent.current, undecided.current);
    base.current = next;
    setTables(found.tables);
    setCollisions(found.collisions);
  }

  function takeTheirs() {
    setTables(
      withCells(tables, (cells) => {
        for (const { path, theirs } of collisions) {
          if (theirs === undefined) cells.delete(path);
          else cells.set(path, theirs);
        }
        return cells;
      }),
    );
    setCollisions([]);
  }

  async function save(event) {
    event.preventDefault();
    const faults = faultsIn(tables, needed);
    if (Object.keys(faults).length) return void setState({ faults });
    setState({ sending: true });
    sent.current = typedCells(tables);
    try {
      const headers = { "If-Match": `"${base.current.version}"` };
      const { data } = await api(path, { method, body: parts, headers });
      if (data.version > base.current.version) adopt(data);
      setState({ saved: true });
      onSaved?.();
    } catch (error) {
      setState({ error });
      if (error instanceof Refused && error.status === STALE) onStale();
    } finally {
      sent.current = undefined;
    }
  }

  const change = (part) => (value) => [
    setTables((before) => ({ ...before, [part]: value })),
    setState(({ sending }) => ({ sending })),
  ];
  const faultOf = (key, column, field) => {
    const code = state.faults?.[key]?.[column];
    if (code) return t(`pricefault.${code}`);
    const found = state.error?.faults?.find((one) => one.field === field);
    return found?.message;
  };
  const pairs = (part) =>
    html`<${Pairs} key=${part} part=${part} rows=${tables[part]} onRows=${change(part)} faultOf=${faultOf} />`;
  const amount = (name) => html`<${Amount} key=${name} name=${name} value=${tables.amounts[name]}
    fault=${faultOf(name, name, name)} onChange=${(value) => change("amounts")({ ...tables.amounts, [name]: value })} />`;
  return html`<form ref=${form} class="prices form" onSubmit=${save} noValidate>
    <${Outcome} ...${state} />
    ${collisions.length > 0 && html`<${Collisions} collisions=${collisions} onTake=${takeTheirs} onKeep=${() => setCollisions([])} />`}
    <section class="card" aria-labelledby="glass"><h2 id="glass">${t("prices.glass")}</h2>
      <${Grid} id="glass-prices" label=${t("prices.glass")} columns=${glassColumns(tables.glass)} rows=${tables.glass}
        onRows=${change("glass")} newRow=${newRow} isBlank=${isBlankGlass}
        faultOf=${(row, name) => faultOf(row.key, name, fieldOf(row, name))} /></section>
    <div class="price-tables">${partsOf(base.current).map(pairs)}</div>
    <section class="card" aria-labelledby="amounts"><h2 id="amounts">${t("prices.others")}</h2>
      <div class="fields price-amounts">${amounts.map(amount)}</div></section>
    <div class="form-buttons price-save">
      <button class="main-button" disabled=${!isChanged || state.sending || collisions.length > 0}>
        <${Icon} name=${state.sending ? "hourglass" : "check"} />${t("form.save")}</button>
      ${hasTyped && html`<button type="button" class="quiet-button" onClick=${() => [setTables(tablesOf(cellsOf(base.current))),
        setCollisions([]), setState({})]}><${Icon} name="undo-2" />${t("form.discard")}</button>`}
      <p role="status">${state.saved && html`<span class="saved"><${Icon} name="circle-check" />${t("form.saved")}</span>`}
        ${state.merged && t("prices.merged")}</p>
      <p class="soft">${base.current.updatedAt && t("prices.changedAt", { time: dateTime(new Date(base.current.updatedAt)) })}</p>
    </div></form>`;
}

const fieldOf = ({ type, thickness }, column) => {
  const place = `glassPrices.${type}.${thickness}`;
  if (column === "thickness") return place;
  return `${place}.${column === "pricePerSqFt" ? column : `grindingRate.${column}`}`;
};

function glassColumns(rows) {
  const suggestions = [...new Set(rows.map(({ type }) => type).filter(Boolean))];
  return [
    { name: "type", title: t("prices.type"), width: "180px", suggestions, names: ["glass type", "ชนิดกระจก", "ชนิด"] },
    { name: "thickness", title: t("prices.thickness"), width: "110px", names: ["thickness", "ความหนา", "หนา"] },
    ...COLUMNS.map((name) => ({ name, title: t(`prices.${name}`), kind: "number", width: "120px", names: [name] })),
  ];
}

/** A table of two columns. */
function Pairs({ part, rows, onRows, faultOf }) {
  const { name, value, isList } = TABLES[part];
  const title = t(`prices.${part}`);
  const columns = [
    { name, title: t(`prices.${name}`), kind: isList ? "number" : undefined, width: "200px", names: [name] },
    { name: value, title: t(`priceunit.${part}`), kind: "number", width: "110px", names: [value] },
  ];
  return html`<section class="card" aria-labelledby=${part}><h2 id=${part}>${title}</h2>
    <p class="soft">${t(`pricehint.${part}`)}</p>
    <${Grid} id=${`${part}-grid`} label=${title} columns=${columns} rows=${rows} onRows=${onRows} newRow=${newPair}
      isBlank=${isBlankPair(part)} faultOf=${(row, column) => faultOf(row.key, column, `${part}.${row[name]}`)} /></section>`;
}

function Amount({ name, value, fault, onChange }) {
  const id = `price-${name}`;
  return html`<div class="field"><label for=${id}>${t(`prices.${name}`)}</label>
    <span class="with-unit"><input id=${id} type="text" inputmode="decimal" autocomplete="off" value=${value}
      aria-invalid=${fault ? "true" : undefined} aria-describedby=${fault ? `${id}-fault` : undefined}
      onInput=${(event) => onChange(event.target.value)} /><span>${t(`priceunit.${name}`)}</span></span>
    ${fault && html`<p class="field-fault" id=${`${id}-fault`}>${fault}</p>`}</div>`;
}

/** What went wrong, in a sentence. */
function Outcome({ error, faults }) {
  const stale = error instanceof Refused && error.status === STALE;
  if (stale || (!error && !faults)) return html`<div role="alert"></div>`;
  const refused = error?.faults ?? []; // shown in their cells, too
  const count = faults
    ? Object.values(faults).reduce((sum, columns) => sum + Object.keys(columns).length, 0)
    : refused.length;
  const known = error instanceof Refused && error.status < 500;
  const said =
    count > 0
      ? [t("prices.faults", { count: number(count) }), ...refused.map(({ message }) => message)].join(" ")
      : known
        ? error.message
        : explain(error);
  return html`<div role="alert"><div class="fault"><${Icon} name="circle-alert" /><div><p>${said} <small>${t("form.kept")}</small></p>
    ${error?.requestId && html`<small>${t("fault.request")} <code>${error.requestId}</code></small>`}</div></div></div>`;
}
