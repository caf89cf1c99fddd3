// An editable grid: typed into cell by cell, with the keys of a spreadsheet, or pasted from one.
import { html, useLayoutEffect, useRef } from "../../vendor/ui.js";
import { t } from "../core/i18n.js";
import { cellsOf, pasted, withCell } from "./grid_paste.js";
import { Icon } from "./parts.js";

/**
 * `rows` have a `key` each, and the text of a cell under the name of its column. `columns` are
 * {name, title, short, kind, unit, width, grow, names, needed, options, empty, adds, suggestions, placeholder, set, draw}: `kind` "text",
 * "number" (`unit` matches one that may be typed behind it, a length by default) or "select" (of `options` [{value, label}]; `empty` is the label of no value, `adds` a last
 * choice {label, onAdd(row)} that is no value); `suggestions` for a text; `placeholder(row)` is shown in an empty cell; `names` are further
 * words for the header of what is pasted, in which a row has something in a `needed` column; `set(row, value)` returns the row where a value
 * changes more than its cell; `draw(row)` shows what cannot be typed. `width` is in CSS, as is
 * `grow`, which part of the grid a column takes where there is room,
 * `short` the heading where the title is too long.
 *
 * Tab goes to the next cell, Enter to the next row (to the column where Tab began, and to a
 * new row after the last), arrows to cells beside, Ctrl D copies the cell above.
 *
 * `onRows(rows)` gets changed rows; `newRow(previous)` makes one, and `isBlank(row)` says that
 * nothing was typed. `faultOf(row, name)` is the fault of a cell, and `hasFault(row)` marks a row,
 * also for what no cell shows. `findingOf(row, name)` is a finding {level, least, most, actual}, or with words of its own {level, words}, about
 * a cell, or without a name about the row. `selected` is the key of the
 * row that `onSelect(key)` has marked. On a phone each row has a button `opens(number)`, which marks it and calls `onOpen()`.
 */
export function Grid({
  id,
  label,
  columns,
  rows,
  onRows,
  newRow,
  isBlank,
  faultOf = (_row, _name) => undefined,
  hasFault = (_row) => false,
  findingOf = (_row, _name) => undefined,
  selected,
  onSelect,
  opens,
  onOpen,
}) {
  const table = useRef();
  const tabbedFrom = useRef(null); // the column where Tab began, as people type rows
  const wanted = useRef(null); // the cell to be focused once it is there
  const typed = columns.filter(({ draw }) => !draw);

  // before it is painted: what is typed at once belongs into that cell
  useLayoutEffect(() => {
    if (!wanted.current) return;
    const [row, column] = wanted.current;
    wanted.current = null;
    focusCell(row, column);
  }, [rows]);

  function focusCell(row, column) {
    const cell = table.current.querySelector(`[data-row="${row}"][data-column="${column}"]`);
    cell?.focus();
    cell?.select?.();
    return Boolean(cell);
  }

  const change = (index, next) => onRows(rows.map((one, at) => (at === index ? next : one)));
  const insert = (at, row, column = typed[0].name) => {
    wanted.current = [at, column];
    onRows([...rows.slice(0, at), row, ...rows.slice(at)]);
  };
  const remove = (index) => {
    const left = rows.filter((_, at) => at !== index);
    wanted.current = [Math.min(index, Math.max(left.length - 1, 0)), typed[0].name];
    onRows(left.length ? left : [newRow()]);
  };

  function down(row, column) {
    const name = tabbedFrom.current ?? column;
    tabbedFrom.current = null;
    if (!focusCell(row + 1, name)) insert(rows.length, newRow(rows.at(-1)), name);
  }

  function pressed(event) {
    const { row, column } = event.target.dataset;
    if (!column || event.altKey) return;
    const at = typed.findIndex(({ name }) => name === column);
    const beside = (step) => typed[at + step] && focusCell(row, typed[at + step].name);
    const isSelect = event.target.tagName === "SELECT";
    const keys = {
      Enter: () => down(Number(row), column),
      ArrowDown: () => !isSelect && focusCell(Number(row) + 1, column),
      ArrowUp: () => !isSelect && focusCell(Number(row) - 1, column),
      ArrowLeft: () => atEdge(event.target, "start") && beside(-1),
      ArrowRight: () => atEdge(event.target, "end") && beside(1),
    };
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "d" && row > 0) {
      event.preventDefault();
      return void change(Number(row), withCell(rows[row], typed[at], String(rows[row - 1][column] ?? "")));
    }
    if (event.key === "Tab") tabbedFrom.current ??= column;
    else if (event.key.startsWith("Arrow")) tabbedFrom.current = null;
    if (event.key === "Enter" || (!event.ctrlKey && keys[event.key]?.())) {
      event.preventDefault(); // Enter never sends the form
      if (event.key === "Enter") keys.Enter();
    }
  }

  function paste(event) {
    const { row, column } = event.target.dataset;
    const text = event.clipboardData.getData("text/plain");
    if (!column || !/[\t\r\n]/.test(text.trimEnd())) return;
    event.preventDefault();
    onRows(
      pasted({
        rows,
        columns: typed,
        cells: cellsOf(text),
        row: Number(row),
        column: typed.findIndex(({ name }) => name === column),
        newRow,
        isBlank,
      }),
    );
  }

  const cell = (row, index, column) => html`<${Cell} column=${column} row=${row} index=${index} id=${id}
    fault=${faultOf(row, column.name)} finding=${findingOf(row, column.name)} onChange=${(value) => change(index, withCell(row, column, value))} />`;
  return html`<div class="grid">
    <div class="grid-scroll"><table id=${id} tabindex="-1" ref=${table} aria-label=${label} onKeyDown=${pressed} onPaste=${paste}
        onPointerDown=${() => (tabbedFrom.current = null)}>
      <thead><tr><th scope="col"><span class="visually-hidden">${t("grid.row")}</span></th>
        ${columns.map(({ name, title, short, kind, width, grow }) => html`<th key=${name} scope="col" class=${kind ?? ""} style=${width && { minWidth: width, width: grow }}>
          ${short ? html`<abbr title=${title}>${short}</abbr>` : title}</th>`)}
        <th scope="col"><span class="visually-hidden">${t("grid.actions")}</span></th></tr></thead>
      <tbody>${rows.map((row, index) => html`
        <tr key=${row.key} class=${row.key === selected ? "selected" : ""} onFocusIn=${() => onSelect?.(row.key)}>
          <th scope="row" class=${hasFault(row) ? "faulty" : ""}>${index + 1}${findingOf(row) && html`<${Sign} of=${findingOf(row)} />`}</th>
          ${columns.map((column) => html`<td key=${column.name} data-title=${column.title} class=${`${column.kind ?? ""} ${column.draw ? "drawn" : ""}`}>
            ${column.draw ? column.draw(row) : cell(row, index, column)}</td>`)}
          <td class="grid-actions">
            ${onOpen && html`<button type="button" class="quiet-button open-row" onClick=${() => [onSelect(row.key), onOpen()]}>${opens(index + 1)}</button>`}
            <button type="button" class="icon-button" aria-label=${t("grid.duplicate", { row: index + 1 })}
              title=${t("grid.duplicate", { row: index + 1 })} onClick=${() => insert(index + 1, { ...row, key: newRow().key })}><${Icon} name="copy" /></button>
            <button type="button" class="icon-button" aria-label=${t("grid.remove", { row: index + 1 })}
              title=${t("grid.remove", { row: index + 1 })} onClick=${() => remove(index)}><${Icon} name="trash-2" /></button></td>
        </tr>`)}</tbody></table></div>
    <button type="button" class="quiet-button" onClick=${() => insert(rows.length, newRow(rows.at(-1)))}>
      <${Icon} name="plus" />${t("grid.add")}</button>
    ${typed.filter(({ suggestions }) => suggestions).map(({ name, suggestions }) => html`
      <datalist key=${name} id=${`${id}-${name}-list`}>${suggestions.map((one) => html`<option key=${one} value=${one} />`)}</datalist>`)}
  </div>`;
}

