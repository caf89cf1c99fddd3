// A station on the board: how many panes are there, in which state, and for how long.
import { html } from "../../../vendor/ui.js";
import { duration, number, t } from "../../core/i18n.js";
import { OPEN } from "../../core/pane_flow.js";
import { namesOf } from "../../core/station_names.js";
import { Lazy } from "../../ui/lazy.js";
import { ageLevel } from "./model.js";
import { countsOf, Rack } from "./rack.js";
import { Band } from "./signs.js";
import { board } from "./source.js";

/** How long ago a moment was, in few letters. */
export const ago = (moment, now) => duration((now - moment) / 1000, { unitDisplay: "short" });

/** How wide texts are, in letters: the style sheet makes them as large as the lane has room for. */
function fit(...texts) {
  const width = (text) => text.replace(/\p{Mn}/gu, "").length;
  return { "--all": width(texts.join("")), "--longest": Math.max(...texts.map(width)) };
}

/** A figure; null is one that is not known. */
export const shown = (figure) => (figure === null ? "–" : number(figure));

/** A station with its panes from the oldest on. */
export function laneOf(station, now) {
  const panes = [...board.at(station._id).values()].sort((a, b) => a.since - b.since);
  const isLate = (pane) => board.isLate(pane, now);
  const ages = panes.map((pane) => ageLevel(pane, station.stay, now));
  const calls = board.calls.value.filter((call) => call.station === station._id);
  return { station, panes, isLate, late: panes.filter(isLate).length, ages, calls, now };
}

export function Lane({ station, now }) {
  const lane = laneOf(station, now);
  const oldest = lane.panes[0];
  const [name, second] = namesOf(station);
  return html`<section class="lane" data-color=${station.colorId}
    data-closed=${station.maintenance ? "" : null} data-empty=${oldest ? null : ""}>
    <h2><span style=${fit(name)}>${name}</span><small>${second}</small></h2>
    <${Figures} lane=${lane} />
    <dl>
      <div><dt>${t("board.outHere")}</dt><dd>${shown(station.outToday)}</dd></div>
      <div data-age=${lane.ages[0] ?? 0}><dt>${t("board.oldest")}</dt><dd>${oldest ? ago(oldest.since, now) : "–"}</dd></div>
    </dl>
  </section>`;
}

/** The number of panes, then how many are what and the rack; `largest` scales its slips. */
export function Figures({ lane, largest, children }) {
  const { panes, late } = lane;
  const count = number(panes.length);
  return html`<p class="count"><b style=${fit(count)}>${count}</b>
      ${late > 0 && html`<span class="late-chip" style=${fit(number(late))}>${number(late)}<small>${t("board.late")}</small></span>`}</p>
    <${Split} lane=${lane} />
    <${State} ...${lane} />
    ${children}
    <${Rack} lane=${lane} largest=${largest} />`;
}

/** Who is called to a station, or why no panes come to it. */
function State({ station, calls, now }) {
  if (calls.length) return html`<${Lazy} load=${() => import("./calls.js")} calls=${calls} now=${now} />`;
  const closed = station.maintenance ? "maintenance" : station.status === "offline" && "offline";
  return closed && html`<${Band} kind=${closed} />`;
}

function Split({ lane }) {
  const counts = countsOf(lane);
  return html`<p class="split" aria-hidden="true" style=${fit(...counts.map(number))}>${counts.map((part, index) => part > 0
    && html`<span key=${index} data-status=${OPEN[index]} style=${{ flexGrow: part }}>${number(part)}</span>`)}</p>`;
}
