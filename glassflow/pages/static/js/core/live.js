// The live connection of the page: open while somebody is logged in.
import { effect } from "../../vendor/ui.js";
import { connect } from "../../clients/glassflow.js";
import { save, saved } from "./preferences.js";
import { pageToken, renew, session } from "./session.js";
import { receive, resetConnection, gapCount, setConnection, startLost } from "./events.js";

const rooms = new Set(["dashboard"]); // the changes of everything that the worker may view
const RENEW_AGAIN_MS = 2000;
// The reason of a connection that ended without a word: the network was gone before.
const SILENT_END = "ping timeout";

let live = null;
let heardAt = 0; // when the service was last heard, in epoch milliseconds

/** Follow the session: connect when it opens, disconnect when it ends. */
export function start(io) {
  effect(() => {
    const { state, offline, mustChangePassword } = session.value;
    if (offline) startLost(Number(saved("kept.heard")));
    if (state === "open" && !mustChangePassword) open(io);
    else if (state === "none") close();
  });
  // A browser keeps a websocket that it cannot use any more for up to 45 s.
  addEventListener("offline", () => live?.socket.io.engine?.close());
  addEventListener("online", () => live?.open());
}

/** Hear the events of a further room from now on, as long as the page is open. */
export async function joinRoom(room) {
  rooms.add(room);
  await live?.join(room);
}

function open(io) {
  if (live) return;
  live = connect(io, location.origin, {
    token: pageToken,
    rooms: [...rooms],
    onEvent(...event) {
      heardAt = Date.now();
      receive(...event);
    },
    onReset: () => (gapCount.value += 1),
    onState,
  });
  live.socket.io.on("ping", noteHeard);
}

function noteHeard() {
  heardAt = Date.now();
  save("kept.heard", heardAt);
}

function close() {
  live?.close();
  live = null;
  resetConnection();
}

function onState(state, { reason, seq }) {
  if (state === "live") {
    noteHeard();
    setConnection("live", heardAt, seq);
  } else if (state === "offline") {
    setConnection("lost", reason === SILENT_END ? heardAt : Date.now());
  } else if (state === "refused") {
    openWithNewToken();
  }
}

// The token has ended or is revoked. Whoever is still logged in gets another one.
async function openWithNewToken() {
  setConnection("lost");
  const refused = live;
  try {
    await renew();
  } catch {
    if (live !== refused) return; // the session has ended
    await new Promise((resolve) => setTimeout(resolve, RENEW_AGAIN_MS));
  }
  if (live === refused) live?.open();
}
