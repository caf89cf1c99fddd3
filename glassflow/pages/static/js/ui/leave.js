// Logging out, which asks first where this device still has scans to send.
import { number, t } from "../core/i18n.js";
import { outbox, refresh } from "../core/outbox.js";
import { logOut } from "../core/session.js";

/**
 * Log out; with scans that are not sent, only if it is `sure`. Returns null, or what the
 * page shows instead: {text, sure}, where `sure` is the label of a button that calls this
 * again, `undefined` where logging out has failed.
 */
export async function leave(sure = false) {
  await refresh();
  const count = outbox.value.waiting.length;
  if (count && !sure) return { text: t("leave.unsent", { count: number(count) }), sure: t("leave.sure") };
  return logOut().then(
    () => null,
    () => ({ text: t("leave.failed") }),
  );
}
