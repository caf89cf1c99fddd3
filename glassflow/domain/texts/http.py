"""Texts about any request, as far as HTTP and rights are concerned."""

from collections.abc import Mapping

from glassflow.domain.bilingual import Bilingual

NOT_AUTHENTICATED = Bilingual("Not authenticated", th="ยังไม่ได้เข้าสู่ระบบ")
TOKEN_REFUSED = Bilingual(
    "Invalid or expired token", th="การเข้าสู่ระบบหมดอายุแล้ว กรุณาเข้าสู่ระบบใหม่"
)
FORBIDDEN = Bilingual("Not authorized for this action", th="บัญชีนี้ไม่มีสิทธิ์ทำรายการนี้")
VALIDATION_FAILED = Bilingual("Validation failed", th="ข้อมูลไม่ถูกต้อง")
INTERNAL_ERROR = Bilingual("Internal server error", th="ระบบเกิดข้อผิดพลาด")
MALFORMED_JSON = Bilingual("Malformed JSON", th="ข้อมูลที่ส่งมาไม่ใช่ JSON ที่ถูกต้อง")
BODY_NOT_AN_OBJECT = Bilingual(
    "The body must be a JSON object", th="ข้อมูลที่ส่งมาต้องเป็นออบเจกต์ JSON"
)
NESTED_TOO_DEEP = Bilingual(
    "Nested deeper than {levels} levels", th="ข้อมูลซ้อนกันลึกเกิน {levels} ชั้น"
)
ARRAY_TOO_LONG = Bilingual(
    "More than {maximum} elements", th="มีมากกว่า {maximum} รายการ"
)
ALREADY_EXISTS = Bilingual("{field} already exists", th="{field} นี้มีอยู่แล้ว")
VALUE = Bilingual("Value", th="ค่า")
NOT_FOUND = Bilingual("{label} not found", th="ไม่พบ{label}")
NOT_FOUND_IN_FIELD = Bilingual(
    "{label} ({field}) not found", th="ไม่พบ{label} ({field})"
)
NAME_NOT_FOUND = Bilingual("{label} not found: {key}", th="ไม่พบ{label}: {key}")
HTTP_MESSAGES: Mapping[int, Bilingual] = {
    308: Bilingual("The path has a doubled slash", th="ที่อยู่มีเครื่องหมายทับซ้ำกัน"),
    400: Bilingual("Malformed request", th="คำขอไม่ถูกรูปแบบ"),
    404: Bilingual("Not found", th="ไม่พบที่อยู่นี้"),
    405: Bilingual("Method not allowed", th="ที่อยู่นี้ไม่รับคำสั่งแบบนี้"),
    408: Bilingual(
        "The request did not arrive in time", th="ข้อมูลที่ส่งมาไม่ครบภายในเวลาที่กำหนด"
    ),
    413: Bilingual("Request body too large", th="ข้อมูลที่ส่งมาใหญ่เกินไป"),
    415: Bilingual(
        "Content-Type must be application/json",
        th="Content-Type ต้องเป็น application/json",
    ),
}
OTHER_HTTP_ERROR = Bilingual("{name}", th="ระบบรับคำขอนี้ไม่ได้ ({name})")
