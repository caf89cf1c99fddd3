// The changes of a record: when, by whom and by what, and each field before and after.
import { html, useEffect, useRef, useState } from "../../../vendor/ui.js";
import { api } from "../../core/api.js";
import { dateTime, t } from "../../core/i18n.js";
import { explain } from "../../ui/fault.js";
import { Icon } from "../../ui/parts.js";
import { Loaded, useResource } from "../../ui/use_resource.js";
import { actionWord, differences, hiddenWords, labelOf, valueWord } from "./change_words.js";

const PAGE = 25;
const NOT_READ = { rows: [], isAll: false, error: null };
const MOST_OF_NEW = 8; // values of a new record that are listed

async function read(path, before) {
  const asked = { populate: "true", limit: String(PAGE), ...(before && { before }) };
  return (await api(`${path}/history?${new URLSearchParams(asked)}`)).data;
}

export default function Changes({ path, version, fields }) {
  const newest = useResource(`history ${path}`, () => [() => read(path)]);
  const [earlier, setEarlier] = useState(NOT_READ);
  const seen = useRef(version);
  useEffect(() => {
    // the record was changed while it is shown
    if (version === seen.current) return;
    seen.current = version;
    setEarlier(NOT_READ);
    newest.load();
  }, [version]);
  return html`<${Loaded} of=${newest}>${() => {
    const rows = [...newest.value, ...earlier.rows];
    if (!rows.length) return html`<p class="soft">${t("history.none")}</p>`;
    const isAll = earlier.isAll || newest.value.length < PAGE;
    const more = async () => {
      try {
        const found = await read(path, rows.at(-1).seq);
        setEarlier({ rows: [...earlier.rows, ...found], isAll: found.length < PAGE, error: null });
      } catch (error) {
        setEarlier({ ...earlier, error });
      }
    };
    return html`<ol class="timeline changes">${rows.map((row) => html`<${Change} key=${row.seq} row=${row} fields=${fields} />`)}</ol>
      ${!isAll && html`<button type="button" class="quiet-button" onClick=${more}>
        <${Icon} name="chevron-down" />${t("history.more")}</button>`}
      <p role="alert">${earlier.error && html`<span class="field-fault"><${Icon} name="circle-alert" /> ${explain(earlier.error)}</span>`}</p>`;
  }}<//>`;
}

function Change({ row, fields }) {
  return html`<li>
    <p><strong>${actionWord(row.action)}</strong></p>
    <${Changed} row=${row} fields=${fields} most=${MOST_OF_NEW} />
    <p class="soft"><time datetime=${row.at}>${dateTime(new Date(row.at))}</time>
      <span>${who(row)}</span></p>
  </li>`;
}

/** The side of a change that has the values of a whole record. */
const WHOLE = { created: "to", restored: "to", deleted: "from" };

/** The changed fields; of a whole record the values that it has or had, unless there are more than `most`. */
export function Changed({ row: { action, changes, hidden: names }, fields, most = Number.POSITIVE_INFINITY }) {
  const side = WHOLE[action];
  const all = differences(changes).filter((one) => !side || (one[side] !== "" && one[side]?.length !== 0));
  const hidden = hiddenWords(names);
  const rows = side && all.length > most ? [] : all;
  return html`${rows.length > 0 && html`<dl class="change">${rows.map((one) => html`
      <div key=${one.names.join(".")}><dt>${labelOf(one.names, fields)}</dt><dd><${Values} ...${one} side=${side} fields=${fields} /></dd></div>`)}</dl>`}
    ${!side && hidden && html`<p>${hidden}</p>`}
    ${!side && !hidden && rows.length === 0 && names.length > 0 && html`<p class="soft">${t("history.hidden")}</p>`}`;
}

/** A value before and after; of a whole record, the one on that `side`. */
function Values({ names, from, to, side, isPart, fields }) {
  const [before, after] = [from, to].map((value) => valueWord(names, value, fields, isPart));
  if (side) return html`<ins>${side === "to" ? after : before}</ins>`;
  if (isPart)
    return html`${from.length > 0 && html`<span>${t("history.removed")} <del>${before}</del> </span>`}
    ${to.length > 0 && html`<span>${t("history.added")} <ins>${after}</ins></span>`}`;
  if (before === after) return html`<ins>${Array.isArray(to) ? t("history.changed") : after}</ins>`; // one of two holes; seconds later
  return html`<span class="visually-hidden">${t("history.from")} </span><del>${before}</del>
    <${Icon} name="arrow-right" />
    <span class="visually-hidden">${t("history.to")} </span><ins>${after}</ins>`;
}

/** Who made a change, and by what where that was no login of the person. */
export function who({ by, via, viaName }) {
  const name = by?.name ?? (by && t("history.someone"));
  const what = via === "token" ? "" : t(`historyvia.${via}`, { name: viaName ?? "" });
  return [name, what].filter(Boolean).join(" · ");
}
