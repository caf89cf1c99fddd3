// The seven days of a week, each with the spans in which the workshop works.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { Icon } from "../../../ui/parts.js";
import { lengthWord, spansWord, weekday, WEEKDAYS } from "../hours_words.js";
import { endsNextDay, faultsIn, likeMonday, MOST_SPANS, sumOf, withDay } from "./model.js";

/** `faults` are those of the API in the values `sent`; `onChange(week)`. */
export function Week({ value, faults, sent, readOnly, onChange }) {
  const sum = sumOf(value);
  const own = faults.filter(({ field }) => field === "week" && sent.week === value);
  return html`<ul class="week">${WEEKDAYS.map((day) => html`<${Day} key=${day} day=${day} spans=${value[day]} readOnly=${readOnly}
      messages=${faultsIn(value[day], faults, sent)} isWrong=${(span) => faultsIn(span, faults, sent).length > 0}
      onChange=${(spans) => onChange({ ...value, [day]: spans })} onWorks=${(works) => onChange(withDay(value, day, works))} />`)}</ul>
    ${own.map(({ message }) => html`<p class="field-fault" key=${message}>${message}</p>`)}
    <div class="week-foot">${sum && html`<p class="week-sum">${t("hours.sum", { week: lengthWord(sum.minutes), day: lengthWord(sum.dayMinutes) })}</p>`}
      ${!readOnly && html`<button type="button" class="quiet-button" disabled=${!value.monday.length} onClick=${() => onChange(likeMonday(value))}>
        <${Icon} name="copy" />${t("hours.likeMonday")}</button>`}</div>`;
}

function Day({ day, spans, readOnly, messages, isWrong, onChange, onWorks }) {
  const name = weekday(day);
  const nextDay = spans.filter(endsNextDay).map(({ end }) => t("hours.nextDay", { time: end }));
  if (readOnly)
    return html`<li><span class="weekday">${name}</span><span>${spansWord(spans)} ${nextDay.join(" ")}</span></li>`;
  const isOfDay = messages.length > 0 && !spans.some(isWrong);
  const change = (at, span) => onChange(spans.map((one, index) => (index === at ? span : one)));
  const id = `hours-${day}`;
  const time = (
    span,
    at,
    side,
  ) => html`<input type="time" value=${span[side]} aria-label=${t(`hourstime.${side}`, { day: name, place: at + 1 })}
    aria-invalid=${isOfDay || isWrong(span) ? "true" : undefined} aria-describedby=${messages.length ? `${id}-fault` : undefined}
    onInput=${({ target }) => change(at, { ...span, [side]: target.value })} />`;
  return html`<li class="field" id=${id}>
    <label class="weekday"><input type="checkbox" checked=${spans.length > 0} onChange=${({ target }) => onWorks(target.checked)} />${name}</label>
    <div class="spans">${spans.map((span, at) => html`<div class="span" key=${at}>
        ${time(span, at, "start")}<span>–</span>${time(span, at, "end")}
        ${spans.length > 1 && html`<button type="button" class="icon-button" title=${t("hours.removeSpan")} aria-label=${`${name}: ${t("hours.removeSpan")} ${at + 1}`}
          onClick=${() => onChange(spans.filter((_, index) => index !== at))}><${Icon} name="x" /></button>`}
        ${endsNextDay(span) && html`<small>${t("hours.nextDay", { time: span.end })}</small>`}</div>`)}
      ${spans.length === 0 && html`<span class="soft">${t("hours.notWorked")}</span>`}</div>
    ${spans.length > 0 && spans.length < MOST_SPANS && html`<button type="button" class="icon-button" title=${t("hours.addSpan")} aria-label=${`${name}: ${t("hours.addSpan")}`}
      onClick=${() => onChange([...spans, { start: "", end: "" }])}><${Icon} name="plus" /></button>`}
    ${messages.length > 0 && html`<p class="field-fault" id=${`${id}-fault`}>${messages.join(" ")}</p>`}
  </li>`;
}
