// What lets the pages work without network. Loaded after the page, which works without it.
import { connection } from "./core/events.js";
import "./ui/leave.js"; // which has to be there before the network is lost
import "./core/outbox.js"; // sends what was kept
import { isInstalled } from "./ui/starts_offline.js";

// The service worker fetches all files of all pages: what this page shows comes first.
const INSTALL_AFTER_MS = 2000;
// Where an attempt fails while the connection lasts: once more, since each fetches all files.
const AGAIN_MS = 10_000;

let isLast = false; // this connection has had its second attempt

async function install() {
  try {
    const registration = await navigator.serviceWorker.register("/floor/sw.js", { updateViaCache: "none" });
    const { installing } = registration;
    installing?.addEventListener("statechange", () => installing.state === "redundant" && again());
  } catch (error) {
    console.warn("The pages will not start without network:", error);
    again();
  }
}

function again() {
  if (isLast || connection.peek().state !== "live") return;
  isLast = true;
  setTimeout(installMissing, AGAIN_MS);
}

async function installMissing() {
  if (!(await isInstalled().catch(console.warn))) await install();
}

// Browsers have service workers in secure contexts only: over https, and on localhost.
if (navigator.serviceWorker)
  setTimeout(() => {
    install();
    connection.subscribe(({ state }) => {
      if (state !== "live") return;
      isLast = false;
      installMissing();
    });
  }, INSTALL_AFTER_MS);
