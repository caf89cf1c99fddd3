// The names and descriptions of roles: those of a new store in the language of the page, all
// others as they are stored.
import { t } from "./i18n.js";

// As seeds/roles.json stores them: the names in English, the descriptions in Thai.
const NAMES = { Admin: "admin", Manager: "manager", Worker: "worker", Screen: "screen", "Shared device": "device" };
const DESCRIPTIONS = {
  "ผู้ดูแลระบบ ทำได้ทุกอย่าง": "admin",
  "ผู้จัดการโรงงาน ดูแลงานทั้งหมด ยกเว้นพนักงานและสิทธิ์": "manager",
  "พนักงานหน้างาน ดูข้อมูลและสแกนกระจก": "worker",
  "บัญชีของจอกระดาน ดูกระดานอย่างเดียว": "screen",
  "บัญชีของแท็บเล็ตส่วนกลาง พนักงานสแกนบัตรหรือใส่ PIN ก่อนทำงาน": "device",
};

/** The name of a role. */
export function roleName({ name }) {
  return Object.hasOwn(NAMES, name) ? t(`rolename.${NAMES[name]}`) : name;
}

/** The description of a role. */
export function roleDescription({ description }) {
  return Object.hasOwn(DESCRIPTIONS, description) ? t(`roledescription.${DESCRIPTIONS[description]}`) : description;
}
