// The bar above the pages of those who may answer calls: who calls, "I go", and what follows.
// It is above the frame of the pages, so that it stays in sight while a page is scrolled.
import { html, render, useEffect, useLayoutEffect, useRef, useState } from "../../vendor/ui.js";
import { api, serviceTime, styled } from "../core/api.js";
import { loadTexts, number, t } from "../core/i18n.js";
import { connection } from "../core/events.js";
import { idOf } from "../core/records.js";
import { may, session } from "../core/session.js";
import { nameOf } from "../core/station_names.js";
import { areRead, followStations, stationOf } from "../core/stations.js";
import { play, unlock } from "../scan/sounds.js";
import { CALL_ICONS, callsFor, openFor, withCall } from "./calls.js";
import { useNow } from "./connection.js";
import { explain } from "./fault.js";
import "./page_icons.js";
import { Icon } from "./parts.js";
import { useResource } from "./use_resource.js";

const AT_ONCE = 2;
const SAID_MS = 6000;
const SETTLE_MS = 700; // the second tap of a double one must not end the call that the first has taken
const LIST = "/floor/office/calls";
const STYLES = { styles: ["ui/call_bar"] };

const read = async () => (await api("/calls?status=open,taken&sort=calledAt&limit=100")).data;

/** Shows the bar as long as it is a part of the page; draws nothing itself. */
export default function CallBar() {
  const begun = useRef(false); // once the page is live: what is read before is read again then
  begun.current ||= connection.value.state === "live";
  useEffect(() => {
    if (!begun.current || !may("panes:view")) return undefined;
    const place = document.createElement("aside");
    place.className = "call-bar";
    let stopped = false;
    Promise.all([styled(STYLES), loadTexts("calls")]).then(() => {
      if (stopped) return;
      document.body.prepend(place);
      render(html`<${Bar} place=${place} />`, place);
    }, console.warn);
    return () => {
      stopped = true;
      render(null, place);
      place.remove();
    };
  }, [begun.current]);
  return null;
}

function Bar({ place }) {
  const { value, load, put } = useResource("calls", () => [read, { "call:updated": withCall }]);
  const [sending, setSending] = useState(null); // the id of a call
  const [said, setSaid] = useState("");
  const latest = useRef();
  latest.current = value ?? [];
  useEffect(() => {
    if (!said) return undefined;
    const timer = setTimeout(setSaid, SAID_MS, "");
    return () => clearTimeout(timer);
  }, [said]);
  const worker = session.value.worker?._id;
  const some = callsFor(latest.current, worker);
  useEffect(() => void (some.length > 0 && followStations()), [some.length > 0]);
  const calls = some.filter(({ station }) => stationOf(idOf(station)));
  const arrived = useArrived(value && (areRead() || !some.length) ? calls : null, worker);
  useAbove(place, t("callbar.label"));

  const act = async (call, action) => {
    unlock();
    setSending(call._id);
    setSaid("");
    try {
      const { data } = await api(`/calls/${call._id}/${action}`, { method: "POST", body: {} });
      // an event may have told of its end before
      if (latest.current.some(({ _id }) => _id === call._id)) put(withCall(latest.current, { data }));
    } catch (error) {
      setSaid(wordsFor(error));
      load();
    }
    setTimeout(setSending, SETTLE_MS, null);
  };
  const now = serviceTime(useNow(calls.length > 0));
  return html`<p class="visually-hidden" role="alert">${arrived}</p>
    <p role="status">${said && html`<span class="said"><${Icon} name="circle-alert" />${said}</span>`}</p>
    ${calls.length > 0 && html`<ul>${calls.slice(0, AT_ONCE).map((call) => html`
      <${Call} key=${call._id} call=${call} worker=${worker} now=${now} isSending=${sending === call._id}
        act=${(action) => act(call, action)} />`)}</ul>
    <p class="further"><${Ask} />
      ${calls.length > AT_ONCE && html`<a href=${LIST}>${t("callbar.more", { count: number(calls.length - AT_ONCE) })}</a>`}</p>`}`;
}

