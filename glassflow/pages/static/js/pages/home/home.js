// The start page: who is logged in, whether the page is live, and what there is to open.
import { html, useEffect, useState } from "../../../vendor/ui.js";
import { t, timeOfDay } from "../../core/i18n.js";
import { may, session } from "../../core/session.js";
import { connection, heardAt } from "../../core/events.js";
import { useFreshness } from "../../ui/connection.js";

export const title = "home.title";
export const styles = ["pages/start"];
// The path below /floor, the name, what it is for, and the permission key that it takes.
const PAGES = [
  ["s", "home.station", "home.stationHint"],
  ["deliveries", "home.deliveries", "home.deliveriesHint", "panes:scan"],
  ["board", "home.board", "home.boardHint"],
  ["labels", "home.labels", "home.labelsHint"],
  ["office", "home.office", "home.officeHint"],
];

// The pages of accounts that are no persons, by the slug of their role.
const FOR_ACCOUNTS = { screen: ["board"], device: ["s", "deliveries", "board", "labels"] };

export default function Home() {
  const { worker } = session.value;
  const only = FOR_ACCOUNTS[worker.role?.slug];
  return html`<main class="home">
    <h1 tabindex="-1">${t("home.greeting", { name: worker.name })}</h1>
    ${may("stations:manage") && html`<${Later} load=${() => import("../../ui/setup_steps.js")} />`}
    <${Pages} only=${only} />
    ${session.value.isDemo && may("panes:scan") && html`<${Later} load=${() => import("./try_scan.js")} />`}
    ${!globalThis.isSecureContext && html`<section class="card" aria-labelledby="plain">
      <h2 id="plain">${t("home.plain")}</h2>
      <p class="soft">${t("home.plainHint")}</p>
      <p><a href="/floor/secure">${t("home.plainMore")}</a></p>
    </section>`}
    <section class="card" aria-labelledby="account">
      <h2 id="account">${t("home.account")}</h2>
      <dl>
        <dt>${t("home.name")}</dt><dd>${worker.name}</dd>
        <dt>${t("login.username")}</dt><dd>${worker.username}</dd>
        <dt>${t("home.role")}</dt><dd><${Role} role=${worker.role} /></dd>
      </dl>
      ${!only && html`<p><a href="/floor/office/account">${t("home.ownAccount")}</a></p>`}
      ${!only && may("workers:view") && html`<p><a href=${`/floor/office/people/${worker._id}`}>${t("home.ownPin")}</a></p>`}
    </section>
    <section class="card" aria-labelledby="connection">
      <h2 id="connection">${t("home.connection")}</h2>
      <p class="soft"><${Hint} /></p>
      <dl>
        <dt>${t("home.lastChange")}</dt>
        <dd>${heardAt.value ? timeOfDay(heardAt.value) : t("home.noChange")}</dd>
      </dl>
    </section>
  </main>`;
}

/** A part that few start pages have; loaded after the page, which is of use without it. */
function Later({ load }) {
  const [Part, setPart] = useState(null);
  useEffect(
    () =>
      void load().then(
        (module) => setPart(() => module.default),
        () => {},
      ),
    [],
  );
  return Part && html`<${Part} />`;
}

/** The name of a role. Few need it at once, so it is loaded after the page. */
function Role({ role }) {
  const [names, setNames] = useState(null);
  useEffect(
    () => void import("../../core/role_names.js").then(setNames, () => setNames({ roleName: ({ name }) => name })),
    [],
  );
  return role?.name ? names?.roleName(role) : "–";
}

/** How old is what the pages show. */
function Hint() {
  const { kind } = useFreshness();
  if (kind === "live" || kind === "connecting") return t(`home.${kind}`);
  return t("live.hintStale", { time: timeOfDay(connection.value.completeAt) });
}

function Pages({ only }) {
  const shown = PAGES.filter(([path, , , key]) => only?.includes(path) ?? (!key || may(key)));
  return html`<section class="pages" aria-labelledby="pages">
    <h2 id="pages" class="visually-hidden">${t("home.pages")}</h2>
    <ul>${shown.map(([path, name, hint]) => html`<li key=${path}>
      <a class="card" href=${`/floor/${path}`}><strong>${t(name)}</strong>
        <span class="soft">${t(hint)}</span></a></li>`)}</ul>
  </section>`;
}
