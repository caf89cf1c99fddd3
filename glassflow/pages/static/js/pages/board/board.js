// The wall board: the stations with their panes, late orders, alerts.
import { html, useEffect, useLayoutEffect, useState } from "../../../vendor/ui.js";
import { serviceTime } from "../../core/api.js";
import { changeLanguage, number, t } from "../../core/i18n.js";
import { OPEN } from "../../core/pane_flow.js";
import { setTheme } from "../../core/preferences.js";
import { query } from "../../core/router.js";
import { connection, freshness } from "../../core/events.js";
import { ConnectionPill, useNow } from "../../ui/connection.js";
import { Lazy } from "../../ui/lazy.js";
import "../../ui/page_icons.js";
import { Foot } from "./foot.js";
import { fit, Lane, shown } from "./lane.js";
import { chosen, usualBy } from "./model.js";
import { AsOf, Clock, Instead, Urgent } from "./signs.js";
import { board, fault, follow } from "./source.js";
import { Controls, Other, view } from "./views.js";

export const title = "board.title";
export const styles = ["pages/board/board", "ui/station_colors"];
export const bare = true;

const MANY = 10; // lanes; more are too narrow for two figures in a row
const OLD_S = 60; // without a connection: grey
const TICK_MS = 8000; // ages are drawn again, and the late orders take turns

export default function BoardPage() {
  const parameters = query.value;
  useLayoutEffect(follow, []);
  useEffect(() => {
    if (parameters.get("lang")) changeLanguage(parameters.get("lang")).catch(console.warn);
    if (parameters.get("theme")) setTheme(parameters.get("theme"));
  }, [parameters]);
  const [now, setNow] = useState(serviceTime());
  useEffect(() => {
    const timer = setInterval(() => setNow(serviceTime()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const stations = chosen(board.stations.value ?? [], parameters.get("stations"));
  return html`<main class="board" data-old=${useOld() ? "" : null}>
    <${Header} stations=${stations} now=${now} rotate=${parameters.get("rotate")} />
    <${Content} stations=${stations} now=${now} bothNames=${parameters.get("names") === "both"} />
    <${Urgent} />
  </main>`;
}

/** Whether what is shown is too old to be taken for the present. */
function useOld() {
  const now = useNow(connection.value.state !== "live");
  const { kind, ageS } = freshness(connection.value, now);
  return OLD_S < (kind === "connecting" ? (now - board.takenAt.value) / 1000 : ageS);
}

function Header({ stations, now, rotate }) {
  const panes = stations.flatMap((station) => [...board.at(station._id).values()]);
  const late = panes.filter((pane) => board.isLate(pane, now)).length;
  const finished = board.finished.value;
  const usual = usualBy(finished?.usual, now);
  const figure = (name, value, usually) => {
    const text = shown(board.takenAt.value ? value : null);
    return html`<div class=${name === "latePanes" && value > 0 ? "bad" : ""}>
      <dt>${t(`board.${name}`)}</dt><dd style=${fit(text)}>${text}</dd>
      ${usually && html`<dd class="usual">${usually}</dd>`}</div>`;
  };
  const sign = (what, text) => html`<span key=${text}><i data-status=${what}></i>${t(`board.${text}`)}</span>`;
  return html`<header>
    <div class="name">
      <h1 tabindex="-1">${t("board.title")}</h1>
      <p class="legend">${OPEN.map((status) => sign(status, status))}${sign("over", "over")}${sign("late", "late")}</p>
    </div>
    <dl>
      ${figure("latePanes", late)}
      ${figure("open", panes.length)}
      ${figure("finishedToday", finished?.today ?? null, usual !== null && t("board.usualByNow", { count: number(usual) }))}
    </dl>
    <div class="clock"><${Clock} /></div>
    <div class="state"><${ConnectionPill} /><${AsOf} /></div>
    <${Controls} rotate=${rotate} />
  </header>`;
}

function Content({ stations, now, bothNames }) {
  if (!stations.length && (board.takenAt.value || fault.value)) return html`<${Instead} />`;
  if (!stations.length)
    return html`<div class="lanes loading" aria-hidden="true">
    ${Array.from({ length: 8 }, (_, index) => html`<section class="lane" key=${index} />`)}</div>`;
  if (view.value !== "overview") return html`<${Other} stations=${stations} now=${now} />`;
  return html`<div class="lanes" data-many=${stations.length > MANY ? "" : null} style=${{ "--lanes": stations.length }}>${stations.map((station) =>
      html`<${Lane} key=${station._id} station=${station} now=${now} bothNames=${bothNames} />`)}
    ${board.deliveries.value.length > 0 && html`<${Lazy} load=${() => import("./deliveries.js")} now=${now} />`}</div>
    <div class="foot"><${Foot} now=${now} /></div>`;
}
