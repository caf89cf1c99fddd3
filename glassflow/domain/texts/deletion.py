"""Texts about what blocks a delete, and about what follows one."""

from collections.abc import Mapping

from glassflow.domain.bilingual import Bilingual

# Deletion: what a record has that blocks its delete, by the name of one of them. `part`
# is a record that would be deleted too, with its article (`a station`).
IN_USE = Bilingual("{label} has {dependents}", th="{label}ยังมี{dependents}")
PART_IN_USE = Bilingual(
    "{label} has {part} with {dependents}", th="{label}มี{part}ที่ยังมี{dependents}"
)
COUNTED = Bilingual("{count} {kind}", th="{kind} {count} รายการ")
PLURALS: Mapping[str, Bilingual] = {
    "approved claim": Bilingual("approved claims", th="เคลมที่อนุมัติแล้ว"),
    "billing entry": Bilingual("billing entries", th="รายการวางบิล"),
    "open call": Bilingual("open calls", th="การเรียกที่ยังไม่จบ"),
    "payment": Bilingual("payments", th="การรับชำระเงิน"),
    "claim": Bilingual("claims", th="เคลม"),
    "claimed pane": Bilingual("claimed panes", th="แผ่นกระจกที่ถูกเคลม"),
    "cutting plan": Bilingual("cutting plans", th="แผนตัดกระจก"),
    "released cutting plan": Bilingual(
        "released cutting plans", th="แผนตัดกระจกที่ปล่อยงานแล้ว"
    ),
    "customer": Bilingual("customers", th="ลูกค้า"),
    "delivery": Bilingual("deliveries", th="เที่ยวส่ง"),
    "finished delivery": Bilingual(
        "deliveries that were handed over", th="เที่ยวส่งที่ส่งมอบแล้ว"
    ),
    "job type": Bilingual("job types", th="ประเภทงาน"),
    "reserved lot": Bilingual(
        "lots that a cutting plan has reserved", th="ล็อตที่แผนตัดจองไว้"
    ),
    "lot": Bilingual("lots", th="ล็อตสต็อก"),
    "merged pane": Bilingual("merged panes", th="แผ่นกระจกที่ประกบแล้ว"),
    "open order": Bilingual("open orders", th="ออเดอร์ที่ยังไม่เสร็จ"),
    "open pane": Bilingual("open panes", th="แผ่นกระจกที่ยังไม่เสร็จ"),
    "order": Bilingual("orders", th="ออเดอร์"),
    "pane": Bilingual("panes", th="แผ่นกระจก"),
    "pane log": Bilingual("pane logs", th="บันทึกของแผ่นกระจก"),
    "sent quote": Bilingual("sent quotes", th="ใบเสนอราคาที่ส่งแล้ว"),
    "shared device": Bilingual("shared devices", th="แท็บเล็ตส่วนกลาง"),
    "pane to laminate": Bilingual("panes to laminate", th="แผ่นกระจกที่รอประกบ"),
    "pending withdrawal": Bilingual("pending withdrawals", th="รายการเบิกที่รออนุมัติ"),
    "production log": Bilingual("production logs", th="บันทึกการผลิต"),
    "quote": Bilingual("quotes", th="ใบเสนอราคา"),
    "rack": Bilingual("racks", th="ราวกระจก"),
    "remake": Bilingual("remakes", th="แผ่นที่ทำใหม่"),
    "request": Bilingual("requests", th="ใบรับงาน"),
    "scanned pane": Bilingual("scanned panes", th="แผ่นกระจกที่สแกนแล้ว"),
    "scanned sheet": Bilingual("scanned sheets", th="แผ่นย่อยที่สแกนแล้ว"),
    "station": Bilingual("stations", th="สถานี"),
    "survivor": Bilingual("survivors", th="แผ่นที่ใช้เลขต่อ"),
    "unit": Bilingual("units", th="ชุดลามิเนต"),
    "withdrawal": Bilingual("withdrawals", th="รายการเบิก"),
    "worker": Bilingual("workers", th="พนักงาน"),
}
# Restoring: why a record stays deleted, and what of one is not as it was.
NOT_DELETED = Bilingual("{label} is not deleted", th="{label}ไม่ได้ถูกลบ")
WAS_MERGED = Bilingual(
    "{label} was merged into {name}, which has all that belonged to it",
    th="{label}ถูกรวมเข้ากับ {name} ซึ่งมีข้อมูลทั้งหมดแล้ว",
)
NOT_RESTORABLE = Bilingual(
    "{label} was deleted with {dependents}, which cannot be restored",
    th="{label}ถูกลบพร้อมกับ{dependents} ซึ่งเรียกคืนไม่ได้",
)
REFERENCE_DELETED = Bilingual(
    "{label} needs {part} {name}, which is deleted: restore that first",
    th="{label}ต้องมี{part} {name} ซึ่งถูกลบไปแล้ว ให้เรียกคืนรายการนั้นก่อน",
)
VALUE_TAKEN = Bilingual(
    "{field} {value} belongs to another record by now",
    th="{field} {value} เป็นของรายการอื่นไปแล้ว",
)
LEFT_OUT = Bilingual(
    "{label} {name} is deleted, so it was left out",
    th="{label} {name} ถูกลบไปแล้ว จึงไม่ได้ใส่กลับ",
)
NOT_SET_AGAIN = Bilingual(
    "{label} {name} was changed since, so it was not changed back",
    th="{label} {name} ถูกแก้ไขหลังจากนั้น จึงไม่ได้แก้กลับ",
)
SECRETS_NOT_RESTORED = Bilingual(
    "The password, badge and PIN are not kept: give a new password",
    th="ไม่ได้เก็บรหัสผ่าน บัตร และ PIN ไว้ ให้ตั้งรหัสผ่านใหม่",
)
ATTACHMENTS_NOT_RESTORED = Bilingual(
    "Files that were attached are not kept: {count}",
    th="ไม่ได้เก็บไฟล์แนบไว้: {count} ไฟล์",
)
LINK_NOT_RESTORED = Bilingual(
    "The customer's link is not valid any more: make a new one",
    th="ลิงก์ของลูกค้าใช้ไม่ได้แล้ว ให้สร้างลิงก์ใหม่",
)
MAIL_NOT_RESTORED = Bilingual(
    "The e-mail was not sent yet: send it again",
    th="ยังไม่ได้ส่งอีเมล ให้ส่งใหม่อีกครั้ง",
)
# The reason in the log of a pane whose station is deleted.
STATION_DELETED = Bilingual("station deleted", th="สถานีถูกลบ")
