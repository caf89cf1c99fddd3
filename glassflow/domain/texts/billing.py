"""Texts about billing."""

from glassflow.domain.bilingual import Bilingual

ALREADY_BILLED = Bilingual(
    "{entries} is on the invoice {invoices} already",
    th="{entries} อยู่ในใบแจ้งหนี้ {invoices} แล้ว",
)
ENTRY_VOID = Bilingual(
    "The hand-over of {entry} was undone, so nothing is owed for it",
    th="การส่งมอบของ {entry} ถูกยกเลิกแล้ว จึงไม่มียอดค้าง",
)
SEVERAL_CUSTOMERS = Bilingual(
    "An invoice has one customer", th="ใบแจ้งหนี้หนึ่งใบมีลูกค้าได้รายเดียว"
)

ENTRY_OF_DELIVERY = Bilingual(
    "{entry} is what a delivery is charged: undo its hand-over",
    th="{entry} เป็นยอดของเที่ยวส่ง ให้ยกเลิกการส่งมอบแทน",
)
INVOICE_OF_OTHER_CUSTOMER = Bilingual(
    "{invoice} is the invoice of another customer: {entries}",
    th="{invoice} เป็นใบแจ้งหนี้ของลูกค้ารายอื่น: {entries}",
)
ENTRY_CREDITED = Bilingual(
    "Take the credits {credits} back first", th="ยกเลิกรายการลดยอด {credits} ก่อน"
)
NOT_BILLED = Bilingual(
    "{entry} is on no invoice: change its adjustment instead",
    th="{entry} ยังไม่อยู่ในใบแจ้งหนี้ ให้แก้ส่วนปรับยอดแทน",
)
CREDIT_OF_CREDIT = Bilingual(
    "{entry} is a credit: take it back instead",
    th="{entry} เป็นรายการลดยอด ให้ยกเลิกรายการนี้แทน",
)
CREDIT_OF_OTHER_PANE = Bilingual(
    "{entry} does not charge this pane, or it is named twice",
    th="{entry} ไม่ได้เรียกเก็บกระจกแผ่นนี้ หรือระบุซ้ำ",
)
CREDIT_TOO_HIGH = Bilingual(
    "At most {left} baht are left", th="เหลือให้ลดได้ไม่เกิน {left} บาท"
)
NOTHING_TO_CREDIT = Bilingual("Nothing is credited", th="ยังไม่มียอดที่จะลด")
CHARGE_ONE_KIND = Bilingual(
    "Either panes or a request", th="ระบุแผ่นกระจกหรือใบรับงานอย่างใดอย่างหนึ่ง"
)
NOTHING_WAITS = Bilingual(
    "Nothing waits of {request}: its whole price belongs to panes",
    th="{request} ไม่มียอดที่รอกระจก: ราคาทั้งหมดเป็นของแผ่นกระจกแล้ว",
)
PAYMENT_IS_VOID = Bilingual(
    "{number} does not count any more", th="{number} ถูกยกเลิกแล้ว"
)
NOTHING_PAID = Bilingual("The amount is not 0", th="จำนวนเงินต้องไม่เป็น 0")
PAID_FOR_ONE_THING = Bilingual(
    "A payment is for one thing: a quote, a request or an invoice",
    th="การชำระหนึ่งรายการใช้ได้กับเรื่องเดียว: ใบเสนอราคา ใบรับงาน หรือใบแจ้งหนี้",
)
PAID_FOR_OTHER_CUSTOMER = Bilingual("This is of another customer", th="เป็นของลูกค้ารายอื่น")
NO_INVOICE_OF_CUSTOMER = Bilingual(
    "The customer has no billed entry with this invoice number",
    th="ลูกค้ารายนี้ไม่มีรายการวางบิลในใบแจ้งหนี้เลขที่นี้",
)
CUSTOMER_OF_PAYMENT_STAYS = Bilingual(
    "Make the payment void and record it for the other customer",
    th="ให้ยกเลิกรายการนี้ แล้วบันทึกใหม่ให้ลูกค้าอีกราย",
)
PAYMENT_LOOKS_THE_SAME = Bilingual(
    "{numbers}: also {amount} baht of this customer on this day",
    th="{numbers}: ยอด {amount} บาทของลูกค้ารายนี้ในวันเดียวกัน",
)
NOT_PAID = Bilingual(
    "The customer pays cash, and this is not paid yet",
    th="ลูกค้าเงินสด: ยังไม่ได้ชำระเงิน",
)
MISSING_PAYMENT = Bilingual(
    "The customer pays cash, and {amount} baht are not paid yet",
    th="ลูกค้าเงินสด: ยังไม่ได้ชำระ {amount} บาท",
)
NAME_ONE_RECORD = Bilingual("Name exactly one record", th="ระบุรายการเพียงรายการเดียว")
PANE_CHARGED = Bilingual(
    "{panes}: charged already, so they stay in their request or order",
    th="{panes}: เรียกเก็บแล้ว จึงย้ายไปใบรับงานหรือออเดอร์อื่นไม่ได้",
)
PANES_NOT_CHARGEABLE = Bilingual(
    "Nothing was charged: {panes}", th="ไม่ได้เรียกเก็บอะไร: {panes}"
)
NOT_CHARGEABLE = {
    "live": Bilingual(
        "{number} is charged when it is handed over",
        th="{number} จะเรียกเก็บเมื่อส่งมอบ",
    ),
    "replaced": Bilingual(
        "{number} is charged with the pane that replaces it",
        th="{number} จะเรียกเก็บพร้อมแผ่นที่ทำใหม่แทน",
    ),
    "charged": Bilingual("{number} is charged already", th="{number} เรียกเก็บแล้ว"),
    "no_price": Bilingual("{number} has no agreed price", th="{number} ไม่มีราคาที่ตกลงกัน"),
}
PRICE_SHARED_OUT = Bilingual(
    "{amount} baht are shared out among {count} panes that are not handed over",
    th="แบ่งยอด {amount} บาทให้กระจก {count} แผ่นที่ยังไม่ได้ส่งมอบ",
)
PRICE_WAITS = Bilingual(
    "{amount} baht wait for panes: no pane of the request can take them",
    th="ยอด {amount} บาทรอกระจก: ยังไม่มีแผ่นใดในใบรับงานที่รับยอดนี้ได้",
)
PRICE_CHARGED = Bilingual(
    "{amount} baht are charged or handed over already and stay",
    th="ยอด {amount} บาทเรียกเก็บหรือส่งมอบไปแล้วและคงเดิม",
)
AGREED_PRICE_CHANGED = Bilingual(
    "The agreed price changes by {difference} to {amount} baht",
    th="ราคาที่ตกลงกันเปลี่ยน {difference} เป็น {amount} บาท",
)
NOTHING_TO_CHANGE = Bilingual(
    "Nothing is to be changed: name panes, or a deadline",
    th="ไม่มีอะไรให้เปลี่ยน: ระบุแผ่นกระจกหรือกำหนดส่ง",
)
PANE_OF_OTHER_REQUEST = Bilingual(
    "This is no pane of the request", th="แผ่นนี้ไม่ใช่ของใบรับงานนี้"
)
PANES_CLOSED = Bilingual(
    "{panes}: finished, lost or cancelled, so they do not change any more",
    th="{panes}: เสร็จ เสียหาย หรือยกเลิกแล้ว จึงเปลี่ยนไม่ได้อีก",
)
LABELS_ARE_OLD = Bilingual(
    "The labels of {panes} were printed before this change: print them again",
    th="ฉลากของ {panes} พิมพ์ไว้ก่อนการเปลี่ยนนี้ ให้พิมพ์ใหม่",
)
CHANGE_HAS_NO_PRICE = Bilingual(
    "What the change of {panes} costs is not known: their prices stay",
    th="ไม่ทราบราคาของการเปลี่ยน {panes} จึงคงราคาเดิม",
)
PANES_ARE_BEGUN = Bilingual(
    "Work on {panes} has begun already", th="{panes} เริ่มทำไปแล้ว"
)
ADDED_WITHOUT_PRICE = Bilingual(
    "{count} added panes have no price: one is missing in the price list",
    th="กระจกที่เพิ่ม {count} แผ่นยังไม่มีราคา: ไม่มีในรายการราคา",
)
UNIT_BEGUN = Bilingual(
    "Work on {panes} has begun: a failed check or a claim decides about this sheet",
    th="เริ่มทำ {panes} แล้ว: ให้ตรวจไม่ผ่านหรือแจ้งเคลมแผ่นนั้นแทน",
)
