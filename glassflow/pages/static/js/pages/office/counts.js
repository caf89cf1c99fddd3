// What waits in a section of the rail, known since it was counted.
import { signal } from "../../../vendor/ui.js";

export const lateOrders = signal(0);
export const pendingClaims = signal(0);
export const unread = signal(0); // notifications of the worker
