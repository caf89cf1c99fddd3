// The panes of one order or request, live.
import { api } from "../../core/api.js";
import { idOf, withChange } from "../../core/records.js";
import { useResource } from "../../ui/use_resource.js";

const FIELDS =
  "paneNumber,currentStatus,currentStation,order,request,glassTypeLabel,dimensions,routing,version";
const PAGE = 100;
const MOST = 2000; // panes of one order

/** Read all panes that a filter of the API names: {order: id}, with `fields` or whole. */
export async function readPanes(filter) {
  const rows = [];
  // by page numbers, a pane that is merged meanwhile would hide another one
  for (let cursor = "*"; cursor && rows.length < MOST;) {
    const asked = { sort: "paneNumber", limit: PAGE, cursor, ...filter };
    const { data, pagination } = await api(`/panes?${new URLSearchParams(asked)}`);
    rows.push(...data);
    cursor = pagination.next;
  }
  return rows;
}

/** The panes of the record `id`, which they name as their `owner` ("order", "request"). */
export function usePanesOf(owner, id) {
  return useResource(`panes of ${id}`, () => [() => readPanes({ [owner]: id, fields: FIELDS }), {
    "pane:updated": (value, payload) => withPane(value, payload, owner, id),
  }]);
}

/** The panes after an event of one; merged panes are not shown. */
function withPane(panes, { data, action }, owner, id) {
  const gone = idOf(data[owner]) !== id || data.currentStatus === "merged_into";
  const known = panes.some(({ _id }) => _id === data._id);
  if (gone && !known) return panes;
  const next = withChange(panes, gone ? { action: "deleted", data } : { action, data });
  return known ? next : next.sort((one, other) => (one.paneNumber < other.paneNumber ? -1 : 1));
}
