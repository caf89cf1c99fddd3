"""Words of quotes and other documents on paper."""

from glassflow.domain.bilingual import Bilingual

PAPER_QUOTATION = Bilingual("Quotation", th="ใบเสนอราคา")
PAPER_DELIVERY_NOTE = Bilingual("Delivery note", th="ใบส่งของ")
PAPER_DRAFT = Bilingual("DRAFT", th="ฉบับร่าง")
PAPER_NUMBER = Bilingual("No.", th="เลขที่")
PAPER_DATE = Bilingual("Date", th="วันที่")
PAPER_VALID_UNTIL = Bilingual("Valid until", th="ยืนราคาถึง")
PAPER_VEHICLE = Bilingual("Vehicle", th="รถส่งของ")
PAPER_DRIVER = Bilingual("Driver", th="พนักงานขับรถ")
PAPER_MOMENT = Bilingual("{day}, {time}", th="{day} เวลา {time} น.")
PAPER_PAGE = Bilingual("Page {page} of {pages}", th="หน้า {page} จาก {pages}")

PAPER_CUSTOMER = Bilingual("Customer", th="ลูกค้า")
PAPER_DELIVER_TO = Bilingual("Deliver to", th="สถานที่ส่ง")
PAPER_PROJECT = Bilingual("Project", th="โครงการ")
PAPER_TAX_ID = Bilingual("Tax ID {number}", th="เลขประจำตัวผู้เสียภาษี {number}")
PAPER_HEAD_OFFICE = Bilingual("Head office", th="สำนักงานใหญ่")
PAPER_BRANCH = Bilingual("Branch {branch}", th="สาขา {branch}")
PAPER_CONTACT = Bilingual("Contact: {name}", th="ผู้ติดต่อ {name}")
PAPER_PHONE = Bilingual("Tel. {phone}", th="โทร. {phone}")
PAPER_EMAIL = Bilingual("Email {email}", th="อีเมล {email}")

PAPER_LINE = Bilingual("No.", th="ลำดับ")
PAPER_DESCRIPTION = Bilingual("Description", th="รายการ")
PAPER_SIZE = Bilingual("Size (mm)", th="ขนาด (มม.)")
PAPER_QUANTITY = Bilingual("Quantity", th="จำนวน")
PAPER_AREA = Bilingual("ft² each", th="ตร.ฟุต/แผ่น")
PAPER_ORDER = Bilingual("Order / your PO no.", th="ออเดอร์ / เลขที่ PO")
PAPER_LINE_AREA = Bilingual("ft²", th="ตร.ฟุต")
PAPER_LINE_WEIGHT = Bilingual("kg", th="กก.")
PAPER_UNIT_PRICE = Bilingual("Unit price", th="ราคา/หน่วย")
PAPER_AMOUNT = Bilingual("Amount (THB)", th="จำนวนเงิน (บาท)")

PAPER_SUBTOTAL = Bilingual("Subtotal", th="รวมเป็นเงิน")
PAPER_RUSH = Bilingual("Rush surcharge {percent}%", th="ค่างานเร่งด่วน {percent}%")
PAPER_DISCOUNT = Bilingual("Discount {percent}%", th="ส่วนลด {percent}%")
PAPER_MINIMUM = Bilingual("Added up to the minimum charge", th="ปรับเพิ่มเป็นราคาขั้นต่ำ")
PAPER_NET = Bilingual("Total before VAT", th="ยอดก่อนภาษีมูลค่าเพิ่ม")
PAPER_VAT = Bilingual("VAT {percent}%", th="ภาษีมูลค่าเพิ่ม {percent}%")
PAPER_GROSS = Bilingual("Grand total", th="จำนวนเงินรวมทั้งสิ้น")

