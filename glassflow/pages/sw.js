// The service worker: lets the pages start without network.
//
// The service fills in the version, which is the hash of all files, and the list of files.
// A version is fetched whole before it is used, and each file has its version in its
// address, so a page never mixes two. The one before stays for the tabs that still show it.
// Nothing but the shell and the files is answered from here: never the API, never the
// session.
const VERSION = "{{version}}";
const FILES = ["{{files}}"];
const SHELL = "/floor/";
const PREFIX = "glassflow-";
const CACHE = PREFIX + VERSION;
const SHELL_AWAITED_MS = 2500;

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith("/floor/static/")) event.respondWith(file(event.request));
  else if (mode === "navigate" && isPage(pathname)) event.respondWith(shell(event.request));
});

async function install() {
  const cache = await caches.open(CACHE);
  const answer = await fetch(SHELL, { cache: "no-store" });
  const text = await answer.clone().text();
  // a newer release has been started since: its own worker will install it
  if (!answer.ok || !text.includes(`/static/${VERSION}/`)) throw new Error("another version");
  await cache.addAll(FILES);
  await cache.put(SHELL, answer);
  await self.skipWaiting();
}

async function activate() {
  const ours = (await caches.keys()).filter((name) => name.startsWith(PREFIX));
  const older = ours.filter((name) => name !== CACHE).slice(0, -1); // oldest first
  await Promise.all(older.map((name) => caches.delete(name)));
  await self.clients.claim();
}

// A message about a call: the page that is open, or a new one.
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(showPage());
});

async function showPage() {
  const [page] = await self.clients.matchAll({ type: "window" });
  return page ? page.focus() : self.clients.openWindow(SHELL);
}

// Downloads, such as /floor/ca.crt, have a dot in their name.
function isPage(pathname) {
  return pathname.startsWith("/floor/") && !pathname.split("/").at(-1).includes(".");
}

/** A file, for ever the same under its address. Those not in the list are kept once used. */
async function file(request) {
  const kept = await caches.match(request.url);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok && request.url.includes(`/static/${VERSION}/`)) {
    const copy = answer.clone();
    caches
      .open(CACHE)
      .then((cache) => cache.put(request.url, copy))
      .catch(() => {});
  }
  return answer;
}

/** The shell: from the service, and the kept one where the service does not answer soon. */
async function shell(request) {
  const late = new Promise((_, reject) => setTimeout(reject, SHELL_AWAITED_MS));
  try {
    const answer = await Promise.race([fetch(request), late]);
    if (answer.status < 500) return answer;
  } catch {
    // no network, no service, or too late
  }
  const kept = await (await caches.open(CACHE)).match(SHELL);
  return kept ?? fetch(request);
}
