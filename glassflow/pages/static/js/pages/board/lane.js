// A station on the board: how many panes are there, in which state, and for how long.
import { html } from "../../../vendor/ui.js";
import { duration, number, t } from "../../core/i18n.js";
import { OPEN } from "../../core/pane_flow.js";
import { namesOf } from "../../core/station_names.js";
import { workingDuration, workingSeconds } from "../../core/working_time.js";
import { Lazy } from "../../ui/lazy.js";
import { isOver } from "./model.js";
import { countsOf, Rack } from "./rack.js";
import { Band } from "./signs.js";
import { board } from "./source.js";

/** How long ago a moment was, in few letters. */
export const ago = (moment, now) => duration((now - moment) / 1000, { unitDisplay: "short" });

/** How long a pane has been at its station, in working time and few letters. */
export const ageOf = ({ since, currentStation: station }, now) =>
  workingDuration(workingSeconds(since, now, station), { unitDisplay: "short", station });

/** How wide a text is, in letters: the style sheet makes it as large as the lane has room for. */
export const fit = (text) => ({ "--all": text.replace(/\p{Mn}/gu, "").length });

/** How long the longest Latin word of a name is: it is not broken, Thai is between its words. */
const fitWord = (name) => ({ "--word": Math.max(1, ...(name.match(/[a-z]+/gi) ?? []).map((word) => word.length)) });

/** A figure; null is one that is not known. */
export const shown = (figure) => (figure === null ? "–" : number(figure));

/** A station with its panes from the oldest on; the first `over` ones are here longer than usual. */
export function laneOf(station, now) {
  const panes = [...board.at(station._id).values()].sort((a, b) => a.since - b.since);
  const isLate = (pane) => board.isLate(pane, now);
  const over = panes.filter((pane) => isOver(pane, station.stay, now)).length;
  const calls = board.calls.value.filter((call) => call.station === station._id);
  return { station, panes, isLate, late: panes.filter(isLate).length, over, calls, now };
}

export function Lane({ station, now, bothNames }) {
  const lane = laneOf(station, now);
  const oldest = lane.panes[0];
  const [name, second] = namesOf(station);
  const out = shown(station.outToday);
  const age = oldest ? ageOf(oldest, now) : "–";
  return html`<section class="lane" data-color=${station.colorId}
    data-closed=${station.maintenance ? "" : null} data-empty=${oldest ? null : ""}>
    <h2><span style=${fitWord(name)}>${name}</span>${bothNames && html`<small>${second}</small>`}</h2>
    <${Figures} lane=${lane} />
    <dl>
      <div><dt>${t("board.outHere")}</dt><dd style=${fit(out)}>${out}</dd></div>
      <div data-oldest data-over=${lane.over ? "" : null}><dt>${t("board.oldest")}</dt><dd style=${fit(age)}>${age}</dd></div>
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
  return html`<p class="split" aria-hidden="true">${countsOf(lane).map((part, index) => part > 0
    && html`<span key=${index} data-status=${OPEN[index]} style=${{ flexGrow: part }}>${number(part)}</span>`)}</p>`;
}
