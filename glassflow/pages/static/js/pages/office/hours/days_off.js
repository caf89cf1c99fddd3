// The days on which the workshop does not work: a list, one more by hand, and Thailand's holidays.
import { html, useState } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { number, t } from "../../../core/i18n.js";
import { lang } from "../../../core/preferences.js";
import { explain } from "../../../ui/fault.js";
import { Icon } from "../../../ui/parts.js";
import { dayOffWord, dayWord } from "../hours_words.js";
import { faultsIn, MOST_LETTERS, withDayOff, withHolidays } from "./model.js";

export const NOT_TYPED = { date: "", name: "" };

/**
 * `value` is the list; days before `today` are not shown, and stay. `typed` is the day that is being typed,
 * `onTyped(day)` changes it. `faults` are those of the API in the values `sent`; `onChange(list)`.
 */
export function DaysOff({ value, today, typed, faults, sent, readOnly, onTyped, onChange }) {
  const shown = value.filter(({ date }) => date >= today);
  const own = faults.filter(({ field }) => field === "daysOff");
  return html`${shown.length > 0
    ? html`<ul class="days-off">${shown.map((day) => html`<${DayOff} key=${day.date} day=${day} messages=${faultsIn(day, faults, sent)}
        onRemove=${!readOnly && (() => onChange(value.filter((one) => one !== day)))} />`)}</ul>`
    : html`<p class="soft">${t("hours.noDaysOff")}</p>`}
    ${!readOnly && html`<${Add} value=${value} today=${today} typed=${typed} messages=${own.map(({ message }) => message)} onTyped=${onTyped} onChange=${onChange} />
      <${Holidays} value=${value} today=${today} onChange=${onChange} />`}`;
}

function DayOff({ day, messages, onRemove }) {
  const words = t("hours.removeDay", { day: dayOffWord(day) });
  return html`<li><time datetime=${day.date}>${dayWord(day.date)}</time><span>${day.name}</span>
    ${onRemove && html`<button type="button" class="icon-button" aria-label=${words} title=${words}
      onClick=${onRemove}><${Icon} name="x" /></button>`}
    ${messages.length > 0 && html`<p class="field-fault">${messages.join(" ")}</p>`}</li>`;
}

/** A day that is typed; `messages` are the faults of the whole list. */
function Add({ value, today, typed, messages, onTyped, onChange }) {
  const [isRefused, setRefused] = useState(false);
  const fault = isRefused ? faultOf(typed, value, today) : undefined;
  const said = [fault, ...messages].filter(Boolean).join(" ");
  const add = () => {
    const refused = faultOf(typed, value, today) !== undefined;
    setRefused(refused);
    if (refused) return;
    onChange(withDayOff(value, typed));
    onTyped(NOT_TYPED);
  };
  const onKeyDown = (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault(); // the form would be saved without this day
    add();
  };
  const shared = { onKeyDown, "aria-describedby": said ? "day-off-fault" : undefined };
  return html`<div class="add-day-off">
    <div class="field"><label for="day-off-date">${t("hours.date")}</label>
      <input id="day-off-date" type="date" min=${today} value=${typed.date} aria-invalid=${said ? "true" : undefined}
        onInput=${({ target }) => onTyped({ ...typed, date: target.value })} ...${shared} /></div>
    <div class="field"><label for="day-off-name">${t("hours.dayName")}</label>
      <input id="day-off-name" type="text" autocomplete="off" maxlength=${MOST_LETTERS} value=${typed.name}
        onInput=${({ target }) => onTyped({ ...typed, name: target.value })} ...${shared} /></div>
    <button type="button" class="quiet-button" onClick=${add}><${Icon} name="plus" />${t("hours.addDay")}</button>
    ${said && html`<p class="field-fault" id="day-off-fault">${said}</p>`}</div>`;
}

/** Why a day cannot be added; undefined if it can. */
function faultOf({ date }, daysOff, today) {
  if (!date) return t("hours.dateMissing");
  if (date < today) return t("hours.dateOver");
  return daysOff.some((day) => day.date === date) ? t("hours.dateTwice") : undefined;
}

function Holidays({ value, today, onChange }) {
  const [{ reading, added, error }, setState] = useState({});
  const fill = async () => {
    setState({ reading: true });
    try {
      const { data } = await api("/working-hours/holidays");
      const filled = withHolidays(value, data, today, lang.value);
      onChange(filled.daysOff);
      setState({ added: { count: number(filled.count), day: dayWord(filled.until) } });
    } catch (failure) {
      setState({ error: failure });
    }
  };
  return html`<div class="holidays"><button type="button" class="quiet-button" disabled=${reading} onClick=${fill}>
      <${Icon} name=${reading ? "hourglass" : "download"} />${t("hours.holidays")}</button>
    <p role="status">${added && t("hours.added", added)}</p>
    <div role="alert">${error && html`<p class="field-fault">${explain(error)}</p>`}</div></div>`;
}
