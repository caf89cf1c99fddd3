"""Texts about stock."""

from glassflow.domain.bilingual import Bilingual

INSUFFICIENT_STOCK = Bilingual(
    "Insufficient stock: {available} available, {requested} requested",
    th="สต็อกไม่พอ เหลือ {available} ต้องการ {requested}",
)
LOTS_TAKEN = Bilingual(
    "Others have taken or reserved from these lots: {numbers}",
    th="ล็อตเหล่านี้ถูกเบิกหรือจองไปแล้ว: {numbers}",
)
LOT_RESERVED = Bilingual(
    "A cutting plan has reserved this lot", th="แผนตัดกระจกจองล็อตนี้ไว้"
)
LOT_INACTIVE = Bilingual("The lot is not in use", th="ล็อตนี้เลิกใช้แล้ว")
LOT_UNFIT = Bilingual(
    "The lot is of another material or stock type",
    th="ล็อตนี้เป็นวัสดุอื่น หรือเป็นสต็อกคนละประเภท",
)
LOT_CHANGED = Bilingual(
    "The lot has changed since it was read (version {version})",
    th="ล็อตนี้เปลี่ยนไปแล้วหลังจากเปิดดู (รุ่น {version})",
)
ONE_SHEET = Bilingual(
    "The lot is one sheet: its quantity is 0 or 1, and it is moved whole",
    th="ล็อตนี้เป็นกระจกแผ่นเดียว จำนวนต้องเป็น 0 หรือ 1 และย้ายได้ทั้งแผ่นเท่านั้น",
)
BOTH_SIDES = Bilingual(
    "A size has a width and a height", th="ขนาดต้องมีทั้งความกว้างและความสูง"
)
DEFECT_WITHOUT_SIZE = Bilingual(
    "Defects need a size of the lot’s own", th="ต้องใส่ขนาดของล็อตก่อนจึงจะใส่ตำหนิได้"
)
DEFECT_OUTSIDE = Bilingual("The defect is outside the sheet", th="ตำหนิอยู่นอกแผ่นกระจก")
PARENT_ITSELF = Bilingual("A lot is not cut from itself", th="ล็อตจะตัดมาจากตัวเองไม่ได้")
PARENT_OF_OTHER_MATERIAL = Bilingual(
    "This lot is of another material", th="ล็อตนี้เป็นวัสดุอื่น"
)
SHEET_SIZE_TWICE = Bilingual("This size is there twice", th="มีขนาดนี้อยู่แล้วในรายการ")
THICKNESS_TWICE = Bilingual(
    "This thickness is there twice", th="มีความหนานี้อยู่แล้วในรายการ"
)
REMNANT_SIDES = Bilingual(
    "The long side of a remnant is at least as long as the short side",
    th="ด้านยาวของเศษต้องไม่สั้นกว่าด้านสั้น",
)
# The location of a lot that is created for returns to a deleted lot.
RETURNS_LOCATION = Bilingual("รับคืน", en="Returned stock")
SAME_PLACE = Bilingual("The lot stands there already", th="ล็อตนี้อยู่ที่นั่นอยู่แล้ว")
WITHDRAWAL_DECIDED = Bilingual(
    "The withdrawal is already {status}", th="รายการเบิกนี้ตัดสินไปแล้ว ({status})"
)
LOT_HAS_WITHDRAWALS = Bilingual(
    "A pending withdrawal has taken from the lot", th="มีรายการเบิกที่รออนุมัติเบิกจากล็อตนี้อยู่"
)
LEDGER_ENTRY_IMMUTABLE = Bilingual(
    "An entry that goes with a change of stock cannot be changed or deleted",
    th="บันทึกที่มาพร้อมการเปลี่ยนสต็อก แก้ไขหรือลบไม่ได้",
)
