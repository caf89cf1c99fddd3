"""Texts about deliveries."""

from glassflow.domain.bilingual import Bilingual

PANES_REFUSED = Bilingual(
    "Nothing was changed: {panes}", th="ไม่ได้เปลี่ยนแปลงอะไร: {panes}"
)
PANE_OBSTACLES = {
    "unfinished": Bilingual("{number} is not finished", th="{number} ยังผลิตไม่เสร็จ"),
    "claimed": Bilingual("{number} has an open claim", th="{number} มีเคลมที่ยังไม่ตัดสิน"),
    "lost": Bilingual(
        "{number} was scrapped or cancelled", th="{number} เสียหรือถูกยกเลิกแล้ว"
    ),
    "delivered": Bilingual(
        "{number} has been delivered already", th="{number} ส่งไปแล้ว"
    ),
    "sheet": Bilingual(
        "{number} is a sheet of a laminated pane",
        th="{number} เป็นแผ่นย่อยของกระจกลามิเนต",
    ),
    "other_customer": Bilingual(
        "{number} is another customer's", th="{number} เป็นของลูกค้ารายอื่น"
    ),
    "other_delivery": Bilingual(
        "{number} is on {delivery}", th="{number} อยู่ใน {delivery}"
    ),
    "not_planned": Bilingual(
        "{number} is not on this delivery", th="{number} ไม่ได้อยู่ในเที่ยวส่งนี้"
    ),
}
SEVERAL_PLACES = Bilingual(
    "The panes go to several places: {places}. Plan a delivery for each, or give one address",
    th="กระจกส่งไปหลายที่: {places} ให้แยกเที่ยวส่ง หรือระบุที่อยู่เดียว",
)
ALREADY_DELIVERED = Bilingual(
    "{number} has been handed over, so it does not change",
    th="{number} ส่งมอบแล้ว แก้ไขไม่ได้",
)
PANE_DELIVERED = Bilingual(
    "Nothing was changed: {panes}. Undo that first",
    th="ไม่ได้เปลี่ยนแปลงอะไร: {panes} ต้องยกเลิกการส่งมอบก่อน",
)
DELIVERED_WITH = Bilingual(
    "{number} was handed over with {delivery}",
    th="{number} ส่งมอบไปแล้วกับ {delivery}",
)
NOTED_AS_DELIVERED = Bilingual(
    "{number} is noted as delivered", th="{number} ถูกบันทึกว่าส่งแล้ว"
)
HAND_OVER_LABEL = Bilingual("Hand-over", th="การส่งมอบ")
PANE_GIVEN_AND_LEFT = Bilingual(
    "{number} is both handed over and left", th="{number} ทั้งส่งมอบและไม่ได้ส่งมอบ"
)
NOTHING_HANDED_OVER = Bilingual(
    "Name the panes that were handed over, or why they came back",
    th="ระบุกระจกที่ส่งมอบ หรือเหตุผลที่นำกลับ",
)
BROKEN_AT_THE_DOOR = Bilingual("Broken at delivery {number}", th="แตกระหว่างส่ง {number}")
LEFT_COUNTS = {
    "broken": Bilingual("{count} broken", th="แตก {count}"),
    "refused": Bilingual("{count} refused", th="ลูกค้าไม่รับ {count}"),
    "absent": Bilingual("{count} not received by anyone", th="ไม่มีคนรับ {count}"),
    "forgotten": Bilingual("{count} forgotten", th="ลืมเอาไป {count}"),
    "does_not_fit": Bilingual("{count} that do not fit", th="ใส่ไม่ได้ {count}"),
    "later": Bilingual("{count} to come later", th="ส่งทีหลัง {count}"),
    "none": Bilingual("{count} without a reason", th="ไม่ระบุเหตุผล {count}"),
}
NOT_DELIVERED = Bilingual(
    "{number} has not been handed over", th="{number} ยังไม่ได้ส่งมอบ"
)
HAND_OVER_FINAL = Bilingual(
    "{number} was handed over more than an hour ago: only an order manager can undo that",
    th="{number} ส่งมอบเกินหนึ่งชั่วโมงแล้ว ต้องให้ผู้จัดการออเดอร์เป็นคนยกเลิก",
)
UNDO_NEEDS_REASON = Bilingual(
    "After an hour, undoing a hand-over needs a reason",
    th="เกินหนึ่งชั่วโมงแล้ว ต้องบอกเหตุผลที่ยกเลิกการส่งมอบ",
)
REMAKE_DELIVERED = Bilingual(
    "{remake}, the remake of {number}, was handed over since: undo that first",
    th="{remake} ซึ่งทำใหม่แทน {number} ส่งมอบไปแล้ว ต้องยกเลิกการส่งมอบนั้นก่อน",
)
DELIVERY_FILES_NOT_RESTORED = Bilingual(
    "The signature and the photos could not be restored",
    th="กู้คืนลายเซ็นและรูปถ่ายไม่ได้",
)
