"""Statuses of panes, orders, claims and withdrawals, as people read them."""

from collections.abc import Mapping

from glassflow.domain.bilingual import Bilingual

STATUSES: Mapping[str, Bilingual] = {
    "pending": Bilingual("pending", th="รอดำเนินการ"),
    "in_progress": Bilingual("in_progress", th="กำลังทำ"),
    "awaiting_scan_out": Bilingual("awaiting_scan_out", th="รอสแกนออก"),
    "completed": Bilingual("completed", th="เสร็จสิ้น"),
    "claimed": Bilingual("claimed", th="ถูกแจ้งเคลม"),
    "defected": Bilingual("defected", th="ไม่ผ่านการตรวจ"),
    "merged_into": Bilingual("merged_into", th="ประกบแล้ว"),
    "cancelled": Bilingual("cancelled", th="ถูกยกเลิก"),
    "approved": Bilingual("approved", th="อนุมัติ"),
    "rejected": Bilingual("rejected", th="ไม่อนุมัติ"),
}
