"""Texts about claims."""

from glassflow.domain.bilingual import Bilingual

CLAIM_DECIDED = Bilingual(
    "The claim is already {status}", th="เคลมนี้ตัดสินไปแล้ว ({status})"
)
CLAIMED_BEFORE = Bilingual(
    "A claim of this pane has been approved already", th="เคลมของกระจกแผ่นนี้เคยอนุมัติไปแล้ว"
)
REPORTER_FIXED = Bilingual(
    "The reporter of a claim does not change", th="เปลี่ยนผู้แจ้งเคลมไม่ได้"
)
NOT_A_PHOTO = Bilingual(
    "Must be a data URL, an http(s) URL or the link of a photo of this claim",
    th="ต้องเป็น data URL, ที่อยู่ http(s) หรือลิงก์รูปของเคลมนี้",
)
NOT_A_PICTURE = Bilingual(
    "Must be a JPEG, PNG, WebP or GIF picture in a base64 data URL",
    th="ต้องเป็นรูป JPEG, PNG, WebP หรือ GIF ใน data URL แบบ base64",
)
NOT_BASE64 = Bilingual(
    "The content of the data URL is not valid base64",
    th="เนื้อหาของ data URL ไม่ใช่ base64 ที่ถูกต้อง",
)
PHOTO_URL_TOO_LONG = Bilingual(
    "Longer than {maximum} characters", th="ยาวเกิน {maximum} ตัวอักษร"
)
UNKNOWN_PHOTO = Bilingual("The claim has no such photo", th="เคลมนี้ไม่มีรูปนี้")
PHOTO_LINK_EXPIRED = Bilingual(
    "The link is not valid or has expired", th="ลิงก์ไม่ถูกต้องหรือหมดอายุแล้ว"
)
PHOTO_NOT_FOUND = Bilingual("Photo not found", th="ไม่พบรูป")
OPEN_CLAIM = Bilingual(
    "The pane has an open claim already", th="กระจกแผ่นนี้มีเคลมที่รอผลอยู่แล้ว"
)
SHEET_NEEDS_REMAKE = Bilingual(
    "A claimed sheet has to be made again, or its claim rejected",
    th="แผ่นย่อยที่เคลมต้องทำใหม่ หรือไม่อนุมัติเคลม",
)
ROUTE_OF_NO_REMAKE = Bilingual(
    "A route comes with an approval that makes the pane again",
    th="ระบุเส้นทางได้เฉพาะตอนอนุมัติเคลมที่ให้ทำใหม่",
)
PANE_WITHOUT_ORDER = Bilingual("The pane belongs to no order", th="กระจกแผ่นนี้ไม่มีออเดอร์")
PANE_OF_OTHER_ORDER = Bilingual(
    "The pane does not belong to the order", th="กระจกแผ่นนี้ไม่ใช่ของออเดอร์นี้"
)
MATERIAL_NOT_OF_PANE = Bilingual(
    "The material is not the pane's", th="วัสดุไม่ตรงกับของกระจกแผ่นนี้"
)
MATERIAL_NOT_OF_ORDER = Bilingual(
    "The material is not the order's", th="วัสดุไม่ตรงกับของออเดอร์"
)
APPROVED_CLAIM_KEPT = Bilingual(
    "An approved claim stays, with the loss that it records",
    th="เคลมที่อนุมัติแล้วลบไม่ได้ เพราะเป็นหลักฐานของของเสีย",
)
