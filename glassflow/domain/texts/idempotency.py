"""Texts about the Idempotency-Key."""

from glassflow.domain.bilingual import Bilingual

IDEMPOTENCY_KEY_MALFORMED = Bilingual(
    "Must be 1 to 128 printable ASCII characters",
    th="ต้องเป็นอักขระ ASCII ที่พิมพ์ได้ 1 ถึง 128 ตัว",
)
OUTCOME_UNKNOWN = Bilingual(
    "This was begun before, and it is not known how it ended; check it first, and use "
    "another Idempotency-Key to do it again",
    th="เคยเริ่มทำรายการนี้แล้ว แต่ไม่ทราบว่าเสร็จหรือไม่ กรุณาตรวจสอบก่อนทำใหม่",
)
IDEMPOTENCY_KEY_REUSED = Bilingual(
    "This Idempotency-Key belongs to another request",
    th="Idempotency-Key นี้เป็นของคำขออื่น",
)
IDEMPOTENCY_IN_PROGRESS = Bilingual(
    "This request is being carried out; please ask again",
    th="กำลังทำคำขอนี้อยู่ กรุณาลองอีกครั้ง",
)
ANSWER_TOO_LARGE_TO_KEEP = Bilingual(
    "The answer is too large to be kept; send this request without an Idempotency-Key",
    th="คำตอบใหญ่เกินกว่าจะเก็บไว้ ให้ส่งคำขอนี้โดยไม่มี Idempotency-Key",
)
