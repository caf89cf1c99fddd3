// What waits in a section of the rail, as it was counted for the worker who is logged in.
import { effect, signal } from "../../../vendor/ui.js";
import { session } from "../../core/session.js";

export const lateOrders = signal(0);
export const pendingClaims = signal(0);
export const unread = signal(0); // notifications of the worker

effect(() => {
  if (session.value.state === "none") for (const one of [lateOrders, pendingClaims, unread]) one.value = 0;
});
