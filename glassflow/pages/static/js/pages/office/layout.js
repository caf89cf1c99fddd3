// The frame of the office pages: the rail with the menu, the palette, the keys, the head of what is
// printed, and the scanner, which opens the passport of the pane that it reads.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../../../vendor/ui.js";
import { dateTime, t } from "../../core/i18n.js";
import { lang } from "../../core/preferences.js";
import { go, path } from "../../core/router.js";
import { followRights, may } from "../../core/permissions.js";
import { session } from "../../core/session.js";
import { followStations } from "../../core/stations.js";
import { onKeys } from "../../ui/keys.js";
import { Lazy } from "../../ui/lazy.js";
import "../../ui/page_icons.js";
import { openPalette } from "../../ui/open_palette.js";
import { Icon } from "../../ui/parts.js";
import { useScanner } from "../../ui/use_scanner.js";
import { CountUnread, lateOrders, pendingClaims, unread } from "./counts.js";
import { groups, sections } from "./sections.js";

export const OFFICE = "/floor/office";
export const ORDERS = `${OFFICE}/orders`;
export const REQUESTS = `${OFFICE}/requests`;
/** Where the passport of a pane is. */
export const passportOf = (number) => `${OFFICE}/panes/${encodeURIComponent(number)}`;

const keyList = () => import("./key_list.js");
const menu = () => import("./menu.js");
// Loaded after the page: it shows nothing until somebody searches, which most visits do not.
const palette = () => import("../../ui/palette.js");

/** What all office pages have around them; `title` is the key of the page's name. */
export function Office({ children }) {
  const [opened, setOpened] = useState(null); // what loads a dialog
  useEffect(followStations, []);
  useEffect(followRights, []);
  useScanner((number) => go(passportOf(number)), openPalette);
  useLayoutEffect(
    () =>
      onKeys({
        "ctrl+k": openPalette,
        "/": openPalette,
        ...Object.fromEntries(sections().map(({ name, letter }) => [`g ${letter}`, () => go(`${OFFICE}/${name}`)])),
        "g h": () => go("/floor/"),
        n: () => document.querySelector(".office a.new")?.click(),
        p: () => document.querySelector('.office a[href^="/floor/labels?"]')?.click(),
        j: () => moveRow(1),
        k: () => moveRow(-1),
        "?": () => setOpened(() => keyList),
      }),
    [],
  );
  return html`<div class="office">
    <${Rail} onMenu=${() => setOpened(() => menu)} onHelp=${() => setOpened(() => keyList)} />
    ${may("notifications:view") && html`<${CountUnread} />`}
    <${PaperHead} />
    <${Lazy} load=${palette} hrefOf=${hrefOf} />
    <main>${children}</main>
    ${opened && html`<${Lazy} load=${opened} Sections=${Sections} onClose=${() => setOpened(null)} />`}
  </div>`;
}

const COUNTS = { orders: lateOrders, claims: pendingClaims, notifications: unread }; // what waits in a section

function Rail({ onMenu, onHelp }) {
  const waiting = Object.values(COUNTS).reduce((sum, { value }) => sum + value, 0);
  const rail = useRef();
  useLayoutEffect(() => keepScrolled(rail.current), []);
  return html`<nav class="rail" ref=${rail} aria-label=${t("office.rail")}>
    <a href="/floor/"><${Icon} name="house" /><span>${t("office.home")}</span></a>
    <button type="button" class="rail-menu" aria-haspopup="dialog" onClick=${onMenu}>
      <${Icon} name="list" /><span>${t("office.menu")}</span>
      <${Waiting} section="menu" count=${waiting} /></button>
    <${Sections} />
    <button type="button" onClick=${() => openPalette()}>
      <${Icon} name="search" /><span>${t("office.find")}</span></button>
    <button type="button" class="rail-keys" onClick=${onHelp}>
      <${Icon} name="keyboard" /><span>${t("office.keys")}</span></button>
  </nav>`;
}

let scrolled = 0; // the rail of the page before

/** The rail of each page is a new one: it stays where it was scrolled to, with its section in sight. */
function keepScrolled(rail) {
  const link = rail.querySelector("[aria-current]");
  rail.scrollTop = scrolled;
  const top = link?.offsetTop - rail.scrollTop;
  if (top < 0 || top + link?.offsetHeight > rail.clientHeight) rail.scrollTop = link.offsetTop - rail.clientHeight / 2;
  return () => (scrolled = rail.scrollTop);
}

/** The links to the sections, by group. */
function Sections() {
  const here = path.value.split("/")[1] ?? "dashboard";
  return groups().map(
    ({ group, shown }) => html`
  <div key=${group} role="group" aria-label=${t(`officegroup.${group}`)}>
    <p aria-hidden="true">${t(`officegroup.${group}`)}</p>
    ${shown.map(({ name, icon }) => html`
      <a key=${name} href=${`${OFFICE}/${name}`} aria-current=${name === here ? "page" : undefined}>
        <${Icon} name=${icon} /><span>${t(`office.${name}`)}</span><${Waiting} section=${name} /></a>`)}
  </div>`,
  );
}

const Waiting = ({ section, count = COUNTS[section]?.value }) =>
  count > 0 &&
  html`<b>
  <span class="visually-hidden">${t(`officewaiting.${section}`)} </span>${count}</b>`;

/** What a printed page begins with: the name of the workshop, and when it was printed. */
function PaperHead() {
  const printed = useRef();
  useEffect(() => {
    const tell = () => (printed.current.textContent = t("office.printed", { time: dateTime(new Date()) }));
    addEventListener("beforeprint", tell); // nothing is drawn between it and the print
    return () => removeEventListener("beforeprint", tell);
  }, []);
  const { workshop } = session.value; // an earlier release kept none for a start without network
  return html`<p class="paper-head"><strong>${workshop?.[lang.value]}</strong><span ref=${printed}></span></p>`;
}

const SECTION_OF = { delivery: "deliveries", billingEntry: "billing" };

/** The page of a record that a search has found. */
function hrefOf({ kind, _id, paneNumber }) {
  if (kind === "pane") return passportOf(paneNumber);
  if (kind === "customer") return `${ORDERS}?due=all&customer=${_id}`;
  return `${OFFICE}/${SECTION_OF[kind] ?? `${kind}s`}/${_id}`;
}

/** The heading of an office page, with the field that opens the palette. */
export const Head = ({ children }) =>
  html`<header class="head">
    <div>${children}</div>
    <button type="button" class="find" onClick=${() => openPalette()}>
      <${Icon} name="search" /><span>${t("office.findHint")}</span><kbd>Ctrl K</kbd></button>
  </header>`;

/** Move the focus by one row of the list on the page. */
function moveRow(step) {
  const rows = [...document.querySelectorAll(":not([data-folded]) > .table-row")];
  const at = rows.findIndex((row) => row.closest("li").contains(document.activeElement));
  const next = at < 0 ? (step > 0 ? 0 : rows.length - 1) : at + step;
  rows[Math.max(0, Math.min(next, rows.length - 1))]?.focus();
}
