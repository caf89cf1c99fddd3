"""Texts about scans of panes."""

from glassflow.domain.bilingual import Bilingual

WRONG_STATION = Bilingual(
    "กระจกอยู่ที่สถานี {present} ไม่ใช่ {given}",
    en="The pane is at station {present}, not {given}",
)
STATION_UNKNOWN = Bilingual(
    "กระจกยังไม่อยู่ที่สถานีใด กรุณาระบุสถานี",
    en="The pane is at no station yet; please name the station",
)
NOT_COMPLETED_YET = Bilingual(
    "กระจกยังทำงานที่สถานีนี้ไม่เสร็จสิ้น กรุณาสแกนเสร็จสิ้นก่อน",
    en="The work at this station is not completed; please scan it as completed first",
)
AWAITING_SCAN_OUT = Bilingual(
    "กระจกทำงานที่สถานีนี้แล้ว กำลังรอสแกนออก",
    en="The work at this station is completed; the pane waits to be scanned out",
)
PANE_ALREADY = Bilingual("Pane is already {status}", th="กระจกแผ่นนี้{status}แล้ว")
MERGED_INTO_ANOTHER = Bilingual("merged into another pane", th="ถูกประกบเข้ากับแผ่นอื่น")
LAMINATE_PARENT = Bilingual(
    "กระจกลามิเนตหลักยังไม่ถูกประกบ กรุณาสแกนที่แผ่นย่อย",
    en="The laminated unit is not laminated yet; please scan its sheets",
)
UNMERGED_SHEET = Bilingual(
    "แผ่นกระจกยังไม่ถูกประกบ ต้องลามิเนตก่อนสแกนออก",
    en="The sheet is not laminated yet; laminate it before it is scanned out",
)
WORK_CANCELLED = Bilingual(
    "The order or request of this pane is cancelled",
    th="ออเดอร์หรือใบรับงานของกระจกแผ่นนี้ถูกยกเลิกแล้ว",
)
STATION_IN_MAINTENANCE = Bilingual(
    "สถานี {station} อยู่ระหว่างซ่อมบำรุง", en="Station {station} is under maintenance"
)
REASON_REQUIRED = Bilingual("qc_fail needs a reason", th="ต้องระบุสาเหตุที่ไม่ผ่านการตรวจ")
SCAN_TOO_OLD = Bilingual(
    "occurredAt is more than {hours} hours ago",
    th="สแกนนี้เกิดขึ้นนานเกิน {hours} ชั่วโมง ระบบไม่รับแล้ว",
)
SCAN_IN_FUTURE = Bilingual(
    "occurredAt is in the future: check the clock of the device",
    th="เวลาของสแกนอยู่ในอนาคต กรุณาตรวจนาฬิกาของเครื่อง",
)
PANE_NOT_FOUND = Bilingual("Pane not found", th="ไม่พบแผ่นกระจก")
PANE_NOT_THERE_YET = Bilingual(
    "There was no such pane at that time", th="ณ เวลานั้นยังไม่มีแผ่นกระจกนี้"
)
UNDONE = Bilingual("undo", th="ย้อนกลับ")
UNDONE_ACTION = Bilingual("undo {action}", th="ย้อนกลับ {action}")
NOTHING_TO_UNDO = Bilingual(
    "The last change of the pane is not a scan that can be undone",
    th="การเปลี่ยนแปลงล่าสุดของกระจกไม่ใช่สแกนที่ย้อนกลับได้",
)
LAMINATION_NOT_UNDOABLE = Bilingual(
    "A lamination cannot be undone", th="ประกบแล้วย้อนกลับไม่ได้"
)
CHANGED_SINCE_SCAN = Bilingual(
    "The pane has changed since its last scan", th="กระจกมีการเปลี่ยนแปลงหลังสแกนล่าสุดแล้ว"
)
UNDO_TOO_LATE = Bilingual(
    "A scan can be undone for {seconds} seconds",
    th="ย้อนกลับสแกนได้ภายใน {seconds} วินาทีเท่านั้น",
)
REMAKE_BEGUN = Bilingual(
    "Work on the remake {number} has begun", th="เริ่มทำแผ่นทดแทน {number} ไปแล้ว"
)
STATION_NOT_FOUND = Bilingual("Station not found", th="ไม่พบสถานี")
ROUTE_JUMP = Bilingual(
    "route position {before} → {after}", th="ลำดับในเส้นทาง {before} → {after}"
)
UNKNOWN_PANES = Bilingual("Unknown panes: {numbers}", th="ไม่พบแผ่นกระจก: {numbers}")
