"""Texts about lists."""

from glassflow.domain.bilingual import Bilingual

CURSOR_INVALID = Bilingual("Not a cursor of a list", th="ไม่ใช่ตำแหน่งของรายการ")
CURSOR_OF_ANOTHER_SORT = Bilingual(
    "The cursor belongs to a list with another sort", th="ตำแหน่งนี้เป็นของรายการที่เรียงแบบอื่น"
)
CURSOR_NOT_FOR_LISTS = Bilingual(
    "A list that is sorted by a list or an object has no cursors",
    th="รายการที่เรียงตามช่องชนิดรายการหรือออบเจกต์ใช้ตำแหน่งไม่ได้",
)
SORT_NEEDS_INDEX = Bilingual(
    "More than {rows} records can be sorted only by a field with an index: {fields}",
    th="รายการที่เกิน {rows} แถวเรียงได้เฉพาะตามช่องที่มีดัชนี: {fields}",
)
COUNT_UNKNOWN = Bilingual(
    "Must be one of: exact, capped.", th="ต้องเป็นค่าใดค่าหนึ่งใน: exact, capped"
)
UNKNOWN_SORT = Bilingual("Unknown field: {name}", th="ไม่รู้จักช่อง: {name}")
SEARCH_TOO_LONG = Bilingual("Too long to search for", th="คำค้นยาวเกินไป")
Q_REQUIRED = Bilingual("q is required", th="ต้องระบุคำค้น (q)")
TIMELINE_OF_WHAT = Bilingual(
    "materialId or paneNumber is required", th="ต้องระบุ materialId หรือ paneNumber"
)
