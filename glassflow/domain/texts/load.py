"""Texts about load, time limits and others who change the same."""

from glassflow.domain.bilingual import Bilingual

BUSY = Bilingual(
    "The service is busy, please try again", th="ระบบมีงานมากเกินไป กรุณาลองอีกครั้ง"
)
TOO_MANY = Bilingual(
    "These are too many at once; the limit is {maximum}",
    th="มากเกินไปสำหรับครั้งเดียว ทำได้ไม่เกิน {maximum} รายการ",
)
TOOK_TOO_LONG = Bilingual(
    "This took too long and was given up", th="ใช้เวลานานเกินไป จึงยกเลิก"
)
STALE = Bilingual(
    "Somebody else has changed this record; please read it again",
    th="มีคนอื่นแก้ไขรายการนี้ไปแล้ว กรุณาเปิดดูใหม่",
)
IF_MATCH_REQUIRED = Bilingual(
    "Name the version that is changed, with If-Match",
    th="ต้องระบุรุ่นของรายการที่แก้ไขด้วย If-Match",
)
NOT_READY = Bilingual("Not ready", th="ระบบยังไม่พร้อม")
STORE_AWAY = Bilingual("The store is not available", th="อ่านหรือบันทึกข้อมูลไม่ได้ในขณะนี้")
TOO_MANY_CONNECTIONS = Bilingual(
    "Too many connections", th="บัญชีนี้เปิดใช้พร้อมกันหลายเครื่องเกินไป"
)
TOO_MANY_LOGINS = Bilingual(
    "Too many login attempts; please wait a moment",
    th="ลองเข้าสู่ระบบหลายครั้งเกินไป กรุณารอสักครู่",
)
HASH_QUEUE_FULL = Bilingual(
    "Too many logins at once; please try again",
    th="มีคนเข้าสู่ระบบพร้อมกันมากเกินไป กรุณาลองอีกครั้ง",
)
CONTENTION = Bilingual(
    "Somebody else is changing the same record; please try again",
    th="มีคนอื่นกำลังแก้ไขรายการเดียวกัน กรุณาลองอีกครั้ง",
)
