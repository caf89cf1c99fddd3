// One template of labels, or a new one.
import { html, useState } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { RecordPage } from "../record.js";
import { Designer } from "./designer.js";

export const title = "stickers.one";
export const styles = ["pages/office/labels/designer"];

const [LEAST_MM, MOST_MM] = [5, 450]; // printed

export default function Template({ id = "new" }) {
  const [saves, setSaves] = useState(0);
  return html`<${RecordPage} section="labels" resource="sticker-templates" id=${id} event="sticker-template:updated"
    manage="sticker_templates:manage" newTitle=${t("stickers.new")} nameOf=${({ name }) => name} fields=${fields()}
    initial=${{ width: 60, height: 40, elements: [] }} check=${check}
    ...${id === "new" ? {} : { onSaved: () => setSaves(saves + 1) }}>
    ${({ values, set }) => html`<${Designer} values=${values} set=${set} saves=${saves}
      readOnly=${!may("sticker_templates:manage")} />`}<//>`;
}

function fields() {
  const side = { kind: "number", min: LEAST_MM, max: MOST_MM, step: 0.5, unit: t("stickers.unit"), required: true };
  return [
    { name: "name", label: t("templates.name"), required: true },
    { name: "width", label: t("stickers.width"), ...side },
    { name: "height", label: t("stickers.height"), ...side },
    {
      name: "elements",
      label: t("stickers.elements"),
      isShown: () => false,
      show: (elements) => t("stickers.count", { count: number(elements.length) }),
    },
  ];
}

function check({ name, width, height }) {
  const faults = {};
  if (!name?.trim()) faults.name = [t("stickers.nameMissing")];
  for (const [key, value] of Object.entries({ width, height })) {
    if (!(value >= LEAST_MM && value <= MOST_MM))
      faults[key] = [t("stickers.sizeRange", { least: LEAST_MM, most: MOST_MM })];
  }
  return faults;
}
