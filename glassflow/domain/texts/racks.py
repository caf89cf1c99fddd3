"""Texts about racks."""

from glassflow.domain.bilingual import Bilingual

NOT_ON_FLOOR = Bilingual(
    "Lost, cancelled, laminated or delivered panes stand on no rack: {numbers}",
    th="แผ่นที่เสีย ยกเลิก ประกบแล้ว หรือส่งแล้ว วางบนราวไม่ได้: {numbers}",
)
RACK_CHANGED = Bilingual(
    "No longer on {rack}: {numbers}", th="ไม่ได้อยู่บน {rack} แล้ว: {numbers}"
)
