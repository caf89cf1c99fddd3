// Why a station is under maintenance and since when: the call that has stopped it; live.
import { html } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { dateTime, t } from "../../../core/i18n.js";
import { useResource } from "../../../ui/use_resource.js";
import { CallActions } from "./actions.js";
import { OFFICE } from "../layout.js";

/** The open call that keeps the panes out of a station; `load` reads it again. */
function useStop(station) {
  const path = `/calls?station=${station}&status=open,taken&machineStands=true&sort=calledAt`;
  const calls = useResource(path, () => [
    async () => (await api(path)).data.filter(({ refusesScanIn }) => refusesScanIn),
    { "call:updated": () => undefined },
  ]);
  return { call: calls.value?.[0], load: calls.load };
}

const since = ({ calledAt }) => t("stations.since", { time: dateTime(new Date(calledAt)) });

/** In the list of stations: one line. */
export function Since({ station }) {
  const { call } = useStop(station);
  return call ? html`<small class="soft">${[since(call), call.reason].filter(Boolean).join(" · ")}</small>` : null;
}

/** On the page of a station: with the link to the call, and the button that ends it. */
export default function Maintenance({ station: { _id } }) {
  const { call, load } = useStop(_id);
  if (!call) return null;
  return html`<p>${since(call)} · ${call.calledByName}</p>
    <p><strong>${call.reason || t("stations.noReason")}</strong></p>
    <div class="buttons"><${CallActions} call=${call} onDone=${load} />
      <a class="quiet-button" href=${`${OFFICE}/calls/${call._id}`}>${call.callNumber}</a></div>`;
}
