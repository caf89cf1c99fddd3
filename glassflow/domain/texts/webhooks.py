"""Texts about webhooks."""

from glassflow.domain.bilingual import Bilingual

WEBHOOK_URL = Bilingual(
    "Must be an http or https address without user name and fragment",
    th="ต้องเป็นที่อยู่ http หรือ https ที่ไม่มีชื่อผู้ใช้และ #",
)
WEBHOOK_URL_LONG = Bilingual(
    "Must be at most {maximum} characters", th="ต้องไม่เกิน {maximum} ตัวอักษร"
)
WEBHOOK_URL_HTTPS = Bilingual("Must begin with https://", th="ต้องขึ้นต้นด้วย https://")
WEBHOOK_ADDRESS_PRIVATE = Bilingual(
    "Leads to an address that webhooks may not call",
    th="เป็นที่อยู่ที่ไม่อนุญาตให้เว็บฮุกส่งไป",
)
WEBHOOK_SECRET = Bilingual(
    "Must be whsec_ and 24 to 64 bytes in base64",
    th="ต้องขึ้นต้นด้วย whsec_ ตามด้วยข้อมูล 24 ถึง 64 ไบต์แบบ base64",
)
WEBHOOKS_TOO_MANY = Bilingual(
    "There are {maximum} webhooks already, which is the most",
    th="มีเว็บฮุกครบ {maximum} รายการแล้ว",
)
DELIVERY_UNKNOWN = Bilingual("Delivery not found", th="ไม่พบรายการส่งนี้")
DELIVERY_STATUSES = Bilingual(
    "Must be one of: {statuses}.", th="ต้องเป็นค่าใดค่าหนึ่งใน: {statuses}"
)
DELIVERY_NOT_FINAL = Bilingual(
    "The delivery is still being tried", th="รายการนี้ยังอยู่ระหว่างลองส่ง"
)
DELIVERY_EXPIRED = Bilingual(
    "The event has expired and cannot be sent again",
    th="เหตุการณ์นี้หมดอายุแล้ว ส่งอีกครั้งไม่ได้",
)
# Why an attempt failed: stored with the delivery, and in the webhook that it disables.
DELIVERY_NOT_HTTPS = Bilingual(
    "the address does not begin with https://", th="ที่อยู่ไม่ได้ขึ้นต้นด้วย https://"
)
DELIVERY_EVENT_EXPIRED = Bilingual("the event has expired", th="เหตุการณ์นี้หมดอายุแล้ว")
DELIVERY_UNANSWERED = Bilingual(
    "no answer within {seconds} s", th="ไม่ตอบภายใน {seconds} วินาที"
)
DELIVERY_ADDRESS_REFUSED = Bilingual(
    "the address {address} may not be called", th="ไม่อนุญาตให้ส่งไปที่อยู่ {address}"
)
DELIVERY_ANSWERED = Bilingual("answered {status}", th="ตอบกลับ {status}")
