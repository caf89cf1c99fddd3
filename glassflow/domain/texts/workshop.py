"""Texts about the workshop itself, and its working hours."""

from glassflow.domain.bilingual import Bilingual

NOT_A_LOGO = Bilingual(
    "The logo is no PNG or JPEG that can be read",
    th="โลโก้นี้ไม่ใช่ไฟล์ PNG หรือ JPEG ที่เปิดอ่านได้",
)
LOGO_TOO_LARGE = Bilingual(
    "The logo has more than {maximum} KB", th="โลโก้มีขนาดเกิน {maximum} KB"
)
NOT_A_TIME_OF_DAY = Bilingual(
    "Not a time of day, such as 08:00", th="ต้องเป็นเวลา เช่น 08:00"
)
NOT_A_DAY = Bilingual("Not a date, such as 2027-04-13", th="ต้องเป็นวันที่ เช่น 2027-04-13")
SHIFTS_OVERLAP = Bilingual(
    "Begins before the hours before it have ended",
    th="เริ่มก่อนที่ช่วงเวลาก่อนหน้าจะสิ้นสุด",
)
NO_SHIFT = Bilingual(
    "A week needs a day with hours", th="ต้องมีวันทำงานอย่างน้อยหนึ่งวันในสัปดาห์"
)
DAY_TWICE = Bilingual("This day is there twice", th="วันนี้มีอยู่แล้วในรายการ")
NOT_BACKWARDS = Bilingual(
    "This day is over: a change does not work backwards",
    th="วันนี้ผ่านไปแล้ว การแก้ไขไม่มีผลย้อนหลัง",
)
STATION_TWICE = Bilingual("This station is there twice", th="สถานีนี้มีอยู่แล้วในรายการ")
