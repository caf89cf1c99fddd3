// What the office pages need beyond their first picture: the palette, which opens what it
// finds on one of them, the number of unread notifications, and the head of what is printed.
import { html, useEffect, useLayoutEffect, useRef } from "../../../vendor/ui.js";
import { dateTime, t } from "../../core/i18n.js";
import { may } from "../../core/permissions.js";
import { Palette } from "../../ui/palette.js";
import { OFFICE, ORDERS, passportOf, REQUESTS } from "./layout.js";
import { CountUnread } from "./notifications/unread.js";

export default function Rest() {
  useLayoutEffect(keepScrolled, []);
  return html`${may("notifications:view") && html`<${CountUnread} />`}
    <${PaperHead} /><${Palette} hrefOf=${hrefOf} />`;
}

let scrolled = 0; // the rail of the page before

/** The rail of each page is a new one: it stays where it was scrolled to, with its section in sight. */
function keepScrolled() {
  const rail = document.querySelector(".office .rail");
  const link = rail.querySelector("[aria-current]");
  rail.scrollTop = scrolled;
  const top = link?.offsetTop - rail.scrollTop;
  if (top < 0 || top + link?.offsetHeight > rail.clientHeight) rail.scrollTop = link.offsetTop - rail.clientHeight / 2;
  return () => (scrolled = rail.scrollTop);
}

/** What a printed page begins with: the name of the workshop, and when it was printed. */
function PaperHead() {
  const printed = useRef();
  useEffect(() => {
    const tell = () => (printed.current.textContent = t("office.printed", { time: dateTime(new Date()) }));
    addEventListener("beforeprint", tell); // nothing is drawn between it and the print
    return () => removeEventListener("beforeprint", tell);
  }, []);
  const workshop = document.querySelector('meta[name="application-name"]').getAttribute("content");
  return html`<p class="paper-head"><strong>${workshop}</strong><span ref=${printed}></span></p>`;
}

/** The page of a record that a search has found. */
function hrefOf(found) {
  if (found.kind === "pane") return passportOf(found.paneNumber);
  if (found.kind === "order") return `${ORDERS}/${found._id}`;
  if (found.kind === "request") return `${REQUESTS}/${found._id}`;
  if (found.kind === "claim") return `${OFFICE}/claims/${found._id}`;
  return `${ORDERS}?due=all&${found.kind}=${found._id}`;
}
