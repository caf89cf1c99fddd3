"""Texts about quotes."""

from glassflow.domain.bilingual import Bilingual

QUOTE_NOT_DRAFT = Bilingual(
    "The quote has been sent, so it does not change: revise it",
    th="ใบเสนอราคานี้ส่งแล้ว แก้ไขไม่ได้ ให้ทำฉบับแก้ไขแทน",
)
QUOTE_NOT_OPEN = Bilingual(
    "{number} does not wait for an answer", th="{number} ไม่ได้รอคำตอบจากลูกค้า"
)
QUOTE_NOT_REVISABLE = Bilingual(
    "{number} cannot be revised: it is a draft, accepted, or has a later revision",
    th="ทำฉบับแก้ไขของ {number} ไม่ได้ เพราะยังเป็นฉบับร่าง ลูกค้าตกลงแล้ว หรือมีฉบับแก้ไขที่ใหม่กว่า",
)
QUOTE_EXPIRED = Bilingual(
    "{number} is no longer valid: revise it, or let somebody accept it who may change prices",
    th="{number} หมดอายุแล้ว ให้ทำฉบับแก้ไข หรือให้ผู้มีสิทธิ์แก้ราคาเป็นผู้บันทึกการตกลง",
)
UNPRICED = Bilingual("No price: {rows}", th="ยังไม่มีราคา: {rows}")
UNPRICED_ROWS = Bilingual("row {rows} ({reason})", th="แถวที่ {rows} ({reason})")
# Why a row has no price, by `pricing.Missing`.
PRICE_LACKS = {
    "size": Bilingual("no width or height", th="ยังไม่มีความกว้างหรือความสูง"),
    "cutOut": Bilingual("a hole or a notch has no size", th="รูหรือรอยบากยังไม่มีขนาด"),
    "glass": Bilingual("no price for its glass", th="ไม่มีราคาของกระจกนี้"),
    "thickness": Bilingual("no price for its thickness", th="ไม่มีราคาของความหนานี้"),
    "tempering": Bilingual("no price for its tempering", th="ไม่มีค่าอบของความหนานี้"),
    "edge": Bilingual("no price for an edge", th="ไม่มีราคาของขอบนี้"),
}
NO_PANES = Bilingual("A quote needs panes", th="ใบเสนอราคาต้องมีแผ่นกระจก")
DAY_IS_OVER = Bilingual("This day is over", th="วันนี้ผ่านไปแล้ว")
DISCOUNT_TOO_LARGE = Bilingual(
    "At most {maximum} % without the right to change prices",
    th="ลดได้ไม่เกิน {maximum}% หากไม่มีสิทธิ์แก้ราคา",
)
NO_MAIL = Bilingual(
    "The service sends no e-mail yet: whoever runs it sets SMTP_URL and MAIL_FROM",
    th="ระบบยังส่งอีเมลไม่ได้ ให้ผู้ดูแลระบบตั้งค่า SMTP_URL และ MAIL_FROM ก่อน",
)
TOO_MANY_MAILS = Bilingual(
    "At most {maximum} e-mails in an hour: the next one can be sent from {time} on",
    th="ส่งอีเมลได้ไม่เกิน {maximum} ฉบับต่อชั่วโมง ส่งฉบับต่อไปได้ตั้งแต่เวลา {time} น.",
)
NOT_OF_CUSTOMER = Bilingual(
    "Not an address of this customer: {address}", th="ไม่ใช่อีเมลของลูกค้ารายนี้: {address}"
)
NO_RECIPIENT = Bilingual(
    "The customer has no e-mail address: enter one", th="ลูกค้ายังไม่มีอีเมล กรุณาใส่อีเมลผู้รับ"
)
NOT_ONE_LINE = Bilingual("Must be one line", th="ต้องอยู่ในบรรทัดเดียว")
ENCODED_WORD = Bilingual(
    "Must be readable text, without encoded parts such as =?utf-8?q?Quote?=",
    th="ต้องเป็นข้อความที่อ่านได้ ไม่มีส่วนที่เข้ารหัส เช่น =?utf-8?q?Quote?=",
)
# The e-mail with a quote, in the language of the quote.
MAIL_SUBJECT = Bilingual(
    "Quote {number} from {workshop}", th="ใบเสนอราคา {number} จาก {workshop}"
)
MAIL_MESSAGE = Bilingual(
    "Dear customer,\n\nplease find attached our quote {number}.{validity}\n\n"
    "Kind regards,\n{workshop}",
    th="เรียน ลูกค้าผู้มีอุปการคุณ\n\nทางเราขอส่งใบเสนอราคาเลขที่ {number} ตามไฟล์แนบ{validity}"
    "\n\nขอแสดงความนับถือ\n{workshop}",
)
MAIL_CONFIRMATION_SUBJECT = Bilingual(
    "Order confirmation {number} from {workshop}",
    th="ใบยืนยันคำสั่งซื้อ {number} จาก {workshop}",
)
MAIL_CONFIRMATION = Bilingual(
    "Dear customer,\n\nplease find attached our order confirmation {number}, and confirm it."
    "\n\nKind regards,\n{workshop}",
    th="เรียน ลูกค้าผู้มีอุปการคุณ\n\nทางเราขอส่งใบยืนยันคำสั่งซื้อเลขที่ {number} ตามไฟล์แนบ กรุณายืนยันกลับ"
    "\n\nขอแสดงความนับถือ\n{workshop}",
)
MAIL_CONFIRMATION_LINK = Bilingual(
    "Here you see it, and can confirm it:\n{url}",
    th="เปิดดูและกดยืนยันได้ที่ลิงก์นี้\n{url}",
)
MAIL_VALIDITY = Bilingual(" It is valid until {day}.", th=" ราคานี้ยืนถึงวันที่ {day}")
MAIL_LINK = Bilingual(
    "Here you see the quote, and can accept it:\n{url}",
    th="เปิดดูใบเสนอราคาและกดยืนยันสั่งซื้อได้ที่ลิงก์นี้\n{url}",
)
# What is wrong with the address of a link for a customer.
LINK_LOCAL = Bilingual(
    "Customers cannot open {host}, which is an address of the workshop's own network: "
    "whoever runs the service sets PUBLIC_URL to another one",
    th="ลูกค้าเปิด {host} ไม่ได้ เพราะเป็นที่อยู่ภายในเครือข่ายของโรงงาน ให้ผู้ดูแลระบบตั้งค่า PUBLIC_URL",
)
LINK_UNNAMED = Bilingual(
    "{host} is where the office is open now, and customers may not reach it: whoever "
    "runs the service sets PUBLIC_URL",
    th="{host} คือที่อยู่ที่เปิดระบบอยู่ตอนนี้ ลูกค้าอาจเปิดไม่ได้ ให้ผู้ดูแลระบบตั้งค่า PUBLIC_URL",
)
LINK_PLAIN = Bilingual(
    "{host} is opened without encryption (https): others on the way can read the link "
    "and the quote",
    th="{host} ไม่ได้เข้ารหัส (https) ผู้อื่นระหว่างทางอาจอ่านลิงก์และใบเสนอราคาได้",
)
# Why an e-mail was not sent: stored with the quote.
MAIL_UNANSWERED = Bilingual(
    "no answer within {seconds} s", th="ไม่ตอบภายใน {seconds} วินาที"
)
MAIL_LOGIN_REFUSED = Bilingual(
    "the mail server refuses the login ({code})",
    th="เซิร์ฟเวอร์อีเมลไม่รับการเข้าสู่ระบบ ({code})",
)
MAIL_REFUSED = Bilingual(
    "the mail server answers {code}: {answer}", th="เซิร์ฟเวอร์อีเมลตอบว่า {code}: {answer}"
)
MAIL_NOT_TO = Bilingual("not sent to {refused}", th="ไม่ได้ส่งถึง {refused}")
MAIL_NO_TLS = Bilingual(
    "the mail server offers no encryption (STARTTLS)",
    th="เซิร์ฟเวอร์อีเมลไม่รองรับการเข้ารหัส (STARTTLS)",
)
MAIL_NO_SENDER = Bilingual(
    "MAIL_FROM is empty, and the workshop has no e-mail address that can be a sender",
    th="ไม่ได้ตั้งค่า MAIL_FROM และอีเมลของโรงงานใช้เป็นผู้ส่งไม่ได้",
)
MAIL_INTERRUPTED = Bilingual(
    "the last attempt was interrupted", th="การส่งครั้งสุดท้ายหยุดไปกลางคัน"
)
MAIL_NOT_OPEN = Bilingual(
    "not sent: the quote does not wait for an answer any more",
    th="ไม่ได้ส่ง เพราะใบเสนอราคาไม่ได้รอคำตอบแล้ว",
)
AGREED_PRICE_NEEDS_KEY = Bilingual(
    "Only with the right to change prices", th="ต้องมีสิทธิ์แก้ราคา"
)
# By `domain.quotes.LeftOut`.
LEFT_OUT_OF_PANES = {
    "station": Bilingual(
        "Station {name} was deleted after the quote was sent: the panes go without it",
        th="สถานี {name} ถูกลบหลังส่งใบเสนอราคา กระจกจึงไม่ผ่านสถานีนี้",
    ),
    "material": Bilingual(
        "Material {name} was deleted after the quote was sent: choose another one",
        th="วัสดุ {name} ถูกลบหลังส่งใบเสนอราคา ให้เลือกวัสดุใหม่",
    ),
    "route": Bilingual(
        "{name}: no station of the route laminates any more, choose another route",
        th="{name}: ไม่มีสถานีลามิเนตในเส้นทางแล้ว ให้เลือกเส้นทางใหม่",
    ),
}
REQUEST_CHANGED = Bilingual(
    "The request has changed since {number} was sent: send another confirmation",
    th="รายการที่สั่งเปลี่ยนไปหลังส่ง {number} แล้ว ให้ส่งใบยืนยันใหม่",
)
DEADLINE_OVER = Bilingual(
    "The deadline is over already: agree on another one with the customer",
    th="เลยกำหนดส่งแล้ว ให้ตกลงกำหนดใหม่กับลูกค้า",
)
PRICE_TOO_LOW = Bilingual(
    "At least {amount} baht without the right to change prices",
    th="ต้องไม่ต่ำกว่า {amount} บาท หากไม่มีสิทธิ์แก้ราคา",
)
AMOUNT_OF_ROW_TOO_LARGE = Bilingual(
    "At most {maximum} baht a row", th="แถวละไม่เกิน {maximum} บาท"
)
AMOUNT_OF_PAPER_TOO_LARGE = Bilingual(
    "At most {maximum} baht in all", th="รวมแล้วไม่เกิน {maximum} บาท"
)
