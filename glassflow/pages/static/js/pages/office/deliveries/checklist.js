// A delivery with what has to be known of its panes; live.
import { api } from "../../../core/api.js";
import { useResource } from "../../../ui/use_resource.js";

export const readChecklist = async (id) => (await api(`/deliveries/${encodeURIComponent(id)}/checklist`)).data;

export const allOf = ({ panes, missingPanes }) => [...panes, ...missingPanes];

export const useChecklist = (id) =>
  useResource(`checklist ${id}`, () => [
    () => readChecklist(id),
    {
      "delivery:updated": (value, { data }) => (data._id === id ? undefined : value),
      "pane:updated": (value, { data }) => (allOf(value).some(({ _id }) => _id === data._id) ? undefined : value),
    },
  ]);
