"""Words of cutting plans on paper and as a table."""

from collections.abc import Mapping

from glassflow.domain.bilingual import Bilingual

PLAN_PAPER = Bilingual("Cutting plan", th="แผนตัดกระจก")
PLAN_PAPER_STATUS = Bilingual("Stage", th="สถานะ")
PLAN_PAPER_PRINTED = Bilingual("As of", th="ข้อมูล ณ")
PLAN_PAPER_FIGURES: Mapping[str, Bilingual] = {
    "panes": Bilingual("panes", th="แผ่นงาน"),
    "sheets": Bilingual("new sheets", th="แผ่นใหม่"),
    "remnants": Bilingual("remnants used", th="เศษที่ใช้"),
    "use": Bilingual("of the glass is used", th="ของกระจกที่ได้ใช้"),
    "made": Bilingual("remnants made", th="เศษที่เก็บ"),
}
PLAN_PAPER_SHEETS = Bilingual("Sheets in the order of cutting", th="แผ่นตามลำดับการตัด")
PLAN_PAPER_LOT = Bilingual("Lot", th="ล็อต")
PLAN_PAPER_LOCATION = Bilingual("Place", th="ที่เก็บ")
PLAN_PAPER_PANES = Bilingual("Panes", th="แผ่นงาน")
PLAN_PAPER_USE = Bilingual("Use", th="ใช้ได้")
PLAN_PAPER_MADE = Bilingual("Remnants", th="เศษที่เก็บ")
PLAN_PAPER_IS_CUT = Bilingual("Cut", th="ตัดแล้ว")
PLAN_PAPER_UNPLANNED = Bilingual("Not in the plan", th="ไม่อยู่ในแผน")

SHEET_LABEL = Bilingual("Sheet of the plan", th="แผ่นในแผน")
SHEET_PAPER_TITLE = Bilingual(
    "Sheet {number} of {count} · {size} mm", th="แผ่นที่ {number} จาก {count} · {size} มม."
)
SHEET_PAPER_LOT = Bilingual("Lot {lot}", th="ล็อต {lot}")
SHEET_PAPER_REMNANT = Bilingual("remnant", th="เศษกระจก")
SHEET_PAPER_USE = Bilingual(
    "{count} panes · {percent} % used", th="{count} แผ่นงาน · ใช้ได้ {percent} %"
)
SHEET_PAPER_CUT = Bilingual("Cut {moment} by {name}", th="ตัดเมื่อ {moment} โดย {name}")
SHEET_PAPER_MADE = Bilingual("Remnants made: {lots}", th="เศษที่ได้: {lots}")
SHEET_PAPER_WASTE = Bilingual("waste", th="เศษทิ้ง")
SHEET_PAPER_KEPT = Bilingual("remnant, is kept", th="เศษที่เก็บ")
SHEET_PAPER_DEFECT = Bilingual("defect", th="ตำหนิ")
SHEET_PAPER_POSITION = Bilingual("No.", th="ที่")
SHEET_PAPER_PANE = Bilingual("Pane", th="เลขแผ่น")
SHEET_PAPER_MARK = Bilingual("Mark", th="ตำแหน่งติดตั้ง")
SHEET_PAPER_ORDER = Bilingual("Order", th="ออเดอร์")
SHEET_PAPER_STATION = Bilingual("Next station", th="สถานีถัดไป")
SHEET_PAPER_RACK = Bilingual("Rack", th="ราวกระจก")

PANE_ON_SHEET_STATES: Mapping[str, Bilingual] = {
    "planned": Bilingual("planned", th="ตามแผน"),
    "cut": Bilingual("cut", th="ตัดแล้ว"),
    "broken": Bilingual("broken", th="แตก"),
    "left": Bilingual("not cut", th="ไม่ตัด"),
}
LEFT_OUT_REASONS: Mapping[str, Bilingual] = {
    "no_material": Bilingual("no material", th="ยังไม่ระบุวัสดุ"),
    "no_size": Bilingual("no size yet", th="ยังไม่มีขนาด"),
    "unknown_side": Bilingual(
        "worked on a side that is not known", th="ไม่รู้ว่าเจียรด้านไหน"
    ),
    "too_large": Bilingual("larger than any sheet in stock", th="ใหญ่กว่าทุกแผ่นในสต็อก"),
    "no_glass": Bilingual("no glass left for it", th="กระจกในสต็อกไม่พอ"),
    "deleted": Bilingual("deleted", th="ถูกลบแล้ว"),
    "cancelled": Bilingual("cancelled", th="ยกเลิกแล้ว"),
    "replaced": Bilingual("failed and remade", th="เสียและทำใหม่แล้ว"),
    "moved_on": Bilingual("has left the cutting station", th="ออกจากสถานีตัดแล้ว"),
    "changed": Bilingual("changed after it was planned", th="เปลี่ยนหลังวางแผน"),
    "other_plan": Bilingual("in another plan", th="อยู่ในแผนอื่น"),
}
# The columns of a plan as a table, by their names, in their order.
PANES_OF_PLAN_HEADS: Mapping[str, Bilingual] = {
    "sheet": Bilingual("Sheet", th="แผ่นที่"),
    "lot": Bilingual("Lot", th="ล็อต"),
    "position": Bilingual("Position", th="ลำดับ"),
    "paneNumber": Bilingual("Pane", th="เลขแผ่น"),
    "mark": Bilingual("Mark", th="ตำแหน่งติดตั้ง"),
    "orderNumber": Bilingual("Order", th="เลขที่ออเดอร์"),
    "x": Bilingual("x (mm)", th="x (มม.)"),
    "y": Bilingual("y (mm)", th="y (มม.)"),
    "width": Bilingual("Width (mm)", th="กว้าง (มม.)"),
    "height": Bilingual("Height (mm)", th="สูง (มม.)"),
    "isTurned": Bilingual("Turned", th="หมุน"),
    "state": Bilingual("State", th="สถานะ"),
    "reason": Bilingual("Reason", th="เหตุผล"),
    "nextStation": Bilingual("Next station", th="สถานีถัดไป"),
    "rack": Bilingual("Rack", th="ราวกระจก"),
}
