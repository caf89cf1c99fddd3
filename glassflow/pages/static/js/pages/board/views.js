// The views of the board beside its overview, and what chooses them: time, buttons, keys.
import { html, signal, useEffect, useState } from "../../../vendor/ui.js";
import { number, t } from "../../core/i18n.js";
import { setTheme, theme } from "../../core/preferences.js";
import { nameOf } from "../../core/station_names.js";
import { isThai, latinKey } from "../../scan/keyboard.js";
import { Dialog } from "../../ui/dialog.js";
import { Icon } from "../../ui/parts.js";
import { useWakeLock } from "../../ui/wake_lock.js";
import { LateView } from "./foot.js";
import { ageOf, Figures, laneOf } from "./lane.js";

const MAX_OLDEST = 5;
// What the keys do: where there are several views, and always.
const VIEW_KEYS = [
  ["← →", "board.keyView"],
  ["Space", "board.keyHold"],
];
const KEYS = [
  ["D", "board.keyTheme"],
  ["?", "board.keyHelp"],
  ["Esc", "board.keyClose"],
];

/** The view that is shown: "overview", "late" or "spotlight". */
export const view = signal("overview");

/** The views of "overview:25,late:12": [[name, seconds], ...]; the overview by default. */
export function rotation(text) {
  const views = (text ?? "")
    .split(",")
    .map((part) => part.trim().split(":"))
    .filter(([name]) => ["overview", "late", "spotlight"].includes(name))
    .map(([name, seconds]) => [name, Math.min(86400, Math.max(5, +seconds || 20))]);
  return views.length ? views : [["overview", Infinity]];
}

/** Changes the view by itself, by the arrow keys and buttons, and not while it is held. */
export function Controls({ rotate }) {
  const views = rotation(rotate);
  const [index, setIndex] = useState(0);
  const [held, setHeld] = useState(false);
  const [helping, setHelping] = useState(false);
  const step = (by) => setIndex((at) => (at + by + views.length) % views.length);
  const [name, seconds] = views[index % views.length];
  useWakeLock();
  useEffect(() => {
    view.value = name;
    if (held || views.length < 2) return undefined;
    const timer = setTimeout(step, seconds * 1000, 1);
    return () => clearTimeout(timer);
  }, [index, held, rotate]);
  useEffect(() => {
    const press = (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
      if (event.code === "ArrowLeft") step(-1);
      else if (event.code === "ArrowRight") step(1);
      else if (event.code === "KeyD") setTheme(theme.value === "dark" ? "light" : "dark");
      else if ((isThai(event) ? latinKey(event) : event.key) === "?") setHelping(true);
      else if (event.code === "Space" && !event.target.closest("button, a")) {
        event.preventDefault();
        setHeld((before) => !before);
      }
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [rotate]);
  const button = (key, icon, act) => html`<button type="button" class="icon-button"
    aria-label=${t(key)} title=${t(key)} onClick=${act}><${Icon} name=${icon} /></button>`;
  const several = views.length > 1;
  return html`<nav class="controls" data-held=${held ? "" : null}>
    ${several && button("board.previous", "chevron-left", () => step(-1))}
    ${several && button(held ? "board.go" : "board.hold", held ? "play" : "pause",
      () => setHeld(!held))}
    ${several && button("board.next", "chevron-right", () => step(1))}
    ${button("board.keys", "keyboard", () => setHelping(true))}
    <a class="icon-button" href="/floor/" aria-label=${t("board.home")}
      title=${t("board.home")}><${Icon} name="house" /></a>
    ${helping && html`<${Keys} several=${several} onClose=${() => setHelping(false)} />`}
  </nav>`;
}

/** The list of the keys, over the board. */
function Keys({ several, onClose }) {
  return html`<${Dialog} title=${t("board.keys")} onClose=${onClose}>
    <dl>${[...(several ? VIEW_KEYS : []), ...KEYS].map(([keys, text]) => html`
      <dt key=${keys}>${keys.split(" ").map((key) => html`<kbd>${key}</kbd>`)}</dt><dd>${t(text)}</dd>`)}</dl>
  <//>`;
}

/** A view other than the overview. */
export function Other({ stations, now }) {
  return view.value === "late"
    ? html`<${LateView} now=${now} />`
    : html`<${Spotlight} stations=${stations} now=${now} />`;
}

/** The station with the most panes that are older than 85 % become, and its oldest ones. */
function Spotlight({ stations, now }) {
  const lanes = stations.map((station) => laneOf(station, now));
  const worst = lanes.reduce((a, b) =>
    b.over > a.over || (b.over === a.over && b.panes.length > a.panes.length) ? b : a,
  );
  const { station, panes, over } = worst;
  if (!panes.length)
    return html`<div class="message"><${Icon} name="circle-check" /><h2>${t("board.noPanes")}</h2></div>`;
  return html`<section class="spotlight" data-color=${station.colorId}>
    <div><p class="soft">${t("board.attention")}</p><h2>${nameOf(station)}</h2>
      <${Figures} lane=${worst} largest=${2}>
        <p class="over-count"><b>${number(over)}</b> ${t("board.over")}</p><//></div>
    <div><h3>${t("board.oldestPanes")}</h3><ol>${panes.slice(0, MAX_OLDEST).map((pane, index) => html`
      <li key=${pane._id} data-over=${index < over ? "" : null}><b>${pane.paneNumber}</b>
        <span>${t(`board.${pane.currentStatus}`)}</span>
        <b>${ageOf(pane, now)}</b></li>`)}</ol></div>
  </section>`;
}
