// The files of the customer that are attached to a request.
import { html, useState } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { number, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { RetryKey } from "../../../core/retry_key.js";
import { shrink } from "../../../scan/photo.js";
import { dataUrl } from "../../../ui/data_url.js";
import { explain } from "../../../ui/fault.js";
import { Icon } from "../../../ui/parts.js";
import { ActionButton } from "../dialog_button.js";

const MAX_BYTES = 5 * 1024 * 1024; // as the service takes them
const MAX_NAME_LENGTH = 200; // characters, too
const ACCEPTED = "application/pdf,image/png,image/jpeg";
// of the page: a file whose answer was lost is not attached again by who chooses it again
const retryKey = new RetryKey();

/** The attachments of a request, with buttons for who may change them. */
export default function Attachments({ request }) {
  const { attachments = [], _id: id } = request;
  return html`<section class="card attachments" aria-labelledby="attachments">
    <h2 id="attachments">${t("requests.attachments")}</h2>
    ${attachments.length
      ? html`<ul>${attachments.map((one) => html`<${Attachment} key=${one.number} request=${request} ...${one} />`)}</ul>`
      : html`<p class="soft">${t("requests.noAttachments")}</p>`}
    ${may("requests:manage") && html`<${Upload} request=${id} />`}
  </section>`;
}

function Attachment({ request, number: place, name, type, size, url }) {
  const detach = () =>
    api(`/requests/${request._id}/attachments/${place}`, {
      method: "DELETE",
      headers: { "If-Match": `"${request.version}"` },
    });
  return html`<li><a href=${url} target="_blank" rel="noreferrer">
      <${Icon} name=${type.startsWith("image/") ? "image" : "file-text"} />${name}</a>
    <span class="soft">${t("requests.bytes", { size: number(Math.max(1, Math.round(size / 1024))) })}</span>
    ${may("requests:manage") && html`<${ActionButton} icon="trash-2" label=${t("requests.detach", { name })}
      isIcon isDanger hint=${t("requests.detachHint", { name })} send=${detach} />`}</li>`;
}

function Upload({ request }) {
  const [sending, setSending] = useState("");
  const [failed, setFailed] = useState("");
  const add = async (event) => {
    const files = [...event.target.files];
    event.target.value = "";
    setFailed("");
    for (const file of files) {
      setSending(file.name);
      const problem = await attach(request, file);
      if (problem) {
        setFailed(problem);
        break;
      }
    }
    setSending("");
  };
  return html`<div class="form-buttons">
    <label class="quiet-button"><input type="file" accept=${`${ACCEPTED},image/*`} multiple disabled=${Boolean(sending)}
      class="visually-hidden" onChange=${add} /><${Icon} name=${sending ? "hourglass" : "upload"} />${t("requests.attach")}</label>
    <p role="status">${sending && t("requests.attaching", { name: sending })}</p>
    <p role="alert">${failed && html`<span class="field-fault"><${Icon} name="circle-alert" /> ${failed}</span>`}</p>
  </div>`;
}

/** Attach a file; returns what is wrong with it, in words. */
async function attach(request, file) {
  let sent;
  try {
    // what a phone takes is often too large, or of a kind that few programs open
    const isPicture = file.type.startsWith("image/");
    const isTaken = ACCEPTED.split(",").includes(file.type) && file.size <= MAX_BYTES;
    const small = isPicture && !isTaken ? await shrink(file) : file;
    if (small.size > MAX_BYTES)
      return t("requests.tooLarge", { name: file.name, size: number(MAX_BYTES / 1024 / 1024) });
    sent = await dataUrl(small);
  } catch {
    return t("requests.unreadable", { name: file.name });
  }
  try {
    const body = { name: file.name.slice(0, MAX_NAME_LENGTH), file: sent };
    await retryKey.post(`/requests/${request}/attachments`, body);
    return "";
  } catch (error) {
    const [fault] = error.faults ?? [];
    return `${file.name}: ${fault?.localMessage ?? fault?.message ?? (error.status < 500 ? error.message : explain(error))}`;
  }
}
