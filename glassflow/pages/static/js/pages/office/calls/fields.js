// The fields of a call, which its page and that of a new one share.
import { t } from "../../../core/i18n.js";
import { kindOptions } from "./parts.js";

/** What a call is about. */
export const kind = () => ({
  name: "kind",
  label: t("field.kind"),
  kind: "select",
  required: true,
  options: kindOptions(),
});

/** Whether it is a stop. */
export const stands = () => ({
  name: "machineStands",
  label: t("field.machineStands"),
  kind: "checkbox",
  hint: t("calls.standsHint"),
});

export const reason = () => ({
  name: "reason",
  label: t("field.reason"),
  kind: "textarea",
  rows: 2,
  wide: true,
  attributes: { maxlength: 500 },
});
