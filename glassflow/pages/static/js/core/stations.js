// The stations by id, for pages that name them.
import { effect } from "../../vendor/ui.js";
import { api } from "./api.js";
import { withChange } from "./records.js";
import { resource } from "./resource.js";
import { session } from "./session.js";
import { byPosition } from "./station_names.js";

const all = resource(async () => (await api("/stations?limit=100&sort=position")).data, {
  "station:updated": withChange,
});
let stop = null;
effect(() => {
  if (session.value.state !== "none") return;
  stop?.();
  stop = null;
});

/** Read the stations, and keep them up to date as long as somebody is logged in. */
export function followStations() {
  stop ??= all.start();
}

const known = () => all.state.value.value ?? [];

/** Whether they have been read. A component that calls this follows it. */
export const areRead = () => Boolean(all.state.value.value);

/** All stations, by position. A component that calls this follows their changes. */
export const stations = () => [...known()].sort(byPosition);

/** The station of an id, or undefined. A component that calls this follows its changes. */
export function stationOf(id) {
  return known().find(({ _id }) => _id === id);
}
