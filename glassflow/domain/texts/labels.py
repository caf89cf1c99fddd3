"""Texts about labels."""

from glassflow.domain.bilingual import Bilingual

TEMPLATE_UNREADABLE = Bilingual(
    "The sticker template {name} cannot be drawn", th="วาดแบบฉลาก {name} ไม่ได้"
)
TEMPLATE_NUMBER = Bilingual(
    "Must be a number from {low} to {high}", th="ต้องเป็นตัวเลขตั้งแต่ {low} ถึง {high}"
)
TEMPLATE_ELEMENTS = Bilingual(
    "More than {maximum} elements", th="มีองค์ประกอบเกิน {maximum} ชิ้น"
)
TEMPLATE_ELEMENT = Bilingual("Must be an object", th="ต้องเป็นออบเจกต์")
TEMPLATE_TEXT = Bilingual(
    "Must be a text of at most {maximum} characters",
    th="ต้องเป็นข้อความไม่เกิน {maximum} ตัวอักษร",
)
TEMPLATE_POINTS = Bilingual("Must be a list of points", th="ต้องเป็นรายการของจุด")
TEMPLATE_PICTURES = Bilingual(
    "More than {maximum} pictures cannot be previewed",
    th="แสดงตัวอย่างที่มีรูปเกิน {maximum} รูปไม่ได้",
)
TEMPLATE_CODES = Bilingual(
    "More than {maximum} QR codes cannot be previewed",
    th="แสดงตัวอย่างที่มีคิวอาร์โค้ดเกิน {maximum} รหัสไม่ได้",
)
LABEL_CODE_TOO_LONG = Bilingual(
    "The text is too long for a QR code", th="ข้อความยาวเกินกว่าจะทำเป็น QR"
)
LABEL_PAGES = Bilingual("There are {pages} pages", th="มีเพียง {pages} หน้า")
LABELS_TOO_MUCH = Bilingual(
    "Too much for one request; please print in parts",
    th="มากเกินไปสำหรับครั้งเดียว กรุณาแบ่งพิมพ์",
)
LABELS_OF_WHAT = Bilingual("Exactly one of: {kinds}", th="ต้องระบุอย่างใดอย่างหนึ่ง: {kinds}")
NO_LABEL_TEMPLATE = Bilingual("There is no label template yet", th="ยังไม่มีแบบฉลาก")
LABELS_NONE = Bilingual("There is nothing to label", th="ไม่มีอะไรให้พิมพ์ฉลาก")
LABEL_COMMANDS = Bilingual(
    "Must be all, or of: {commands}", th="ต้องเป็น all หรือค่าใน: {commands}"
)
LABEL_LAYOUTS = Bilingual(
    "Must be one of: {layouts}", th="ต้องเป็นค่าใดค่าหนึ่งใน: {layouts}"
)
LABEL_PRINTERS = Bilingual(
    "Must be the name of a printer: {printers}", th="ต้องเป็นชื่อเครื่องพิมพ์: {printers}"
)
LABEL_QUEUE_FULL = Bilingual(
    "Other labels are being made; please try again", th="กำลังทำฉลากอื่นอยู่ กรุณาลองอีกครั้ง"
)
PRINTER_AWAY = Bilingual(
    "The printer {printer} cannot be reached; nothing was printed",
    th="ติดต่อเครื่องพิมพ์ {printer} ไม่ได้ ยังไม่ได้พิมพ์",
)
PRINT_BROKEN = Bilingual(
    "The printer {printer} did not take all labels; some of them may be printed",
    th="เครื่องพิมพ์ {printer} รับฉลากไม่ครบ อาจพิมพ์ไปแล้วบางส่วน",
)
