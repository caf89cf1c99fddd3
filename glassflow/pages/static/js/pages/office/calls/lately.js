// How many calls have not ended, and how long machines stood in the last days; live.
import { html } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { number, t } from "../../../core/i18n.js";
import { Icon } from "../../../ui/parts.js";
import { useResource } from "../../../ui/use_resource.js";
import { hoursAndMinutes } from "./parts.js";
import { OFFICE } from "../layout.js";

const DAYS = 7;

async function read() {
  const [calls, { data }] = await Promise.all([
    api("/calls?status=open,taken&limit=1&fields=status"),
    api(`/calls/pareto?days=${DAYS}`),
  ]);
  return { count: calls.pagination.total, stoppedSeconds: data.totals.stoppedSeconds };
}

export default function Calls() {
  const { value } = useResource("calls of the dashboard", () => [read, { "call:updated": () => undefined }]);
  if (!value) return null;
  const { count, stoppedSeconds } = value;
  const stood = stoppedSeconds > 0 ? "calls.stoodLately" : "calls.stoodNone";
  return html`<a href=${`${OFFICE}/calls?status=open,taken&days=${DAYS}`} data-kind=${count ? "soon" : undefined}><${Icon} name=${count ? "circle-help" : "circle-check"} />
      ${t("calls.openNow", { count, number: number(count) })}</a>
    <span class="soft">${t(stood, { days: DAYS, time: hoursAndMinutes(stoppedSeconds) })}</span>`;
}
