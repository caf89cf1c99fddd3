// The charts of the weekly figures: a lane for each row of a table, or a column for each week.
// Places are parts of the width, from 0 to 1, so that no chart has to be drawn again on another screen.
import { html } from "../../../../vendor/ui.js";
import { dayMonthOf } from "./words.js";

/** A place as a coordinate. */
export const at = (place) => `${(100 * place).toFixed(2)}%`;

/** The attributes of the bar of a lane but its place and width. */
export const BAR_PX = { y: 8, height: 18, rx: 3 };

const anchorOf = (place) => (place < 0.06 ? "start" : place > 0.94 ? "end" : "middle");

/**
 * A lane for each row [{key, name, value, plot, across, words}]: `plot` is what is drawn, `across` what goes on in the
 * next lane, and `words` stand in their place. `axis` are the marks [{place, text}] of all lanes, and `label` says what
 * the chart shows.
 */
export const Lanes = ({ label, rows, axis }) => html`<div class="lanes" role="img" aria-label=${label}>
  ${rows.map(({ key, name, value, plot, across, words }) => html`<div class="lane" key=${key}><span class="lane-name">${name}</span>
    ${words ? html`<span class="lane-words">${words}</span>` : html`<svg class="plot">
      ${axis.map(({ place }) => html`<line key=${place} class="mark" x1=${at(place)} x2=${at(place)} y1="0" y2="100%" />`)}${plot}</svg>`}
    ${across && html`<span class="across"><svg class="plot">${across}</svg></span>`}
    <b class="lane-value">${value}</b></div>`)}
  ${axis.length > 0 && html`<div class="lane axis"><svg class="plot">${axis.map(({ place, text }) => html`
    <text key=${place} x=${at(place)} y="18" text-anchor=${anchorOf(place)}>${text}</text>`)}</svg></div>`}</div>`;

const [ABOVE_PX, HIGH_PX, BELOW_PX] = [14, 170, 30];
const yOf = (height) => ABOVE_PX + HIGH_PX * (1 - height);
const LEAST_COLUMNS = 6; // else those of two weeks are as wide as a hand
const MOST_NAMES = 5; // on a phone they would cover each other
const BAR = 0.6; // of a column

/**
 * A column for each week [{week}]: `draw(week, bar)` draws it, where `bar` has {x, width, middle} as
 * coordinates and `y(height)` for a height from 0 to 1. `axis` are the marks of the heights.
 */
export function Weeks({ label, weeks, axis, draw }) {
  const columns = Math.max(weeks.length, LEAST_COLUMNS);
  const left = (index) => (index + (columns - weeks.length) / 2) / columns;
  const every = Math.ceil(columns / MOST_NAMES);
  const barOf = (index) => ({
    x: at(left(index) + (1 - BAR) / 2 / columns),
    width: at(BAR / columns),
    middle: at(left(index + 0.5)),
    y: yOf,
  });
  return html`<div class="weeks" role="img" aria-label=${label}>
    <svg class="scale" height=${ABOVE_PX + HIGH_PX + BELOW_PX}>${axis.map(({ place, text }) => html`
      <text key=${place} x="100%" y=${yOf(place)} dy=".35em" text-anchor="end">${text}</text>`)}</svg>
    <svg class="plot" height=${ABOVE_PX + HIGH_PX + BELOW_PX}>${axis.map(({ place }) => html`
      <line key=${place} class="mark" x1="0" x2="100%" y1=${yOf(place)} y2=${yOf(place)} />`)}
      <line class="base" x1="0" x2="100%" y1=${yOf(0)} y2=${yOf(0)} />
      ${weeks.map((one, index) => html`<g key=${one.week}>${draw(one, barOf(index))}
        ${(weeks.length - 1 - index) % every === 0 && html`<text x=${barOf(index).middle} y=${yOf(0) + 22} text-anchor="middle">${dayMonthOf(one.week)}</text>`}</g>`)}</svg></div>`;
}

/** What the signs of a chart mean: [[class, text]]. */
export const Legend = ({ signs }) =>
  html`<ul class="legend">${signs.map(([sign, text]) => html`<li key=${sign}><i data-sign=${sign}></i>${text}</li>`)}</ul>`;
