// What waits in a section of the rail, known since it was counted.
import { signal } from "../../../vendor/ui.js";
import { api } from "../../core/api.js";
import { inTurn } from "../../core/resource.js";
import { session } from "../../core/session.js";
import { useResource } from "../../ui/use_resource.js";

export const lateOrders = signal(0);
export const pendingClaims = signal(0);
export const unread = signal(0); // notifications of the worker

/** The worker who is logged in: an administrator may read the notifications of others too. */
export const recipient = () => session.value.worker?._id;

async function count() {
  const asked = { recipient: recipient(), readStatus: "false", limit: "1", fields: "title" };
  const { pagination } = await api(`/notifications?${new URLSearchParams(asked)}`);
  return (unread.value = pagination.total);
}

/** Count again, after all reads that have begun: one of these may not know of a change yet. */
export const countAgain = () => inTurn(count).catch(() => {}); // the next event counts, too

/** Keeps `unread` up to date; draws nothing. */
export function CountUnread() {
  useResource(`unread notifications of ${recipient()}`, () => [
    count,
    {
      notification: (value, _, readAgain) => {
        readAgain(); // it may have been counted already
        unread.value += 1;
        return value;
      },
    },
  ]);
  return null;
}
