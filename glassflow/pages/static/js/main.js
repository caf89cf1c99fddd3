// The entry: shows the login page, the page of the address, or why neither can be shown.
import { io } from "../vendor/socket.io.js";
import { html, render, useEffect, useLayoutEffect, useState } from "../vendor/ui.js";
import { styled, untilLoaded } from "./core/api.js";
import { loadTexts, t } from "./core/i18n.js";
import * as live from "./core/live.js";
import { saved, lang } from "./core/preferences.js";
import * as router from "./core/router.js";
import * as session from "./core/session.js";
import { ConnectionPill } from "./ui/connection.js";
import { explain, Fault, FaultBoundary } from "./ui/fault.js";
import { Brand, Icon, Switches } from "./ui/parts.js";

/** A page: its module, and the areas of its texts beside those that every page has. */
const page =
  (load, ...areas) =>
  async () =>
    (await Promise.all([load(), loadTexts(...areas)]))[0];

// The path below /floor (":name" fits any one segment) and the page, which is loaded when it
// is first opened. Its module exports the component as default; `title`, the key of its title;
// `styles`, the paths of its style sheets without ".css", from here; and `bare`, true where the
// page draws the whole window, without the bar at the top. Or it exports PAGES, a table of the
// pages below its path, and the `styles` of them all.
const home = () => import("./pages/home/home.js");
const station = page(() => import("./pages/station/station.js"), "shared", "station", "makeability");
const deliveries = page(() => import("./pages/deliveries/deliveries.js"), "shared", "station", "deliveries");
const PAGES = [
  ["", home],
  ["login", home], // where people look for the form, which every address shows before a login
  ["board", page(() => import("./pages/board/board.js"), "board")],
  ["s", station],
  ["s/:stationId", station],
  ["deliveries", deliveries],
  ["deliveries/:deliveryId", deliveries],
  ["labels", page(() => import("./pages/labels/labels.js"), "shared", "labels")],
  ["office/*", page(() => import("./pages/office/pages.js"), "shared", "fields", "office", "makeability")],
  ["secure", page(() => import("./pages/secure/secure.js"), "secure")],
  ["offer", page(() => import("./pages/offer/offer.js"), "offer")],
];
// Customers open these: they have no session, hear no events, and keep no other pages.
const FOR_CUSTOMERS = ["offer"];
const WITHOUT_LOGIN = ["secure", ...FOR_CUSTOMERS];
const LOGIN = { page: () => import("./pages/login/login.js") };
const PASSWORD = { page: () => import("./pages/password/password.js") };
const missing = () => import("./pages/missing/missing.js");

function App() {
  const now = session.session.value;
  if (now.mustChangePassword) return html`<${Page} key="password" entry=${PASSWORD} />`;
  const isOpen = now.state === "open" || WITHOUT_LOGIN.includes(router.path.value);
  if (isOpen) return html`<${Page} key=${now.worker?._id ?? "page"} path=${router.path.value} />`;
  if (now.state === "none") return html`<${Page} key="login" entry=${LOGIN} />`;
  if (now.state === "asking") return html`<p class="starting">${t("app.starting")}</p>`;
  return html`<${Fault} text=${explain(now.error)} requestId=${now.error.requestId}
    retryAt=${now.retryAt} action=${t("fault.again")} onAgain=${session.start} />`;
}

/** The page of a path, or of a given entry; the one before is shown until it is loaded. */
function Page({ path, entry }) {
  const [loaded, setLoaded] = useState({});
  useEffect(() => {
    let current = true;
    const show = (value) => current && setLoaded({ path, ...value });
    untilLoaded(
      () => load(entry ?? find(PAGES, path), path),
      () => current,
      (_, retryAt) => show({ retryAt }),
    ).then(show);
    return () => (current = false);
  }, [path]);
  const { module, params, retryAt } = loaded;
  useEffect(() => {
    if (module) document.title = `${t(module.title, params)} · glassflow`;
  }, [loaded, lang.value]);
  // A keyboard or a screen reader goes on at the new page's heading; at once, as a later move
  // would take the focus from where somebody types already.
  useLayoutEffect(() => {
    if (module) document.querySelector("h1[tabindex]")?.focus({ preventScroll: true });
  }, [loaded]);
  if (retryAt) {
    const fault = html`<${Fault} text=${t("fault.notLoaded")} retryAt=${retryAt} action=${t("fault.again")}
      onAgain=${() => location.reload()} />`;
    return entry ? fault : html`<${Frame}>${fault}<//>`;
  }
  const content = module && html`<${module.default} ...${params} />`;
  return entry || module?.bare ? content : html`<${Frame}>${content}<//>`;
}

const find = (table, path) => router.match(table, path) ?? { page: missing, params: {} };

/** Load a page's module and its styles. */
async function load({ page, params }, path) {
  const module = await page();
  const styles = styled(module);
  const loaded = module.PAGES ? await load(find(module.PAGES, path), path) : { module, params };
  await styles;
  return loaded;
}

/** What all pages have in common while somebody is logged in. */
function Frame({ children }) {
  const [said, setSaid] = useState(null); // by ui/leave.js
  const [Calls, setCalls] = useState(null);
  useEffect(() => {
    if (!session.may("stations:manage")) return;
    import("./ui/call_bar.js").then((module) => setCalls(() => module.default), console.warn);
  }, []);
  const leave = (sure) =>
    import("./ui/leave.js")
      .then((module) => module.leave(sure))
      .then(setSaid, () => setSaid({ text: t("fault.unreachable") }));
  return html`<div class="frame">
    <header class="bar">
      <${Brand} href="/floor/" />
      <${ConnectionPill} />
      <${Switches} />
      <button type="button" class="quiet-button" onClick=${() => leave()}>
        <${Icon} name="log-out" /><span>${t("session.logOut")}</span></button>
    </header>
    <div role="alert">${said && html`<p class="fault bar-fault">
      <${Icon} name="circle-alert" /><span>${said.text}</span>
      ${said.sure && html`<button type="button" class="quiet-button" onClick=${() => leave(true)}>${said.sure}</button>`}</p>`}</div>
    ${children}
    ${Calls && html`<${Calls} />`}
  </div>`;
}

router.start();
const { value: wanted } = router.path;
const isForCustomers = FOR_CUSTOMERS.includes(wanted);
if (!isForCustomers) {
  live.start(io);
  session.start();
}
untilLoaded(
  () => loadTexts("start"),
  () => true,
  () => document.getElementById("not-loaded")?.removeAttribute("hidden"), // in the shell: there are no texts
).then(() => {
  const root = document.getElementById("app");
  root.textContent = "";
  render(html`<${FaultBoundary}><${App} /><//>`, root);
});
// beside the answer of who is logged in, if somebody was; a fault is shown by Page
if (saved("kept.session")) load(find(PAGES, wanted), wanted).catch(() => {});
if (!isForCustomers) addEventListener("load", () => import("./offline.js"));
