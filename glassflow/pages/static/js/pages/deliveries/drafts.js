// Hand-overs that somebody is filling in, on this device: they survive a page that the camera
// pushes out, and an empty battery. In IndexedDB, for photos are too large for localStorage.
//
// A draft belongs to a worker and a delivery. Each of its values is a record of its own, so
// that a letter of the name does not write the photos again.
import { openDB } from "../../../vendor/idb.js";
import { KeptDatabase, UNTIL_LOGOUT } from "../../core/kept_database.js";
import { session } from "../../core/session.js";

const STORE = "handOvers";
const database = new KeptDatabase(globalThis.indexedDB && open);

const isLoggedOut = () => session.value.state === "none";

/** What `act(database)` returns; undefined after a logout, which has deleted the database. */
async function use(act) {
  try {
    return isLoggedOut() ? undefined : await database.use(act);
  } catch (error) {
    if (isLoggedOut()) return undefined;
    throw error;
  }
}

async function open(ended) {
  // an act that the logout has cut off would create it again
  if (isLoggedOut()) throw new DOMException("Logged out", "AbortError");
  const opened = await openDB(UNTIL_LOGOUT, 1, {
    upgrade: (created) => created.createObjectStore(STORE, { keyPath: ["worker", "delivery", "name"] }),
    // at logout it is deleted, which waits for this connection
    blocking: () => {
      ended();
      opened.close();
    },
    terminated: ended,
  });
  return opened;
}

// All keys of a draft: an array comes after each text.
const rangeOf = (worker, delivery) => IDBKeyRange.bound([worker, delivery], [worker, delivery, []]);

/** The draft of a worker for a delivery, by the names of its values; null where there is none. */
export async function readDraft(worker, delivery) {
  const rows = await use((opened) => opened.getAll(STORE, rangeOf(worker, delivery)));
  return rows?.length ? Object.fromEntries(rows.map(({ name, value }) => [name, value])) : null;
}

/** Keep values of a draft, by their names; they are on the disk once this resolves. */
export function keepDraft(worker, delivery, values) {
  return use(async (opened) => {
    const { store, done } = opened.transaction(STORE, "readwrite", { durability: "strict" });
    const rows = Object.entries(values).map(([name, value]) => ({ worker, delivery, name, value }));
    await Promise.all([...rows.map((row) => store.put(row)), done]);
  });
}

export function forgetDraft(worker, delivery) {
  return use((opened) => opened.delete(STORE, rangeOf(worker, delivery)));
}

/** Forget the drafts, of all workers, for deliveries that are none of these (ids). */
export function forgetOthers(deliveries) {
  return use(async (opened) => {
    const gone = (await opened.getAllKeys(STORE)).filter(([, delivery]) => !deliveries.includes(delivery));
    await Promise.all(gone.map((key) => opened.delete(STORE, key)));
  });
}