const whatOf = ({ kind, machineStands, paneNumber }) =>
  [t(machineStands ? "callbar.stands" : `callbar.kind_${kind}`), paneNumber].filter(Boolean).join(" ");

function Call({ call, worker, now, isSending, act }) {
  const { station, kind, machineStands, reason, status, calledBy, calledByName } = call;
  const name = nameOf(stationOf(idOf(station)));
  const isOwn = idOf(calledBy) === worker;
  const state = status === "taken" ? "taken" : isOwn ? "own" : "open";
  const who = isOwn ? t("callbar.youCalled") : t("callbar.called", { name: calledByName });
  const about = [whatOf(call), openFor(call, now, { unitDisplay: "short" }), who];
  const button = (action, style) => html`<button type="button" class=${style} disabled=${isSending}
    onClick=${() => act(action)}>${t(`callbar.${action}`)}</button>`;
  return html`<li data-state=${state}>
    <${Icon} name=${machineStands ? "triangle-alert" : CALL_ICONS[kind]} />
    <p><strong>${state === "taken" ? t("callbar.youGo", { station: name }) : name}</strong>
      <span>${about.join(" · ")}</span>
      ${reason && html`<small>${reason}</small>`}</p>
    <div>${state === "open" ? button("take", "main-button") : button("end", state === "own" ? "quiet-button" : "main-button")}
      ${state === "taken" && button("release", "quiet-button")}</div>
  </li>`;
}

/** Why a call could not be taken, released or ended. */
function wordsFor(error) {
  if (error.code === "CALL_TAKEN") return t("callbar.taken", { name: error.errors.takenByName });
  if (error.code === "CALL_ENDED" || error.status === 404) return t("callbar.ended");
  return error.status < 500 ? error.message : explain(error);
}

/** What arrives after the first read is told at once, to ears and hands too; returns it in words. */
function useArrived(calls, worker) {
  const known = useRef(null); // the ids; null before the first read
  const [words, setWords] = useState("");
  useEffect(() => {
    if (!calls) return;
    const before = known.current;
    known.current = new Set([...(before ?? []), ...calls.map(({ _id }) => _id)]);
    const call = before && calls.find(({ _id, calledBy }) => !before.has(_id) && idOf(calledBy) !== worker);
    if (!call) return;
    const name = nameOf(stationOf(idOf(call.station)));
    setWords(`${name}: ${whatOf(call)}`);
    play("call");
    notify(name, whatOf(call), call._id).catch(console.warn);
  }, [calls?.map(({ _id }) => _id).join()]);
  return words;
}

/** A message of the system, where the page is in the background and the browser may show one. */
async function notify(title, body, tag) {
  if (!document.hidden || globalThis.Notification?.permission !== "granted") return;
  const registration = await navigator.serviceWorker?.getRegistration();
  if (registration) await registration.showNotification(title, { body, tag });
  else new Notification(title, { body, tag });
}

/** Asks for messages of the system, which browsers allow after a tap and in secure contexts only. */
function Ask() {
  const [answer, setAnswer] = useState(globalThis.isSecureContext && globalThis.Notification?.permission);
  return (
    answer === "default" &&
    html`<button type="button" class="quiet-button"
      onClick=${() => Notification.requestPermission().then(setAnswer, console.warn)}>
      <${Icon} name="bell" />${t("callbar.background")}</button>`
  );
}

/** The bar has a name, and what stays at the top of a page keeps below it. */
function useAbove(place, name) {
  useLayoutEffect(() => place.setAttribute("aria-label", name), [name]);
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => style.setProperty("--below-calls", `${place.offsetHeight}px`));
    observer.observe(place);
    return () => {
      observer.disconnect();
      style.removeProperty("--below-calls");
    };
  }, [place]);
}
