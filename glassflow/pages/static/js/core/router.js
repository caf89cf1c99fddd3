// Which page the address names. Links of the pages change it without a new load.
import { batch, signal } from "../../vendor/ui.js";

const BASE = "/floor";

/** The path of the page below /floor, without slashes at its ends; "" for the start page. */
export const path = signal(pagePath(globalThis.location?.pathname ?? BASE));

/** What follows the "?" of the address, as URLSearchParams. */
export const query = signal(new URLSearchParams(globalThis.location?.search));

/** The path below /floor of an address, or null for an address outside. */
export function pagePath(pathname) {
  const inside = pathname === BASE || pathname.startsWith(`${BASE}/`);
  return inside ? pathname.slice(BASE.length).replace(/^\/+|\/+$/g, "") : null;
}

/** The first entry of a table [[pattern, page], ...] that fits: {page, params}, or null. */
export function match(table, wanted) {
  for (const [pattern, page] of table) {
    const params = fit(pattern.split("/"), wanted?.split("/") ?? []);
    if (params) return { page, params };
  }
  return null;
}

// ":name" in a pattern fits any one segment, and "*" at its end all that follows.
function fit(pattern, segments) {
  if (pattern.at(-1) === "*") return pattern.slice(0, -1).every((one, i) => one === segments[i]) ? {} : null;
  if (pattern.length !== segments.length) return null;
  const params = {};
  for (const [index, part] of pattern.entries()) {
    if (part.startsWith(":")) params[part.slice(1)] = segments[index];
    else if (part !== segments[index]) return null;
  }
  return params;
}

/** Show another page, or the same one with another query. It may have a `task`: what it does at once. */
export function go(address, task = null) {
  history.pushState(task, "", address);
  follow();
}

/** Change the query of the page without a new entry in the browser's history. */
export function replaceQuery(parameters) {
  const text = new URLSearchParams(parameters).toString();
  history.replaceState(null, "", location.pathname + (text && `?${text}`));
  follow();
}

/** The task of the page, once: a reload has none, nor has a link, which anybody may have made. */
export function takeTask() {
  const task = history.state;
  history.replaceState(null, "");
  return task;
}

function follow() {
  batch(() => {
    path.value = pagePath(location.pathname);
    if (String(query.value) !== String(new URLSearchParams(location.search)))
      query.value = new URLSearchParams(location.search);
  });
}

/** Follow the address: links, and the browser's back and forward. */
export function start() {
  addEventListener("popstate", follow);
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || !isPlainClick(event) || link.target || link.hasAttribute("download")) return;
    const url = new URL(link.href);
    if (url.origin !== location.origin || pagePath(url.pathname) === null) return;
    event.preventDefault();
    go(url.pathname + url.search);
  });
}

function isPlainClick(event) {
  const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  return event.button === 0 && !modified && !event.defaultPrevented;
}
