"""Texts about requests and orders."""

from glassflow.domain.bilingual import Bilingual

REQUEST_CANCELLED = Bilingual("The request is cancelled", th="ใบรับงานนี้ถูกยกเลิกแล้ว")
ORDER_CANCELLED = Bilingual("The order is cancelled", th="ออเดอร์นี้ถูกยกเลิกแล้ว")
CUSTOMER_HAS_ORDERS = Bilingual(
    "The customer of a request with orders cannot change",
    th="ใบรับงานที่มีออเดอร์แล้วเปลี่ยนลูกค้าไม่ได้",
)
CUSTOMER_FIXED = Bilingual(
    "The customer cannot change, because the work is on {documents}",
    th="เปลี่ยนลูกค้าไม่ได้ เพราะงานนี้อยู่ใน {documents}",
)
OTHER_CUSTOMER = Bilingual(
    "The order's customer is not the customer of its request",
    th="ลูกค้าของออเดอร์ไม่ตรงกับลูกค้าของใบรับงาน",
)
DEADLINE_REASON_REQUIRED = Bilingual(
    "deadlineChangeReason is required to change the deadline",
    th="ต้องระบุเหตุผลที่เปลี่ยนกำหนดส่ง",
)
DEADLINE_NEEDS_REASON = Bilingual(
    "Required when the deadline changes", th="ต้องกรอกเมื่อเปลี่ยนกำหนดส่ง"
)
WORKER_INACTIVE = Bilingual(
    "Worker (assignedTo) is not active", th="ผู้รับผิดชอบถูกปิดการใช้งานแล้ว ให้เลือกคนอื่น"
)
INDEX_OUTSIDE_ROUTE = Bilingual(
    "currentStationIndex is outside the order's route",
    th="currentStationIndex อยู่นอกเส้นทางของออเดอร์",
)
STATUS_FOLLOWS_PANES = Bilingual(
    "The order's panes say {status}, not {requested}",
    th="สถานะตามแผ่นกระจกของออเดอร์คือ {status} ไม่ใช่ {requested}",
)
TOO_MANY_PANES = Bilingual(
    "{count} panes: at most {maximum} in one request or quote",
    th="กระจก {count} แผ่น ใบรับงานหรือใบเสนอราคาหนึ่งใบใส่ได้ไม่เกิน {maximum} แผ่น",
)
PANES_ON_CREATE_ONLY = Bilingual(
    "A change takes no panes: POST them to /panes of the request",
    th="แก้ไขใบรับงานโดยใส่แผ่นกระจกไม่ได้ ให้เพิ่มด้วย POST ที่ /panes ของใบรับงาน",
)
ORDER_OF_OTHER_REQUEST = Bilingual(
    "The order does not belong to the request", th="ออเดอร์นี้ไม่ใช่ของใบรับงานนี้"
)
NO_PANES_LEFT = Bilingual(
    "All panes of the request are in orders already, or cancelled",
    th="กระจกทุกแผ่นของใบรับงานนี้อยู่ในออเดอร์แล้ว หรือถูกยกเลิก",
)
PANE_NOT_TAKEN_OVER = Bilingual(
    "The order does not take over one of these panes: it has an order already, is "
    "cancelled, or belongs to another request",
    th="ออเดอร์นี้รับกระจกบางแผ่นไปทำไม่ได้ เพราะมีออเดอร์แล้ว ถูกยกเลิก หรือเป็นของใบรับงานอื่น",
)
PANE_NAMED_TWICE = Bilingual(
    "A pane or a laminated unit is named twice",
    th="ระบุกระจกแผ่นเดียวกันหรือชุดลามิเนตเดียวกันซ้ำ",
)
PANE_HAS_OTHER_MATERIAL = Bilingual(
    "One of these panes has another material already", th="กระจกบางแผ่นมีวัสดุอื่นอยู่แล้ว"
)
MATERIAL_INACTIVE = Bilingual(
    "The material is not active", th="วัสดุนี้ถูกปิดการใช้งานแล้ว ให้เลือกวัสดุอื่น"
)
TOO_MANY_ATTACHMENTS = Bilingual(
    "A request has {maximum} attachments at most",
    th="ใบรับงานหนึ่งใบแนบไฟล์ได้ไม่เกิน {maximum} ไฟล์",
)
NOT_A_DOCUMENT = Bilingual(
    "Must be a PDF, PNG or JPEG that can be read, in a base64 data URL",
    th="ต้องเป็นไฟล์ PDF, PNG หรือ JPEG ที่เปิดอ่านได้ ใน data URL แบบ base64",
)
DOCUMENT_TOO_LARGE = Bilingual(
    "Larger than {maximum} bytes", th="ไฟล์ใหญ่เกิน {maximum} ไบต์"
)
ATTACHMENT_NOT_FOUND = Bilingual("Attachment not found", th="ไม่พบไฟล์แนบ")
