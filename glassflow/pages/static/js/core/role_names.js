// The names and descriptions of roles: those of a new store in the language of the page, all
// others as they are stored.
import { addTexts, t } from "./i18n/index.js";
import { texts } from "./role_texts.js";

addTexts(texts);

const SEEDED = ["admin", "manager", "worker", "screen", "device"];

/** The name of a role. */
export function roleName({ name }) {
  const seeded = SEEDED.find((one) => texts.en[`rolename.${one}`] === name);
  return seeded ? t(`rolename.${seeded}`) : name;
}

/** The description of a role. */
export function roleDescription({ description }) {
  const seeded = SEEDED.find((one) => texts.th[`roledescription.${one}`] === description);
  return seeded ? t(`roledescription.${seeded}`) : description;
}
