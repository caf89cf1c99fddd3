// What a refusal leads to: the station that has the pane is told, or why a station takes no panes.
import { html, useRef, useState } from "../../../vendor/ui.js";
import { api } from "../../core/api.js";
import { connection } from "../../core/events.js";
import { t } from "../../core/i18n.js";
import { isShared } from "../../core/person.js";
import { idOf } from "../../core/records.js";
import { may } from "../../core/session.js";
import { nameOf } from "../../core/station_names.js";
import { play } from "../../scan/sounds.js";
import { useNow } from "../../ui/connection.js";
import { Icon } from "../../ui/parts.js";
import { faultOf, post, sinceOf, whoComes } from "./call_words.js";

export default function AfterRefusal({ desk, card }) {
  const { code, facts } = card.verdict.error;
  if (code === "WRONG_STATION")
    return (
      (isShared() || may("panes:scan")) && html`<${Tell} desk=${desk} card=${card} there=${facts.currentStation} />`
    );
  return html`<${Why} call=${desk.calls.value?.stopOf(idOf(facts?.station))} />`;
}

/** Since when a station takes no panes, and why; nothing where that is not known. */
function Why({ call }) {
  const now = useNow(true);
  return call && html`<p>${[sinceOf(call, now), call.reason].filter(Boolean).join(" · ")}</p>`;
}

function Tell({ desk, card: { number, pane }, there }) {
  const calls = desk.calls.value;
  const call = calls?.toldOf(number, idOf(there));
  const told = useRef(false); // since this card is shown
  if (call) told.current = true;
  const [{ busy, fault }, setState] = useState({});
  const station = nameOf(there) || "–";
  const press = async () => {
    setState({ busy: true });
    try {
      const id = pane?._id ?? (await api(`/panes/${encodeURIComponent(number)}`)).data._id;
      await post(calls, "/calls", { station: idOf(there), kind: "glass", pane: id, calledFrom: desk.id });
      play("yes");
      setState({});
    } catch (error) {
      play("no");
      setState({ fault: faultOf(error) });
    }
  };
  const say = (icon, words) => html`<p class="told" role="status"><${Icon} name=${icon} /><span>${words}</span></p>`;
  if (call) return say("check", `${t("station.told", { station })} · ${whoComes(call)}`);
  if (told.current) return say("circle-check", t("station.toldEnded", { station }));
  if (connection.value.state === "lost") return say("wifi-off", t("station.callNoNetwork"));
  return html`${fault && say("circle-alert", fault)}
    <button type="button" class="tell" disabled=${busy} onClick=${press}>
      <${Icon} name=${busy ? "hourglass" : "bell"} />${t("station.tell", { station })}</button>`;
}
