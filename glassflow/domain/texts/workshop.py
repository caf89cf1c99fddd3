"""Texts about the workshop itself."""

from glassflow.domain.bilingual import Bilingual

NOT_A_LOGO = Bilingual(
    "The logo is no PNG or JPEG that can be read",
    th="โลโก้นี้ไม่ใช่ไฟล์ PNG หรือ JPEG ที่เปิดอ่านได้",
)
LOGO_TOO_LARGE = Bilingual(
    "The logo has more than {maximum} KB", th="โลโก้มีขนาดเกิน {maximum} KB"
)
