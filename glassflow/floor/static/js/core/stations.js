// The stations by id, for pages that name them.
import { effect } from "../../vendor/ui.js";
import { api } from "./api.js";
import { withChange } from "./records.js";
import { resource } from "./resource.js";
import { session } from "./session.js";

const all = resource(
  async () => (await api("/stations?limit=100&sort=createdAt")).data,
  { "station:updated": withChange },
);
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

/** All stations, oldest first. A component that calls this follows their changes. */
export const allStations = () => all.state.value.value ?? [];

/** The station of an id, or undefined. A component that calls this follows its changes. */
export function stationOf(id) {
  return allStations().find(({ _id }) => _id === id);
}

/** All stations in the order of boards. A component that calls this follows their changes. */
export function stations() {
  const place = ({ position }) => position ?? Infinity;
  return [...allStations()].sort((one, other) => place(one) - place(other) || 0);
}
