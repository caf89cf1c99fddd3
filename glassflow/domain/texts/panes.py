"""Texts about panes: routes, corrections, photos of failed checks, lamination."""

from glassflow.domain.bilingual import Bilingual

# Holes and notches
CUT_OUT_UNSIZED = Bilingual("Needs its size", th="ยังไม่ได้ใส่ขนาด")
CUT_OUT_OUTSIDE = Bilingual(
    "Outside the pane of {width:.10g} × {height:.10g} mm",
    th="อยู่นอกแผ่นกระจกขนาด {width:.10g} × {height:.10g} มม.",
)
HOLE_AT_EDGE = Bilingual(
    "The hole reaches the edge of the pane of {width:.10g} × {height:.10g} mm; "
    "a cut at the edge is a notch",
    th="รูชนขอบแผ่นกระจกขนาด {width:.10g} × {height:.10g} มม. ถ้าตัดที่ขอบให้ใส่เป็นรอยบาก",
)
STATIONS_EXIST = Bilingual(
    "There are stations already: the ready-made ones are for a workshop without any",
    th="มีสถานีอยู่แล้ว ชุดสถานีสำเร็จรูปใช้ได้เฉพาะโรงงานที่ยังไม่มีสถานี",
)
# Routes and corrections of panes
STATION_NOT_ON_ROUTE = Bilingual(
    "Station {station} is not on the route of the pane",
    th="สถานี {station} ไม่อยู่ในเส้นทางของกระจกแผ่นนี้",
)
STATION_GONE = Bilingual(
    "Stations of the route no longer exist: {stations}. Give a route of other stations",
    th="สถานีในเส้นทางถูกลบไปแล้ว: {stations} กรุณาระบุเส้นทางที่ใช้สถานีอื่น",
)
PANE_OF_OTHER_CUSTOMER = Bilingual(
    "The request of the pane belongs to another customer than its order",
    th="ใบรับงานของกระจกแผ่นนี้เป็นของลูกค้าคนละรายกับออเดอร์",
)
ARCHIVES_MISSING = Bilingual(
    "Earlier events are in files that this machine does not have, or cannot read: {files}",
    th="เหตุการณ์ก่อนหน้านี้อยู่ในไฟล์ที่เครื่องนี้ไม่มีหรืออ่านไม่ได้: {files}",
)
STATIONS_LEFT_OUT = Bilingual(
    "Stations that no longer exist were left out: {stations}",
    th="ข้ามสถานีที่ถูกลบไปแล้ว: {stations}",
)
UNITS_STAY_CANCELLED = Bilingual(
    "{count} laminated units stay cancelled: no station laminates their sheets any more",
    th="กระจกลามิเนต {count} ชุดยังคงถูกยกเลิก เพราะไม่มีสถานีลามิเนตของชุดนี้แล้ว",
)
STATION_NEEDED = Bilingual(
    "A pane that is {status} needs a currentStation",
    th="กระจกที่มีสถานะ {status} ต้องระบุสถานีปัจจุบัน",
)
MERGED_OR_CLAIMED = Bilingual(
    "A merged or claimed pane is corrected by its lamination or claim",
    th="กระจกที่ประกบแล้วหรือถูกเคลม แก้ไขได้ผ่านการประกบหรือเคลมเท่านั้น",
)
SHEET_LEAVES_BY_QC_OR_CLAIM = Bilingual(
    "A sheet leaves its unit by qc_fail or a claim only: cancel or restore the unit, "
    "which is the pane without a letter",
    th="แผ่นย่อยออกจากชุดได้เมื่อไม่ผ่านการตรวจหรือถูกเคลมเท่านั้น ให้ยกเลิกหรือเรียกคืนทั้งชุดที่แผ่นหลัก",
)
SHEET_ROUTE_END = Bilingual(
    "The route of a sheet ends at its lamination station",
    th="เส้นทางของแผ่นย่อยต้องจบที่สถานีลามิเนต",
)
CLOSED_PANE_HAS_NO_STATION = Bilingual(
    "A pane that is {status} stands at no station: correct its status too",
    th="กระจกที่มีสถานะ {status} ไม่อยู่ที่สถานีใด ต้องแก้สถานะด้วย",
)
PANE_REPLACED = Bilingual(
    "The pane has been replaced or written off",
    th="กระจกแผ่นนี้มีแผ่นใหม่ทดแทนแล้ว หรือถูกตัดออกจากงานแล้ว",
)
ALREADY_STARTED = Bilingual(
    "A pane that is in work cannot be divided into sheets",
    th="กระจกที่เริ่มทำแล้วแบ่งเป็นแผ่นย่อยไม่ได้",
)
SHEETS_FIXED = Bilingual(
    "The number of sheets of a laminated unit cannot change",
    th="เปลี่ยนจำนวนแผ่นย่อยของชุดลามิเนตไม่ได้",
)
SHEET_OF_UNIT = Bilingual(
    "A sheet goes with its unit: change the parent",
    th="แผ่นย่อยไปพร้อมกับชุด ให้แก้ที่แผ่นหลักของชุด",
)

