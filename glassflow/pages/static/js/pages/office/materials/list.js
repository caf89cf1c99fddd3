// The materials: kinds of glass and of other stock.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { ListPage } from "../list_page.js";
import { amount, sizeOf } from "../lots/parts.js";

export const title = "office.materials";

export default function Materials() {
  const isActive = {
    name: "isActive",
    label: t("field.status"),
    options: [
      { value: "true", label: t("field.isActive") },
      { value: "false", label: t("form.notInUse") },
    ],
  };
  return html`<${ListPage} section="materials" icon="package" create="materials:manage" newTitle=${t("materials.new")}
    hint=${t("materials.hint")} resource="materials" event="material:updated" sort="name" columns=${columns()} filters=${[isActive]} />`;
}

export function columns() {
  return [
    {
      name: "name",
      title: t("field.name"),
      width: "3fr",
      sort: "name",
      cell: ({ name }) => html`<strong>${name}</strong>`,
    },
    { name: "code", title: t("field.code"), width: "1fr", sort: "code", cell: ({ code }) => code },
    { name: "maker", title: t("field.brand"), width: "1fr", sort: "brand", cell: ({ brand }) => brand },
    {
      name: "glass",
      title: t("field.glassType"),
      width: "2fr",
      fields: "specDetails",
      sort: "specDetails.glassType",
      cell: ({ specDetails: { glassType, color, thickness } }) =>
        [glassType, color, thickness].filter(Boolean).join(" · "),
    },
    {
      name: "sizes",
      title: t("field.sheetSizes"),
      width: "2fr",
      fields: "sheetSizes",
      cell: ({ sheetSizes }) => sheetSizes.map(sizeOf).join(", "),
    },
    {
      name: "point",
      title: t("field.reorderPoint"),
      width: "160px",
      sort: "reorderPoint",
      fields: "reorderPoint,unit",
      cell: ({ reorderPoint, unit }) => amount(reorderPoint, unit),
    },
    {
      name: "use",
      title: t("field.status"),
      width: "130px",
      hidden: true,
      fields: "isActive",
      sort: "isActive",
      cell: ({ isActive }) => t(isActive ? "field.isActive" : "form.notInUse"),
    },
  ];
}
