"""Texts about workers, roles and login."""

from glassflow.domain.bilingual import Bilingual

LOGIN_REFUSED = Bilingual("Invalid username or password", th="ชื่อผู้ใช้หรือรหัสผ่านไม่ถูกต้อง")
LAST_ADMIN = Bilingual(
    "The last active worker who may do everything has to stay",
    th="ต้องมีผู้ดูแลระบบที่ใช้งานได้เหลืออย่างน้อยหนึ่งคน",
)
SYSTEM_ROLE_SLUG = Bilingual(
    "The slug of a system role cannot be changed", th="เปลี่ยนรหัสของบทบาทที่มากับระบบไม่ได้"
)
SYSTEM_ROLE_KEPT = Bilingual(
    "System roles cannot be deleted", th="ลบบทบาทที่มากับระบบไม่ได้"
)
UNKNOWN_PERMISSION_KEY = Bilingual(
    "Unknown permission key: {key}", th="ไม่รู้จักสิทธิ์: {key}"
)
WORKER_UNKNOWN = Bilingual(
    "There is no worker with the username {username}", th="ไม่มีพนักงานที่ใช้ชื่อผู้ใช้ {username}"
)
PASSWORD_LENGTH = Bilingual(
    "The password must have 6 to 128 characters", th="รหัสผ่านต้องมี 6 ถึง 128 ตัวอักษร"
)
FOREIGN_PAGE = Bilingual(
    "Only the pages of this service may do this, opened at its own address",
    th="ทำได้จากหน้าของระบบนี้เท่านั้น โดยเปิดจากที่อยู่ของระบบเอง",
)
CURRENT_PASSWORD_WRONG = Bilingual(
    "Current password is missing or wrong", th="ไม่ได้ใส่รหัสผ่านปัจจุบัน หรือใส่ไม่ถูกต้อง"
)
ADMIN_NAME_TAKEN = Bilingual(
    "The username admin belongs to a worker who is not an admin",
    th="ชื่อผู้ใช้ admin เป็นของพนักงานที่ไม่ใช่ผู้ดูแลระบบ",
)
BADGE_REFUSED = Bilingual(
    "The badge is not valid (any more)", th="บัตรนี้ใช้ไม่ได้ หรือใช้ไม่ได้แล้ว"
)
BADGE_MISSING = Bilingual(
    "No badge has been issued to: {names}", th="ยังไม่ได้ออกบัตรให้: {names}"
)
PIN_FORM = Bilingual("The PIN must have 4 to 8 digits", th="PIN ต้องเป็นตัวเลข 4 ถึง 8 ตัว")
PIN_EASILY_GUESSED = Bilingual(
    "This PIN is too easily guessed: please choose another one",
    th="PIN นี้เดาง่ายเกินไป กรุณาเลือกตัวเลขอื่น",
)
PIN_REFUSED = Bilingual("Wrong PIN", th="PIN ไม่ถูกต้อง")
PIN_LOCKED = Bilingual(
    "The PIN is locked after too many wrong attempts; it has to be set again",
    th="PIN ถูกล็อกเพราะใส่ผิดหลายครั้ง ต้องตั้ง PIN ใหม่",
)
DEVICE_OF_OTHER_STATION = Bilingual(
    "This device scans for its own station only", th="เครื่องนี้สแกนได้เฉพาะสถานีของตัวเอง"
)
USERNAME_SCRIPTS = Bilingual(
    "A username has letters of one script only, for example Latin or Thai",
    th="ชื่อผู้ใช้ต้องใช้ตัวอักษรภาษาเดียว เช่น อังกฤษล้วนหรือไทยล้วน",
)
SCAN_AT_OTHER_STATION = Bilingual(
    "Not authorized to scan at this station", th="ไม่มีสิทธิ์สแกนที่สถานีนี้"
)
TOO_MANY_ATTEMPTS = Bilingual(
    "Too many attempts; please wait a moment", th="ลองหลายครั้งเกินไป กรุณารอสักครู่"
)
PIN_LOCKED_FOR_THE_DAY = Bilingual(
    "The PIN is locked after too many wrong attempts in a day; use a badge, or have a new "
    "PIN set",
    th="PIN ถูกล็อกเพราะวันนี้ใส่ผิดหลายครั้งเกินไป ให้ใช้บัตร หรือขอตั้ง PIN ใหม่",
)
PIN_OF_ACCOUNT = Bilingual(
    "The account of a device or a screen has no PIN",
    th="บัญชีของเครื่องหรือจอแสดงผลมี PIN ไม่ได้",
)
PASSWORD_CHANGE_REQUIRED = Bilingual(
    "Change the password first", th="กรุณาเปลี่ยนรหัสผ่านก่อน"
)
PASSWORD_TOO_SHORT = Bilingual(
    "The password must have {minimum} to 128 characters",
    th="รหัสผ่านต้องมี {minimum} ถึง 128 ตัวอักษร",
)
PASSWORD_HAS_USERNAME = Bilingual(
    "The password must not be made of the username",
    th="ต้องไม่ใช้ชื่อผู้ใช้เป็นรหัสผ่าน",
)
PASSWORD_COMMON = Bilingual(
    "This password is one of those that are tried first",
    th="รหัสผ่านนี้มีคนใช้กันบ่อย เดาง่ายเกินไป",
)
PASSWORD_SAME = Bilingual(
    "The new password must be another one than the present",
    th="รหัสผ่านใหม่ต้องไม่ซ้ำกับรหัสผ่านปัจจุบัน",
)
SESSION_UNKNOWN = Bilingual(
    "There is no such session", th="ไม่พบการเข้าสู่ระบบนี้ หรือถูกยกเลิกไปแล้ว"
)
API_KEY_UNKNOWN = Bilingual("There is no such API key", th="ไม่พบคีย์ API นี้")
API_KEY_ENDED = Bilingual(
    "The end of the key must be in the future", th="วันที่คีย์หมดอายุต้องเป็นเวลาในอนาคต"
)
API_KEYS_TOO_MANY = Bilingual(
    "A worker has at most {maximum} API keys",
    th="พนักงานหนึ่งคนมีคีย์ API ได้ไม่เกิน {maximum} คีย์",
)
