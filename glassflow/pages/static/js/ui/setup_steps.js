// The steps of the set-up of a workshop, with their state and what does each one; the
// start page shows them until they are done or put away.
import { html, useEffect, useState } from "../../vendor/ui.js";
import { api } from "../core/api.js";
import { number, t } from "../core/i18n.js";
import { save, saved } from "../core/preferences.js";
import { explain } from "./fault.js";
import "./page_icons.js";
import { Icon } from "./parts.js";

const OFFICE = "/floor/office";
const AWAY = "away"; // what this device remembers as "setup"
const READY_MADE = ["stations", "labels"];

/** Whether the start page shows no steps on this device. */
export const isAway = () => saved("setup") === AWAY;

/** Put the steps away from the start page of this device, or back. */
export const putAway = (away) => save("setup", away ? AWAY : "");

/** The card of the start page: nothing once all is done, before its state is known, and put away. */
export default function SetUp() {
  const [away, setAway] = useState(isAway());
  if (away) return null;
  return html`<${Steps} part=${(steps, setup) => !setup.isComplete && html`
    <section class="card set-up" aria-labelledby="set-up">
      <h2 id="set-up">${t("setup.title")}</h2>
      <p class="soft">${t("setup.hint")}</p>
      ${steps}
      <p class="form-buttons"><button type="button" class="quiet-button" onClick=${() => [putAway(true), setAway(true)]}>
        <${Icon} name="x" />${t("setup.away")}</button> <small>${t("setup.awayHint")}</small></p>
    </section>`} />`;
}

/** Reads the steps; `part(steps, setup)` draws what is around them, once they are known. */
export function Steps({ part }) {
  const [{ setup, error }, setState] = useState({});
  const load = () =>
    api("/setup").then(
      ({ data }) => setState({ setup: data }),
      (error) => setState({ error }),
    );
  useEffect(() => void load(), []);
  if (error) return html`<p class="fault" role="alert"><${Icon} name="circle-alert" />${explain(error)}</p>`;
  if (!setup) return null;
  const steps = html`<ol class="set-up-steps">${setup.steps.map((step) => html`<${Step} key=${step.name} step=${step} onChange=${load} />`)}</ol>`;
  return part(steps, setup);
}

function Step({ step, onChange }) {
  const { name, isDone, count } = step;
  const state = count
    ? t(`setup.${name}Count`, { count: number(count) })
    : count === null
      ? t(`setup.${name}${isDone ? "Done" : "Todo"}`)
      : t("setup.todo");
  const [path, text] = linkOf(step);
  return html`<li class=${isDone ? "done" : ""}>
    <div><p class="step">${isDone && html`<${Icon} name="circle-check" /><span class="visually-hidden">${t("setup.done")}: </span>`}<strong>${t(`setup.${name}`)}</strong>
        <span class="soft">${state}</span></p>
      <p>${t(`setup.${name}Hint`)}</p></div>
    <a class="quiet-button" href=${`${OFFICE}/${path}`}>${t(`setup.${text}`)}</a>
    ${READY_MADE.includes(name) && !isDone && html`<${ReadyMade} name=${name} onAdded=${onChange} />`}
  </li>`;
}

/** Where a step is done, and the key of the text of the link. */
function linkOf({ name, isDone, count }) {
  if (isDone) return [name, "open"];
  if (count === null) return [name, `${name}Do`];
  if (name === "materials" && count > 0) return ["stock/new", "materialsNext"];
  return [`${name}/new`, `${name}Do`];
}

/** A button that adds the ready-made records of a step, and says before which ones. */
function ReadyMade({ name, onAdded }) {
  const [{ sending, error }, setState] = useState({});
  const add = async () => {
    setState({ sending: true });
    try {
      await api(`/setup/${name}`, { method: "POST", body: {} });
      await onAdded();
    } catch (failure) {
      setState({ error: failure });
    }
  };
  return html`<p class="soft">${t(`setup.${name}ReadyHint`)}</p>
    <button type="button" class="quiet-button" disabled=${sending} onClick=${add}>
      ${sending && html`<${Icon} name="hourglass" />`}${t(`setup.${name}Ready`)}</button>
    <div role="alert">${error && html`<p class="fault"><${Icon} name="circle-alert" />${error.status < 500 ? error.message : explain(error)}</p>`}</div>`;
}