PAPER_LEAD_TIME = Bilingual("Lead time", th="ระยะเวลาผลิต")
PAPER_EXPECTED_DELIVERY = Bilingual("Expected delivery", th="คาดว่าจะส่ง")
PAPER_REMARKS = Bilingual("Remarks", th="หมายเหตุ")
PAPER_DEPOSIT = Bilingual("Deposit", th="มัดจำ")
PAPER_DEPOSIT_OF = Bilingual(
    "{percent} % of the total: {amount} baht", th="{percent} % ของยอดรวม: {amount} บาท"
)
PAPER_CONDITIONS = Bilingual("Conditions", th="เงื่อนไข")
PAPER_PAYMENT = Bilingual("Payment to", th="ชำระเงินเข้าบัญชี")
PAPER_ACCEPTED = Bilingual("Accepted by the customer", th="ลูกค้ายืนยันสั่งซื้อ")
PAPER_OFFERED = Bilingual("For the workshop", th="ผู้เสนอราคา")

PAPER_CONFIRMATION = Bilingual("Order confirmation", th="ใบยืนยันคำสั่งซื้อ")
PAPER_CONFIRMED = Bilingual("Confirmed by the customer", th="ลูกค้ายืนยัน")
PAPER_CHANGES = Bilingual("Changes since the quotation", th="รายการที่เปลี่ยนจากใบเสนอราคา")
PAPER_CHANGE_WAITS = Bilingual("to be made once you confirm", th="จะแก้ไขเมื่อลูกค้ายืนยัน")
PAPER_PANES_ADDED = Bilingual("Added: {count} × {what}", th="เพิ่ม {count} แผ่น: {what}")
PAPER_PANES_CANCELLED = Bilingual("Cancelled: {panes}", th="ยกเลิก: {panes}")
PAPER_PANES_CHANGED = Bilingual("Changed: {panes}, {what}", th="แก้ไข: {panes} {what}")
PAPER_PANES_RESTORED = Bilingual(
    "Not cancelled any more: {panes}", th="เลิกยกเลิก: {panes}"
)
PAPER_PANES_NEW = Bilingual("new panes", th="แผ่นใหม่")
PAPER_OTHER_AGREED = Bilingual("Other amounts as agreed", th="รายการอื่นตามที่ตกลง")
PAPER_SUM = Bilingual("Total", th="รวม")
PAPER_HANDED_OVER = Bilingual("Handed over", th="ส่งมอบแล้ว")
PAPER_NOT_HANDED_OVER = Bilingual("Not handed over", th="ค้างส่ง")
PAPER_RECEIVED_BY = Bilingual("Received by", th="ผู้รับของ")
PAPER_DELIVERED_BY = Bilingual("Delivered by", th="ผู้ส่งของ")

# What is written about the panes of a line.
PAPER_PANE_RANGE = Bilingual("{first} to {last}", th="{first} ถึง {last}")
PAPER_THICKNESS = Bilingual("{mm} mm", th="{mm} มม.")
PAPER_SHEETS = Bilingual("laminated, {count} sheets", th="ลามิเนต {count} ชั้น")
PAPER_EDGE = Bilingual("edge: {edge}", th="ขอบ{edge}")
PAPER_EDGE_ON = Bilingual("edge {sides}: {edge}", th="ขอบ{edge} ด้าน{sides}")
PAPER_EDGE_ALL = Bilingual("all edges: {edge}", th="ขอบ{edge} ทุกด้าน")
PAPER_HOLES = Bilingual("holes: {count}", th="เจาะรู {count} รู")
PAPER_NOTCHES = Bilingual("notches: {count}", th="บาก {count} จุด")
# The glass of the example prices, by its name in small letters; others stay as typed.
PAPER_GLASS = {
    "clear": Bilingual("Clear", th="กระจกใส"),
    "ultra clear": Bilingual("Ultra Clear", th="กระจกใสพิเศษ"),
    "tinted": Bilingual("Tinted", th="กระจกสี"),
    "green": Bilingual("Green", th="กระจกสีเขียว"),
    "euro grey": Bilingual("Euro Grey", th="กระจกสีเทายูโรเกรย์"),
    "bronze": Bilingual("Bronze", th="กระจกสีชา"),
    "ocean blue": Bilingual("Ocean Blue", th="กระจกสีฟ้าโอเชียนบลู"),
    "reflective": Bilingual("Reflective", th="กระจกสะท้อนแสง"),
    "frosted": Bilingual("Frosted", th="กระจกฝ้า"),
    "mirror": Bilingual("Mirror", th="กระจกเงา"),
    "patterned": Bilingual("Patterned", th="กระจกลาย"),
    "low-e": Bilingual("Low-E", th="กระจก Low-E"),
    "tempered": Bilingual("Tempered", th="กระจกเทมเปอร์"),
    "laminated": Bilingual("Laminated", th="กระจกลามิเนต"),
}
PAPER_EDGES = {
    "rough": Bilingual("rough grind", th="เจียรหยาบ"),
    "polished": Bilingual("polished", th="เจียรมัน"),
    "flat_polish": Bilingual("flat polish", th="เจียรแบนขัดมัน"),
    "pencil": Bilingual("pencil", th="เจียรกลม"),
    "half_round": Bilingual("half round", th="เจียรครึ่งวงกลม"),
    "ogee": Bilingual("ogee", th="เจียรลายโอจี"),
    "arris": Bilingual("arris", th="ลบคม"),
}
PAPER_SIZED_EDGES = {
    "bevel": Bilingual("bevel {size} mm", th="เจียรปรี {size} มม."),
    "mitre": Bilingual("mitre {size}°", th="ตัดองศา {size}°"),
}

