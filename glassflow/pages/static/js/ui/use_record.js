// One record of the API, live, for the page that shows or changes it.
import { api } from "../core/api.js";
import { lacksPopulated, updated } from "../core/records.js";
import { READ_EVERY_MS } from "../core/resource.js";
import { useResource } from "./use_resource.js";

/**
 * The record `id` of a list of the API ("customers"), changed by `event`
 * ("order:updated"), whose data is a record or has several as its members; without one it is
 * read again every half a minute. Its value is null once the record is deleted.
 */
export function useRecord(resource, id, event, populate) {
  const asked = populate ? `?${new URLSearchParams({ populate })}` : "";
  return useResource(`${resource} ${id}`, () => [
    async () => (await api(`/${resource}/${encodeURIComponent(id)}${asked}`)).data,
    event
      ? {
          [event]: (value, { action, data }, readAgain) => {
            const own = value && [data, ...Object.values(data ?? {})].find((one) => one?._id === value._id);
            if (!own) return value;
            if (action === "deleted") return null;
            const next = updated(value, own);
            if (lacksPopulated(value, next, populate)) readAgain();
            return next;
          },
        }
      : {},
    event ? {} : { everyMs: READ_EVERY_MS },
  ]);
}