const ADD = "\n"; // no value of a cell, which has one line

function Cell({
  column: { name, title, kind, options, empty, adds, suggestions, placeholder },
  row,
  index,
  id,
  fault,
  finding,
  onChange,
}) {
  const value = row[name] ?? "";
  const shared = {
    "data-row": index,
    "data-column": name,
    "aria-label": t("grid.cell", { column: title, row: index + 1 }),
    "aria-invalid": fault ? "true" : undefined,
    "data-level": fault ? undefined : finding?.level,
    "aria-describedby": fault || finding ? `${id}-${index}-${name}-fault` : undefined,
  };
  const chosen = ({ target }) => {
    if (target.value !== ADD) return void onChange(target.value);
    target.value = value;
    adds.onAdd(row);
  };
  const known = kind !== "select" || value === "" || options.some((one) => one.value === value);
  return html`${kind === "select"
    ? html`<select onChange=${chosen} title=${options.find((one) => one.value === value)?.label} ...${shared}>
        <option value="" selected=${value === ""}>${empty}</option>
        ${!known && html`<option value=${value} selected>${value}</option>`}
        ${options.map((one) => html`<option key=${one.value} value=${one.value} selected=${one.value === value}>${one.label}</option>`)}
        ${adds && html`<option value=${ADD}>${adds.label}</option>`}
      </select>`
    : html`<input type="text" autocomplete="off" inputmode=${kind === "number" ? "decimal" : undefined} value=${value} placeholder=${placeholder?.(row)}
        list=${suggestions ? `${id}-${name}-list` : undefined} onInput=${(event) => onChange(event.target.value)} ...${shared} />`}
    ${(fault || finding) && html`<small class=${`field-fault ${fault ? "" : finding.level} ${!fault && finding.words ? "words" : ""}`} id=${`${id}-${index}-${name}-fault`}>
      ${fault || html`<${Sign} of=${finding} />${finding.words ?? (finding.least === null ? `≤ ${finding.most}` : `≥ ${finding.least}`)}`}</small>`}`;
}

const Sign = ({ of: { level } }) => html`<${Icon} name=${level === "refusal" ? "circle-alert" : "triangle-alert"} />`;

/** Whether an arrow leaves a cell: the caret is at its start or end, or all is selected. */
function atEdge(input, edge) {
  if (input.tagName === "SELECT") return true;
  const { selectionStart: start, selectionEnd: end, value } = input;
  if (start === 0 && end === value.length) return true;
  return start === end && start === (edge === "start" ? 0 : value.length);
}
