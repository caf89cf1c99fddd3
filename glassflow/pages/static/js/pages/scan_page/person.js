// Who works at a shared tablet: a bar with the name, or the question who it is.
import { html, useEffect, useState } from "../../../vendor/ui.js";
import { Refused, Unreachable } from "../../core/api.js";
import { duration, t } from "../../core/i18n.js";
import { send, sendAll } from "../../core/outbox.js";
import { identifyByBadge, people } from "../../core/identify.js";
import { boundStation, leave, noteActivity, person } from "../../core/person.js";
import { go } from "../../core/router.js";
import { connection } from "../../core/events.js";
import { play } from "../../scan/sounds.js";
import { explain } from "../../ui/fault.js";
import { Icon } from "../../ui/parts.js";
import { scanBody, scanPath } from "./requests.js";
import { PinPad } from "./pin_pad.js";

// Scans that wait for their turn are sent in the name of a worker who leaves before it, but for
// those that would be shown first.
function sendWaiting(desk, worker) {
  for (const { number, action, at } of desk.stepsWaiting?.() ?? []) {
    const body = { ...scanBody(action), station: desk.id };
    send(scanPath(number), body, { occurredAt: new Date(at), worker }).catch(console.error);
  }
}

/** Takes badges out of what is scanned, and everything while nobody works here. */
export default function Person({ desk }) {
  const [state, setState] = useState({}); // {busy} or {fault}: a function that returns the text
  const worker = person.value;
  const scanned = (code) => {
    noteActivity();
    if (code.kind === "station" || (person.value && code.kind !== "worker")) return false;
    if (code.kind === "unended") refuse(() => t("station.noEndMark"));
    else if (code.kind === "worker") identify(() => identifyByBadge(code.text));
    else refuse(() => t("person.first"));
    return true;
  };
  const refuse = (fault) => {
    play("no");
    setState({ fault });
  };
  // What waits of who was here before is sent first: their session ends with the next one.
  const identify = async (how) => {
    setState({ busy: true });
    try {
      await sendAll();
      await how();
      play("yes");
    } catch (error) {
      refuse(faultOf(error));
    }
  };
  useEffect(() => {
    const bound = boundStation();
    if (bound && bound !== desk.id) go(`/floor/s/${bound}`);
    desk.takes = scanned;
    return () => (desk.takes = null);
  }, [desk]);
  useEffect(() => {
    let before = person.peek();
    if (!before) desk.clear();
    return person.subscribe((one) => {
      if (one) setState({});
      if (before?._id !== one?._id) {
        if (before) sendWaiting(desk, before);
        desk.clear();
      }
      before = one;
    });
  }, [desk]);
  const alert = html`<div role="alert">${state.fault && html`<p class="fault">
    <${Icon} name="circle-alert" /><span>${state.fault()}</span></p>`}</div>`;
  if (worker)
    return html`<div class="person" role="status"><p><${Icon} name="id-card" />
      <span class="soft">${t("person.works")}</span> <b>${worker.name}</b></p>
    <button type="button" class="quiet-button" onClick=${leave}><${Icon} name="users" />${t("person.change")}</button>
    ${alert}</div>`;
  return html`<${Question} desk=${desk} alert=${alert} busy=${state.busy} identify=${identify} />`;
}

function faultOf(error) {
  if (error.code === "BADGE_REFUSED") return () => t("person.badgeRefused");
  if (error.code === "PIN_REFUSED") return () => t("person.pinRefused");
  if (error.code === "PIN_LOCKED") return () => t("person.pinLocked");
  if (error.status === 429) return () => t("person.tooMany", { wait: duration(error.retryAfterS) });
  if (error instanceof Unreachable) return () => t("person.offline");
  return () => (error instanceof Refused && error.status < 500 ? error.message : explain(error));
}

function Question({ desk, alert, busy, identify }) {
  const [list, setList] = useState({}); // {found} or {error}
  const [chosen, setChosen] = useState(null);
  const [Camera, setCamera] = useState(null); // loaded when it is first opened
  const { state } = connection.value;
  const load = () =>
    people().then(
      (found) => setList({ found }),
      (error) => setList({ error }),
    );
  useEffect(() => void load(), [state === "live"]);
  useEffect(() => document.querySelector(chosen ? ".pin input" : ".who h2")?.focus({ preventScroll: true }), [chosen]);
  const openCamera = () =>
    import("../../ui/camera_sheet.js").then(({ CameraSheet }) => setCamera(() => CameraSheet), console.warn);
  if (chosen)
    return html`<main class="who" aria-labelledby="who">
    <h2 id="who" tabindex="-1">${t("person.pinOf", { name: chosen.name })}</h2>${alert}
    <${PinPad} worker=${chosen} busy=${busy} identify=${identify} onBack=${() => setChosen(null)} /></main>`;
  return html`<main class="who" aria-labelledby="who">
    <h2 id="who" tabindex="-1">${t("person.who")}</h2>${alert}
    <p class="badge-hint"><${Icon} name="qr-code" /><span>${t("person.scan")}</span></p>
    ${Camera ? html`<${Camera} onCode=${(text) => desk.scan(text, "camera")} onClose=${() => setCamera(null)} />`
      : html`<button type="button" class="quiet-button" onClick=${openCamera}><${Icon} name="camera" />${t("person.camera")}</button>`}
    ${state === "lost" && html`<p class="soft" role="status">${t("person.offline")}</p>`}
    ${list.error && !(list.error instanceof Unreachable) && html`<p class="soft">${explain(list.error)}</p>`}
    ${list.found?.length === 0 && html`<p class="soft">${t("person.nobody")}</p>`}
    ${list.found?.length > 0 && html`<h3>${t("person.choose")}</h3>
      <ul class="names">${list.found.map((one) => html`<li key=${one._id}>
        <button type="button" class="quiet-button" onClick=${() => setChosen(one)}>${one.name}</button></li>`)}</ul>`}
  </main>`;
}
