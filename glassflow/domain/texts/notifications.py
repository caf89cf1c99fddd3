"""Texts of notifications."""

from glassflow.domain.bilingual import Bilingual

ORDER_ARRIVED_NEW = Bilingual("มีออเดอร์ใหม่เข้า", en="A new order has arrived")
ORDER_ARRIVED = Bilingual("มีออเดอร์เข้า", en="An order has arrived")
ORDER_ARRIVED_MESSAGE = Bilingual(
    "ออเดอร์ {order} เข้าสถานีแล้ว", en="Order {order} has arrived at the station"
)
ORDER_ASSIGNED = Bilingual("คุณได้รับมอบหมายออเดอร์", en="An order is assigned to you")
ORDER_ASSIGNED_MESSAGE = Bilingual(
    "ออเดอร์ {order} มอบหมายให้คุณแล้ว", en="Order {order} has been assigned to you"
)
REQUEST_ASSIGNED = Bilingual("คุณได้รับมอบหมายใบรับงาน", en="A request is assigned to you")
REQUEST_ASSIGNED_MESSAGE = Bilingual(
    "ใบรับงาน {request} มอบหมายให้คุณแล้ว", en="Request {request} has been assigned to you"
)
PANE_ARRIVED = Bilingual("มีกระจกเข้าสถานี", en="A pane has arrived")
PANE_ARRIVED_MESSAGE = Bilingual(
    "กระจก {pane} เข้าสถานี {station} แล้ว",
    en="Pane {pane} has arrived at station {station}",
)
PANE_COMPLETED = Bilingual("กระจกเสร็จสมบูรณ์", en="A pane is completed")
PANE_COMPLETED_MESSAGE = Bilingual(
    "กระจก {pane} ผ่านทุกสถานีแล้ว", en="Pane {pane} has passed all its stations"
)
PANE_REMADE = Bilingual("ผลิตกระจกใหม่ทดแทน", en="A pane is made again")
PANE_REMADE_MESSAGE = Bilingual(
    "ผลิตกระจก {remake} ทดแทน {replaced}",
    en="Pane {remake} is made in place of {replaced}",
)
PANES_REMADE_MESSAGE = Bilingual(
    "ผลิตกระจกใหม่ {count} แผ่น: {first} ถึง {last}",
    en="{count} panes are made again: {first} to {last}",
)
CLAIM_APPROVED = Bilingual("เคลมได้รับการอนุมัติ", en="A claim is approved")
CLAIM_APPROVED_MESSAGE = Bilingual(
    "เคลม {claim} ได้รับการอนุมัติแล้ว", en="Claim {claim} has been approved"
)
QUOTE_ACCEPTED = Bilingual("ลูกค้ายืนยันสั่งซื้อ", en="A quote is accepted")
QUOTE_ACCEPTED_MESSAGE = Bilingual(
    "{name} ยืนยันสั่งซื้อตามใบเสนอราคา {quote} ผ่านลิงก์แล้ว",
    en="{name} has accepted quote {quote} by the link",
)
DELIVERY_INCOMPLETE = Bilingual("มีกระจกส่งไม่สำเร็จ", en="Panes came back")
DELIVERY_INCOMPLETE_MESSAGE = Bilingual(
    "{delivery} ถึง {recipient}: {panes}", en="{delivery} to {recipient}: {panes}"
)
QUOTE_DECLINED = Bilingual("ลูกค้าไม่รับใบเสนอราคา", en="A quote is declined")
QUOTE_DECLINED_MESSAGE = Bilingual(
    "{name} ไม่รับใบเสนอราคา {quote} ผ่านลิงก์",
    en="{name} has declined quote {quote} by the link",
)
QUOTE_CHANGE_ASKED = Bilingual(
    "ลูกค้าขอแก้ไขใบเสนอราคา", en="A customer wants a quote changed"
)
QUOTE_CHANGE_ASKED_MESSAGE = Bilingual(
    "{name} ขอแก้ไขใบเสนอราคา {quote}: {text}",
    en="{name} would like a change of quote {quote}: {text}",
)
ACCEPTANCE_REFUSED = Bilingual("ลูกค้ายืนยันสั่งซื้อไม่สำเร็จ", en="A customer could not accept")
ACCEPTANCE_REFUSED_MESSAGE = Bilingual(
    "{name} พยายามยืนยันสั่งซื้อตามใบเสนอราคา {quote} ผ่านลิงก์ แต่ไม่สำเร็จ: {reason}",
    en="{name} tried to accept quote {quote} by the link and could not: {reason}",
)
LOW_STOCK = Bilingual("วัสดุใกล้หมด", en="Low stock")
LOW_STOCK_MESSAGE = Bilingual(
    "{material} เหลือ {left} {unit} ต่ำกว่าจุดสั่งซื้อ {point} {unit}",
    en="{material}: {left} {unit} left, less than the reorder point of {point} {unit}",
)
WEBHOOK_DISABLED = Bilingual("เว็บฮุกถูกปิดใช้งาน", en="A webhook has been disabled")
WEBHOOK_DISABLED_MESSAGE = Bilingual(
    "เว็บฮุก {url} ถูกปิด เพราะส่งข้อมูลไม่สำเร็จ: {reason}",
    en="The webhook {url} has been disabled, because it failed: {reason}",
)
WEBHOOK_LOST = Bilingual("เว็บฮุกส่งข้อมูลไม่ครบ", en="A webhook has missed events")
WEBHOOK_LOST_MESSAGE = Bilingual(
    "เว็บฮุก {url} ไม่ได้รับเหตุการณ์ลำดับที่ {first} ถึง {last} เพราะหมดอายุก่อนส่งถึง",
    en="The webhook {url} has not received the events {first} to {last}, which expired",
)
PIN_LOCKED_TITLE = Bilingual("PIN ของคุณถูกล็อก", en="Your PIN is locked")
PIN_LOCKED_MESSAGE = Bilingual(
    "มีการใส่ PIN ของคุณผิดหลายครั้งติดกัน ต้องตั้ง PIN ใหม่ ถ้าไม่ใช่คุณ กรุณาแจ้งหัวหน้างาน",
    en="Your PIN was entered wrongly many times in a row; set a new one. If that was not "
    "you, tell your supervisor",
)
PIN_LOCKED_DAY_MESSAGE = Bilingual(
    "มีการใส่ PIN ของคุณผิดหลายครั้งในวันเดียว PIN จะใช้ไม่ได้ 24 ชั่วโมง หรือจนกว่าจะตั้งใหม่ "
    "ถ้าไม่ใช่คุณ กรุณาแจ้งหัวหน้างาน",
    en="Your PIN was entered wrongly many times in one day; it is locked for 24 hours, or "
    "until you set a new one. If that was not you, tell your supervisor",
)
