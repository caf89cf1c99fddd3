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
UNPRICED = Bilingual("No price: row {rows}", th="ยังไม่มีราคา: แถวที่ {rows}")
NO_PANES = Bilingual("A quote needs panes", th="ใบเสนอราคาต้องมีแผ่นกระจก")
DAY_IS_OVER = Bilingual("This day is over", th="วันนี้ผ่านไปแล้ว")
DISCOUNT_TOO_LARGE = Bilingual(
    "At most {maximum} % without the right to change prices",
    th="ลดได้ไม่เกิน {maximum}% หากไม่มีสิทธิ์แก้ราคา",
)
AGREED_PRICE_NEEDS_KEY = Bilingual(
    "Only with the right to change prices", th="ต้องมีสิทธิ์แก้ราคา"
)
