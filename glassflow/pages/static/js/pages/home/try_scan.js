// Three panes of the demo workshop: their labels can be scanned from the screen, or clicked.
import { html, useEffect, useState } from "../../../vendor/ui.js";
import { api } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { OPEN } from "../../core/pane_flow.js";
import { go } from "../../core/router.js";
import { nameOf } from "../../core/station_names.js";
import { parse } from "../../scan/codes.js";
import { listen } from "../../scan/wedge.js";
import { fetchFile } from "../../ui/files.js";

const POLL_MS = 50;
const LIMIT_MS = 10_000; // until the page of a station is there

export default function TryScan() {
  const [panes, setPanes] = useState([]);
  useEffect(() => {
    let current = true;
    Promise.all(OPEN.map(paneWith)).then(
      (found) => current && setPanes(found.filter(Boolean)),
      () => {}, // the page is of use without the labels
    );
    return () => (current = false);
  }, []);
  useEffect(
    () =>
      listen((text) => {
        const scanned = panes.find(({ paneNumber }) => paneNumber === parse(text).number);
        if (scanned) scan(scanned);
      }),
    [panes],
  );
  if (panes.length === 0) return null;
  return html`<section class="card try" aria-labelledby="try">
    <h2 id="try">${t("try.title")}</h2>
    <p class="soft">${t("try.hint")}</p>
    <ul>${panes.map((pane) => html`<li key=${pane._id}>
      <button type="button" onClick=${() => scan(pane)}>
        <${Label} number=${pane.paneNumber} />
        <strong>${pane.paneNumber}</strong>
        <span class="soft">${t(`try.${pane.currentStatus}`, { station: nameOf(pane.currentStation) })}</span>
      </button></li>`)}</ul>
  </section>`;
}

/** A pane with a status, at a station; undefined where there is none. */
async function paneWith(status) {
  const wanted = new URLSearchParams({
    currentStatus: status,
    laminateRole: "single",
    currentStation_ne: "null",
    fields: "paneNumber,qrCode,currentStatus,currentStation",
    populate: "true",
    limit: "1",
  });
  const { data } = await api(`/panes?${wanted}`);
  return data[0];
}

/** The picture of a label, as it is printed. */
function Label({ number }) {
  const [url, setUrl] = useState("");
  useEffect(() => {
    let made = "";
    let current = true;
    fetchFile("/labels", { panes: [number], format: "png" }).then(
      ({ blob }) => current && setUrl((made = URL.createObjectURL(blob))),
      () => {}, // the button has the number
    );
    return () => {
      current = false;
      URL.revokeObjectURL(made);
    };
  }, [number]);
  return html`<span class="label">${url && html`<img src=${url} alt="" />`}</span>`;
}

/** Open the station of a pane, and type its code there as a scanner does. */
async function scan({ qrCode, currentStation }) {
  go(`/floor/s/${currentStation._id}`);
  for (let waited = 0; waited < LIMIT_MS && !document.querySelector(".station h1"); waited += POLL_MS) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  for (const key of [...qrCode, "Enter"]) dispatchEvent(new KeyboardEvent("keydown", { key }));
}
