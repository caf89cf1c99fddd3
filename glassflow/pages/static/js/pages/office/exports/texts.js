// The texts of saved exports.
export const texts = {
  th: {
    "office.exports": "การส่งออกที่บันทึกไว้",
    "exports.hint": "เปิดรายการใดก็ได้ กดส่งออก แล้วบันทึกไว้ใช้ครั้งหน้า",
    "exports.shared": "ใช้ร่วมกัน",
    "exports.own": "ของฉัน",
    "exports.get": "ดาวน์โหลด{name}",
    "exports.sure": "ลบการส่งออกนี้ ข้อมูลในรายการไม่หายไป",
    "exports.busy": "กำลังเตรียมไฟล์…",
  },
  en: {
    "office.exports": "Saved exports",
    "exports.hint": "Open any list, export it, and save the export for next time",
    "exports.shared": "Shared",
    "exports.own": "Mine",
    "exports.get": "Get {name}",
    "exports.sure": "Delete this saved export? The records of the list stay.",
    "exports.busy": "The file is being made…",
  },
};
