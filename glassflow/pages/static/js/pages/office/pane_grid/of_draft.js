// What the form of a new request or quote says of the draft with which it opens.
import { number, t } from "../../../core/i18n.js";
import { typedRows } from "./setup.js";

/** What `NewForm` takes; `from` is what the rows were copied from. */
export const ofDraft = (from) => ({
  drop: t(from ? "form.discard" : "form.startEmpty"),
  about: ({ panes = [] }) => t("requests.rows", { count: number(typedRows(panes).length) }),
});
