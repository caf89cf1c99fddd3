// A station on the board: how many panes are there, in which state, and for how long.
import { html } from "../../../vendor/ui.js";
import { duration, number, t } from "../../core/i18n/index.js";
import { nameOf, namesOf } from "../../core/station_names.js";
import { ageLevel, isLate, STATUSES } from "./model.js";
import { board, rest } from "./source.js";

/** How long ago a moment was, in few letters. */
export const ago = (moment, now) => duration((now - moment) / 1000, { unitDisplay: "short" });

/** A station with its panes from the oldest on, and how many are what. */
export function laneOf(station, now) {
  const panes = [...board.at(station._id).values()].sort((a, b) => a.since - b.since);
  const late = (pane) => isLate(board.orders.value.get(pane.order), now);
  const count = (status) => panes.filter((pane) => pane.currentStatus === status).length;
  return { station, panes, isLate: late, late: panes.filter(late).length,
    counts: STATUSES.map(count), ages: panes.map((pane) => ageLevel(pane, station.stay, now)) };
}

export function Lane({ station, now }) {
  const lane = laneOf(station, now);
  const { panes: [oldest], ages } = lane;
  const [name, second] = namesOf(station);
  const closed = station.maintenance ? "maintenance" : station.status === "offline" && "offline";
  const { Band } = rest.value;
  return html`<section class="lane" data-color=${station.colorId}
    data-closed=${station.maintenance ? "" : null} data-empty=${oldest ? null : ""}>
    <h2 data-long=${name.length > 12 ? "very" : name.length > 11 ? "" : null}>${name}<small>${second}</small></h2>
    <${Figures} lane=${lane}>${closed && Band && html`<${Band} kind=${closed} />`}<//>
    <dl>
      <div><dt>${t("board.outHere")}</dt><dd>${number(station.outToday ?? 0)}</dd></div>
      <div data-age=${ages[0] ?? 0}><dt>${t("board.oldest")}</dt><dd>${oldest ? ago(oldest.since, now) : "–"}</dd></div>
    </dl>
  </section>`;
}

/** The number of panes, how many are what, and the rack; `largest` scales its slips. */
export function Figures({ lane, largest, children }) {
  const { station, panes: { length: count }, counts, late } = lane;
  const { Rack } = rest.value;
  const [waiting, working, ready] = counts;
  const label = t("board.lane", { name: nameOf(station), count, waiting, working, ready, late });
  return html`<p class="count"><b data-digits=${String(count).length}>${number(count)}</b>
      ${late > 0 && html`<span class="late-chip">${number(late)}<small>${t("board.late")}</small></span>`}</p>
    <p class="split" aria-hidden="true">${counts.map((part, index) => part > 0
      && html`<span key=${index} data-status=${STATUSES[index]}
        style=${{ flexGrow: part }}>${number(part)}</span>`)}</p>
    ${children}
    ${Rack && html`<${Rack} lane=${lane} largest=${largest} label=${label} />`}`;
}
