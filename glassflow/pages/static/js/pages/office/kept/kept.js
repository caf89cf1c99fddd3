// How long each kind of data is kept, the last backup, and where old scans were moved to.
import { html } from "../../../../vendor/ui.js";
import { api, serviceTime } from "../../../core/api.js";
import { date, dateTime, number, t } from "../../../core/i18n.js";
import { useNow } from "../../../ui/connection.js";
import { Icon } from "../../../ui/parts.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { FactsCard } from "../facts_card.js";
import { Head, Office } from "../layout.js";
import { age, howLong, size, span } from "./model.js";

export const title = "office.kept";
export const styles = ["pages/office/kept/kept"];

export default function Kept() {
  const kept = useResource("kept", () => [async () => (await api("/kept")).data, {}]);
  return html`<${Office}>
    <${Head}><h1 tabindex="-1">${t("office.kept")}</h1><//>
    <${Loaded} of=${kept}>${() => html`<${Kinds} ...${kept.value} /><${Backup} ...${kept.value} /><${Archives} ...${kept.value} />`}<//>
  <//>`;
}

function Kinds({ kinds, backupEveryS, archiveAfterS }) {
  const titles = ["kind", "since", "long", "why"].map((one) => t(`keptcolumn.${one}`));
  const [, since, long, why] = titles;
  const isMissing = ({ name }) => name === "backups" && !backupEveryS; // nothing makes them
  const words = (kind) => {
    if (isMissing(kind)) return t("keeping.notScheduled");
    const isMoved = kind.name === "paneLogs" && archiveAfterS;
    return isMoved ? t("keeping.moved", { time: span(archiveAfterS) }) : howLong(kind);
  };
  return html`<section class="card"><p class="soft">${t("keeping.hint")}</p>
    <table class="kept-table" aria-label=${t("office.kept")}>
      <thead><tr>${titles.map((one) => html`<th key=${one} scope="col">${one}</th>`)}</tr></thead>
      <tbody>${kinds.map((kind) => html`<tr key=${kind.name}>
        <th scope="row">${t(`keptkind.${kind.name}`)}</th>
        <td class="when" data-title=${since}>${kind.oldest ? date(new Date(kind.oldest)) : "–"}</td>
        <td data-title=${long}>${words(kind)}
          <${Setting} name=${isMissing(kind) ? "BACKUP_EVERY" : kind.setting} /></td>
        <td class="why" data-title=${why}>${t(`keptwhy.${kind.name}`)}</td></tr>`)}</tbody>
    </table></section>`;
}

const Setting = ({ name }) => name && html`<code class="soft">${name}</code>`;

function Backup({ backup, backupEveryS, kinds }) {
  const now = serviceTime(useNow(false));
  const { words, isOld } = backup ? age(backup.at, now) : { words: "", isOld: false };
  const { keptCount: count } = kinds.find(({ name }) => name === "backups");
  const facts = [
    [t("keptbackup.at"), backup && html`${words}<br /><span class="soft">${dateTime(new Date(backup.at))}</span>`],
    [t("keptbackup.size"), backup && size(backup.bytes)],
    [t("keptbackup.place"), backup && html`${backup.file}<br /><span class="soft">${t("keeping.host", backup)}</span>`],
    [
      t("keptbackup.schedule"),
      backupEveryS
        ? t("keeping.schedule", { time: span(backupEveryS), count: number(count) })
        : t("keeping.notScheduled"),
    ],
  ];
  return html`<${FactsCard} id="backup" title=${t("keeping.backup")} facts=${facts}>
    ${!backup && html`<${Warning} text=${t("keeping.noBackup")} />`}
    ${isOld && html`<${Warning} text=${t("keeping.oldBackup")} />`}<//>`;
}

function Archives({ archives }) {
  if (!archives.length)
    return html`<section class="card" aria-labelledby="archives"><h2 id="archives">${t("keeping.archives")}</h2>
      <p class="soft">${t("keeping.noArchives")}</p></section>`;
  const [until, panes, logs, bytes, file] = ["until", "panes", "logs", "size", "file"].map((one) =>
    t(`keptarchive.${one}`),
  );
  const missing = archives.filter(({ isThere }) => !isThere).map(({ name }) => name);
  return html`<section class="card" aria-labelledby="archives"><h2 id="archives">${t("keeping.archives")}</h2>
    <p class="soft">${t("keeping.archivesHint")}</p>
    ${missing.length > 0 && html`<${Warning} text=${t("keeping.missing", { count: missing.length, names: missing.join(", ") })} />`}
    <table class="kept-table archives" aria-label=${t("keeping.archives")}>
      <thead><tr><th scope="col">${until}</th>${[panes, logs, bytes].map((one) => html`<th key=${one} scope="col" class="figure">${one}</th>`)}
        <th scope="col">${file}</th></tr></thead>
      <tbody>${archives.map((one) => html`<tr key=${one.name}>
        <th scope="row" data-title=${until}>${date(new Date(one.until))}</th>
        <td class="figure" data-title=${panes}>${number(one.panes)}</td>
        <td class="figure" data-title=${logs}>${number(one.logs)}</td>
        <td class="figure" data-title=${bytes}>${size(one.bytes)}</td>
        <td class="file" data-title=${file}>${one.name}
          ${!one.isThere && html`<span class="missing"><${Icon} name="triangle-alert" />${t("keeping.isMissing")}</span>`}</td></tr>`)}</tbody>
    </table></section>`;
}

const Warning = ({ text }) =>
  html`<div class="fault kept-warning"><${Icon} name="triangle-alert" /><p>${text}</p></div>`;