PAPER_DRAWN_SIZE = Bilingual(
    "{size} mm · quantity {count}", th="{size} มม. · จำนวน {count} แผ่น"
)
PAPER_DRAWING_CONFIRMED = Bilingual(
    "Drawing confirmed by the customer", th="ลูกค้ายืนยันแบบ"
)
PAPER_CUT_OUT = Bilingual("Cut-out", th="งานเจาะ/บาก")
PAPER_HOLE = Bilingual("hole", th="รูเจาะ")
PAPER_NOTCH = Bilingual("notch", th="รอยบาก")
PAPER_CUT_SIZE = Bilingual("Size (mm)", th="ขนาด (มม.)")
PAPER_CUT_CORNERS = Bilingual("corners {corners}", th="มุม {corners}")
PAPER_CUT_X = Bilingual("From left", th="จากซ้าย")
PAPER_CUT_Y = Bilingual("From below", th="จากล่าง")
PAPER_CUT_PLACES = Bilingual(
    "Lengths in mm from the lower left corner of the pane: to the centre of circles and "
    "slots, to the lower left corner of other cut-outs.",
    th="ระยะเป็น มม. วัดจากมุมซ้ายล่างของกระจก ถึงศูนย์กลางของรูกลมและรูยาว ถึงมุมซ้ายล่างของรูปอื่น",
)
PAPER_WORKED_EDGES = Bilingual("Worked edges", th="ขอบที่เจียร")
PAPER_CORNERS = Bilingual("Corners", th="มุม")
PAPER_TOLERANCE = Bilingual("Tolerance", th="ค่าคลาดเคลื่อน")
PAPER_SIDES = {
    "top": Bilingual("top", th="บน"),
    "right": Bilingual("right", th="ขวา"),
    "bottom": Bilingual("bottom", th="ล่าง"),
    "left": Bilingual("left", th="ซ้าย"),
}
PAPER_ALL_SIDES = Bilingual("all sides", th="ทุกด้าน")

PAPER_MONTHS = {
    1: Bilingual("January", th="มกราคม"),
    2: Bilingual("February", th="กุมภาพันธ์"),
    3: Bilingual("March", th="มีนาคม"),
    4: Bilingual("April", th="เมษายน"),
    5: Bilingual("May", th="พฤษภาคม"),
    6: Bilingual("June", th="มิถุนายน"),
    7: Bilingual("July", th="กรกฎาคม"),
    8: Bilingual("August", th="สิงหาคม"),
    9: Bilingual("September", th="กันยายน"),
    10: Bilingual("October", th="ตุลาคม"),
    11: Bilingual("November", th="พฤศจิกายน"),
    12: Bilingual("December", th="ธันวาคม"),
}
