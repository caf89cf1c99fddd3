"""Texts about sockets."""

from glassflow.domain.bilingual import Bilingual

SERVICE_UNAVAILABLE = Bilingual("Service unavailable", th="ระบบไม่พร้อมใช้งานในขณะนี้")
DISCONNECTED = Bilingual("Disconnected", th="การเชื่อมต่อหลุดแล้ว")
UNKNOWN_EVENT = Bilingual("Unknown event", th="ไม่รู้จักคำสั่งนี้")
STATION_ID_REQUIRED = Bilingual("stationId is required", th="ต้องระบุ stationId")
STATION_ID_TOO_LONG = Bilingual(
    "stationId is longer than {maximum} characters",
    th="stationId ยาวเกิน {maximum} ตัวอักษร",
)
WORKER_NOT_A_NAME = Bilingual("worker must be a name", th="worker ต้องเป็นชื่อ")
TOO_MANY_ROOMS = Bilingual(
    "Too many rooms; at most {maximum}", th="เข้าห้องได้ไม่เกิน {maximum} ห้อง"
)
AFTER_NOT_AN_INTEGER = Bilingual(
    "after must be an integer of 0 or more", th="after ต้องเป็นจำนวนเต็มตั้งแต่ 0 ขึ้นไป"
)
ALREADY_RESUMING = Bilingual("Already resuming", th="กำลังตามข้อมูลที่ขาดอยู่แล้ว")
LOG_STARTS_LATER = Bilingual("Event log starts later", th="เหตุการณ์เก่าขนาดนี้ถูกลบไปแล้ว")
ALERT_FORBIDDEN = Bilingual(
    "Not authorized to send system alerts", th="บัญชีนี้ไม่มีสิทธิ์ส่งประกาศของระบบ"
)
ALERT_LENGTH = Bilingual(
    "message must be a text of 1 to {maximum} characters",
    th="ข้อความประกาศต้องมี 1 ถึง {maximum} ตัวอักษร",
)
TOO_MANY_EVENTS = Bilingual(
    "Too many events; at most {maximum} a second",
    th="ส่งคำสั่งถี่เกินไป ไม่เกิน {maximum} ครั้งต่อวินาที",
)
MALFORMED_EVENT = Bilingual("Malformed event", th="คำสั่งไม่ถูกรูปแบบ")
ATTACHMENTS_UNSUPPORTED = Bilingual(
    "Attachments are not supported", th="ไม่รับไฟล์แนบทางนี้"
)
