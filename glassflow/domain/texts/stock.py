"""Texts about stock."""

from glassflow.domain.bilingual import Bilingual

INSUFFICIENT_STOCK = Bilingual(
    "Insufficient stock: {available} available, {requested} requested",
    th="สต็อกไม่พอ เหลือ {available} ต้องการ {requested}",
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
