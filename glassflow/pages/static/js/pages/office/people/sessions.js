// Where a worker is logged in now, and the buttons that end it.
import { html } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { dateTime, t } from "../../../core/i18n.js";
import { Icon } from "../../../ui/parts.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { ActionButton } from "../dialog_button.js";

const LOOK_MS = 30_000; // logins are no events
const ICONS = { browser: "monitor", token: "keyboard", device: "smartphone" };

/** `path` is what the routes of the sessions begin with: "/auth" for one's own. */
export function Sessions({ path }) {
  const found = useResource(`sessions ${path}`, () => [
    async () => (await api(`${path}/sessions`)).data,
    {},
    { everyMs: LOOK_MS },
  ]);
  const end = (id) => api(`${path}/sessions${id}`, { method: "DELETE" }).then(found.load);
  const others = () => found.value.some(({ current }) => !current);
  return html`<section class="card access" aria-labelledby="sessions">
    <h2 id="sessions">${t("access.sessions")}</h2>
    <p class="soft">${t("access.sessionsHint")}</p>
    <${Loaded} of=${found}>${() => html`
      ${found.value.length === 0 && html`<p>${t("access.noSessions")}</p>`}
      <ul>${found.value.map((row) => html`<${Session} key=${row._id} row=${row} onEnd=${() => end(`/${row._id}`)} />`)}</ul>
      ${path === "/auth" && others() && html`<div class="form-buttons"><${ActionButton} icon="log-out"
        label=${t("access.endOthers")} hint=${t("access.endOthersHint")} isDanger send=${() => end("")} /></div>`}`}<//>
  </section>`;
}

function Session({ row, onEnd }) {
  const { kind, device, address, agent, startedAt, lastSeenAt, current } = row;
  const name = device?.name ?? programOf(agent);
  return html`<li>
    <${Icon} name=${ICONS[kind]} />
    <div><strong>${t(`accesskind.${kind}`)}${name && ` · ${name}`}</strong>
      ${current && html` <span class="status" data-status="completed"><${Icon} name="circle-check" />${t("access.current")}</span>`}
      <span class="soft">${t("access.since", { time: dateTime(new Date(startedAt)) })}
        ${lastSeenAt && ` · ${t("access.seen", { time: dateTime(new Date(lastSeenAt)) })}`}
        ${address && ` · ${address}`}</span></div>
    ${!current && html`<${ActionButton} icon="log-out" label=${t("session.logOut")} hint=${t("access.endHint")} isDanger send=${onEnd} />`}
  </li>`;
}

const BROWSERS = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["SamsungBrowser/", "Samsung Internet"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
];
const SYSTEMS = ["Android", "iPad", "iPhone", "Windows", "Macintosh", "Linux"];

/** What a program calls itself, short: "Chrome, Windows"; other programs as they are. */
export function programOf(agent) {
  const browser = BROWSERS.find(([sign]) => agent.includes(sign))?.[1];
  if (!browser) return agent.slice(0, 40);
  return [browser, SYSTEMS.find((system) => agent.includes(system))].filter(Boolean).join(", ");
}
