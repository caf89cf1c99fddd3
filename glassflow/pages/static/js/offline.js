// What lets the pages work without network. Loaded after the page, which works without it.
import "./ui/leave.js"; // which has to be there before the network is lost
import "./core/outbox.js"; // sends what was kept

// The service worker fetches all files of all pages: what this page shows comes first.
const INSTALL_AFTER_MS = 2000;

// Browsers have service workers in secure contexts only: over https, and on localhost.
setTimeout(
  () =>
    navigator.serviceWorker
      ?.register("/floor/sw.js", { updateViaCache: "none" })
      .catch((error) => console.warn("The pages will not start without network:", error)),
  INSTALL_AFTER_MS,
);