# Photos of failed checks
NOT_AN_ATTACHMENT = Bilingual(
    "The photo is no JPEG, PNG or WebP that can be read",
    th="รูปนี้ไม่ใช่ไฟล์ JPEG, PNG หรือ WebP ที่เปิดอ่านได้",
)
NOT_AN_UPLOAD = Bilingual(
    "Must be a JPEG, PNG or WebP picture in a base64 data URL",
    th="ต้องเป็นรูป JPEG, PNG หรือ WebP ใน data URL แบบ base64",
)
PICTURE_IS_HEIC = Bilingual(
    "HEIC photos are not accepted: save the photo as a JPEG",
    th="ใช้รูป HEIC ไม่ได้ ให้บันทึกรูปเป็น JPEG ก่อน",
)
PICTURE_TOO_LARGE = Bilingual("The photo is too large", th="รูปใหญ่เกินไป")
TOO_MANY_PIXELS = Bilingual(
    "The photo has more than {maximum} pixels", th="รูปมีมากกว่า {maximum} พิกเซล"
)
ATTACHMENT_EXISTS = Bilingual(
    "The id is that of another attachment", th="รหัสนี้เป็นของไฟล์แนบอื่น"
)
MOVE_BY_SCAN_IN = Bilingual(
    "Only scan_in takes moveHere", th="ระบุ moveHere ได้เฉพาะเมื่อรับเข้า"
)
PHOTOS_OF_CHECK = Bilingual(
    "Only qc_fail takes photos", th="แนบรูปได้เฉพาะเมื่อไม่ผ่านการตรวจ"
)
MEASURED_BY_CHECK = Bilingual(
    "Only qc_pass and qc_fail take measured",
    th="ระบุขนาดที่วัดได้เฉพาะเมื่อตรวจผ่านหรือไม่ผ่าน",
)
NOTHING_MEASURED = Bilingual(
    "Needs a width, a height or both diagonals",
    th="ต้องระบุความกว้าง ความสูง หรือเส้นทแยงมุมทั้งสองเส้น",
)
UNKNOWN_ATTACHMENT = Bilingual("Unknown attachments: {ids}", th="ไม่พบไฟล์แนบ: {ids}")

# Lamination
NO_LAMINATION_STATION = Bilingual(
    "The route of a laminated pane needs a lamination station",
    th="เส้นทางของกระจกลามิเนตต้องมีสถานีลามิเนต",
)
SHEETS_MISSING = Bilingual(
    "แผ่นกระจกยังมาไม่ครบ ({present}/{total})",
    en="Some sheets are missing ({present}/{total})",
)
SURVIVOR_REQUIRED = Bilingual(
    "laminateSurvivorPaneNumber is required to scan the parent",
    th="ต้องระบุแผ่นที่จะใช้เลขต่อ (laminateSurvivorPaneNumber) เมื่อสแกนแผ่นหลักของชุด",
)
NOT_A_SHEET = Bilingual(
    "{number} is not a present sheet of this unit",
    th="{number} ไม่ใช่แผ่นของชุดนี้ หรือยังมาไม่ถึง",
)
ALREADY_LAMINATED = Bilingual(
    "The pane has been laminated already", th="กระจกแผ่นนี้ประกบแล้ว"
)
NOT_LAMINATED = Bilingual(
    "The pane has no sheets to laminate", th="กระจกแผ่นนี้ไม่มีแผ่นย่อยให้ประกบ"
)
