"""Texts about cutting plans."""

from collections.abc import Mapping

from glassflow.domain.bilingual import Bilingual

PLAN_STATUSES: Mapping[str, Bilingual] = {
    "proposed": Bilingual("proposed", th="ร่าง"),
    "released": Bilingual("released", th="ปล่อยงานแล้ว"),
    "cutting": Bilingual("being cut", th="กำลังตัด"),
    "done": Bilingual("done", th="ตัดเสร็จแล้ว"),
    "cancelled": Bilingual("cancelled", th="ยกเลิกแล้ว"),
}
NOT_IN_SHEETS = Bilingual(
    "The stock of this material is counted in {unit}, not in sheets",
    th="สต็อกของวัสดุนี้นับเป็น {unit} ไม่ได้นับเป็นแผ่น",
)
NOTHING_TO_PLAN = Bilingual(
    "No pane of this material waits for a cutting plan",
    th="ไม่มีแผ่นของวัสดุนี้ที่รอวางแผนตัด",
)
PANES_NOT_WAITING = Bilingual(
    "These panes do not wait to be cut from this material: {numbers}",
    th="แผ่นเหล่านี้ไม่ได้รอตัดจากวัสดุนี้: {numbers}",
)
PLAN_STAGE = Bilingual("{number} is {status}", th="แผน {number} {status}")
PLAN_EMPTY = Bilingual("The plan has no sheets yet", th="แผนนี้ยังไม่มีแผ่นที่จะตัด")
PLAN_OUTDATED = Bilingual(
    "These have changed since the plan was made, so it is planned again: {names}",
    th="รายการเหล่านี้เปลี่ยนไปหลังวางแผน จึงต้องวางแผนใหม่: {names}",
)
SHEET_CUT = Bilingual(
    "{name} has cut sheet {sheet} already", th="{name} ตัดแผ่นที่ {sheet} ไปแล้ว"
)
SHEET_NOT_CUT = Bilingual("Sheet {sheet} is not cut", th="แผ่นที่ {sheet} ยังไม่ได้ตัด")
NOTHING_TO_CUT = Bilingual(
    "All panes of sheet {sheet} have left the plan",
    th="ทุกแผ่นงานบนแผ่นที่ {sheet} ออกจากแผนไปหมดแล้ว",
)
REMNANT_USED = Bilingual(
    "These remnants are used or reserved: {numbers}",
    th="เศษเหล่านี้ถูกใช้หรือจองไปแล้ว: {numbers}",
)
PANES_NOT_ON_SHEET = Bilingual(
    "These panes are not on the sheet: {numbers}", th="แผ่นเหล่านี้ไม่อยู่บนแผ่นที่ตัด: {numbers}"
)
CUT_UNDO_TOO_LATE = Bilingual(
    "A cut can be taken back for {minutes} minutes",
    th="ยกเลิกการตัดได้ภายใน {minutes} นาทีเท่านั้น",
)
# Of pane logs, which are stored in Thai.
BROKEN_WHILE_CUT = Bilingual("แตกขณะตัด", en="Broken while it was cut")
