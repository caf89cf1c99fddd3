// The frame of the office pages: the rail, the palette, the keys, and the scanner, which
// opens the passport of the pane that it reads.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../../../vendor/ui.js";
import { addTexts, dateTime, t } from "../../core/i18n/index.js";
import { go, path } from "../../core/router.js";
import { followRights, may } from "../../core/permissions.js";
import { followStations } from "../../core/stations.js";
import { onKeys } from "../../ui/keys.js";
import { Lazy } from "../../ui/lazy.js";
import "../../ui/page_icons.js";
import { openPalette } from "../../ui/open_palette.js";
import { Icon } from "../../ui/parts.js";
import { moveRow } from "../../ui/move_row.js";
import { useScanner } from "../../ui/use_scanner.js";
import { lateOrders, pendingClaims, unread } from "./counts.js";
import { sections } from "./sections.js";
import { texts } from "./texts.js";

addTexts(texts);

export const OFFICE = "/floor/office";
export const ORDERS = `${OFFICE}/orders`;
export const REQUESTS = `${OFFICE}/requests`;
/** Where the passport of a pane is. */
export const passportOf = (number) => `${OFFICE}/panes/${encodeURIComponent(number)}`;

const keyList = () => import("./key_list.js");

/** What all office pages have around them; `title` is the key of the page's name. */
export function Office({ children }) {
  const [helping, setHelping] = useState(false);
  const [palette, setPalette] = useState(null);
  const [bell, setBell] = useState(null);
  useEffect(() => {
    import("./find.js").then(setPalette);
    import("./notifications/unread.js").then(setBell);
  }, []);
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
        "?": () => setHelping(true),
      }),
    [],
  );
  return html`<div class="office">
    ${bell && may("notifications:view") && html`<${bell.CountUnread} />`}
    <${Rail} onHelp=${() => setHelping(true)} />
    <main>${children}</main>
    ${palette && html`<${palette.Find} />`}
    ${helping && html`<${Lazy} load=${keyList} onClose=${() => setHelping(false)} />`}
  </div>`;
}

const COUNTS = { orders: lateOrders, claims: pendingClaims, notifications: unread }; // what waits in a section

function Rail({ onHelp }) {
  const here = path.value.split("/")[1] ?? "dashboard";
  const rail = useRef();
  useEffect(() => {
    // on a phone it is a row, in which the section may be out of sight
    const { clientWidth } = rail.current;
    const link = rail.current.querySelector("[aria-current]");
    if (link) rail.current.scrollLeft = link.offsetLeft - (clientWidth - link.clientWidth) / 2;
  }, [here]);
  return html`<nav class="rail" ref=${rail} aria-label=${t("office.rail")}>
    <a href="/floor/"><${Icon} name="house" /><span>${t("office.home")}</span></a>
    ${sections().map(({ name, icon }) => html`
      <a key=${name} href=${`${OFFICE}/${name}`} aria-current=${here === name ? "page" : undefined}>
        <${Icon} name=${icon} /><span>${t(`office.${name}`)}</span><${Waiting} section=${name} /></a>`)}
    <button type="button" onClick=${() => openPalette()}>
      <${Icon} name="search" /><span>${t("office.find")}</span></button>
    <button type="button" class="rail-keys" onClick=${onHelp}>
      <${Icon} name="keyboard" /><span>${t("office.keys")}</span></button>
  </nav>`;
}

const Waiting = ({ section }) =>
  COUNTS[section]?.value > 0 &&
  html`<b>
  <span class="visually-hidden">${t(`officewaiting.${section}`)} </span>${COUNTS[section].value}</b>`;

/** The heading of an office page, with the field that opens the palette; on paper, when it was printed. */
export function Head({ children }) {
  const printed = useRef();
  useEffect(() => {
    const tell = () => (printed.current.textContent = t("office.printed", { time: dateTime(new Date()) }));
    addEventListener("beforeprint", tell); // nothing is drawn between it and the print
    return () => removeEventListener("beforeprint", tell);
  }, []);
  return html`<header class="head">
    <div>${children}</div><p class="printed" ref=${printed}></p>
    <button type="button" class="find" onClick=${() => openPalette()}>
      <${Icon} name="search" /><span>${t("office.findHint")}</span><kbd>Ctrl K</kbd></button>
  </header>`;
}
