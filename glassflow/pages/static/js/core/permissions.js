// What the worker who is logged in may do, followed while a page is open.
import { idOf } from "./records.js";
import { may, renew, session } from "./session.js";
import { onEvent } from "./events.js";

export { may };

/** Whether the service shows this worker the prices of requests. */
export const seesPrices = () => may("pricing:view") || may("requests:manage");

/** Ask for the rights again when the worker or their role changes; returns how to stop. */
export function followRights() {
  const isOwn = (id) => id === session.peek().worker?._id || id === idOf(session.peek().worker?.role);
  const ends = ["worker:updated", "role:updated"].map((name) =>
    onEvent(name, ({ data }) => isOwn(data?._id) && renew().catch(() => {})),
  ); // a later event, or request, asks again
  return () => ends.forEach((end) => end());
}
