// What this device keeps for a station, so that the page can start without network.
const KEPT = "glassflow.kept."; // until logout, see core/preferences.js
const CHOSEN = "glassflow.station";

/** The station that this device is at, or null. */
export const chosenStation = () => get(CHOSEN);
export const chooseStation = (id) => put(CHOSEN, id);

/** What was kept of a station: {station, stations, panes, isWhole}, or null. */
export const loadStation = (id) => get(KEPT + id);
export const saveStation = (id, facts) => put(KEPT + id, facts);

/** What was scanned on this device at a station: see done_here.js; or null. */
export const loadDone = (id) => get(`${KEPT}done.${id}`);
export const saveDone = (id, facts) => put(`${KEPT}done.${id}`, facts);

/** A choice of this device: "scans", "glove" or "queueBy". */
export const preference = (name) => get(`glassflow.${name}`);
export const setPreference = (name, value) => put(`glassflow.${name}`, value);

function get(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null; // storage is turned off, or another program's
  }
}

function put(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // storage is turned off or full: the page works as long as it is open
  }
}
