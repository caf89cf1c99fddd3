"""Texts about deliveries."""

from glassflow.domain.bilingual import Bilingual

PANES_REFUSED = Bilingual(
    "Nothing was changed: {panes}", th="ไม่ได้เปลี่ยนแปลงอะไร: {panes}"
)
PANE_OBSTACLE = Bilingual("{number} {reason}", th="{number} {reason}")
PANE_OBSTACLES = {
    "unfinished": Bilingual("is not finished", th="ยังผลิตไม่เสร็จ"),
    "claimed": Bilingual("has an open claim", th="มีเคลมที่ยังไม่ตัดสิน"),
    "lost": Bilingual("was scrapped or cancelled", th="เสียหรือถูกยกเลิกแล้ว"),
    "delivered": Bilingual("has been delivered already", th="ส่งไปแล้ว"),
    "sheet": Bilingual(
        "is a sheet of a laminated pane", th="เป็นแผ่นประกอบของกระจกลามิเนต"
    ),
    "other_customer": Bilingual("is another customer's", th="เป็นของลูกค้ารายอื่น"),
    "other_delivery": Bilingual("is on {delivery}", th="อยู่ใน {delivery}"),
    "not_planned": Bilingual("is not on this delivery", th="ไม่ได้อยู่ในการจัดส่งนี้"),
}
ALREADY_DELIVERED = Bilingual(
    "{number} has been handed over, so it does not change",
    th="{number} ส่งมอบแล้ว แก้ไขไม่ได้",
)
NOT_DELIVERED = Bilingual(
    "{number} has not been handed over", th="{number} ยังไม่ได้ส่งมอบ"
)
HAND_OVER_FINAL = Bilingual(
    "{number} was handed over more than an hour ago, which cannot be undone any more",
    th="{number} ส่งมอบเกินหนึ่งชั่วโมงแล้ว ย้อนกลับไม่ได้",
)
DELIVERY_FILES_NOT_RESTORED = Bilingual(
    "The signature and the photos could not be restored",
    th="กู้คืนลายเซ็นและรูปถ่ายไม่ได้",
)
