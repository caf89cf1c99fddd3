"""Texts about what can be made: a subject for each rule, and the limit that it has.

`flask docs` prints them for the pages, which fill them in as `domain.makeability` does.
"""

from glassflow.domain.bilingual import Bilingual

# By the last name in the path of a finding, or by that of a list with the number in it.
MAKEABILITY_PLACES = {
    "width": Bilingual("Width", th="ด้านกว้าง"),
    "height": Bilingual("Height", th="ด้านสูง"),
    "thickness": Bilingual("Thickness", th="ความหนา"),
    "holes": Bilingual("Hole {number}", th="รูที่ {number}"),
    "notches": Bilingual("Notch {number}", th="รอยบากที่ {number}"),
}
MAKEABILITY_SUBJECTS = {
    "TEMPER_SIZE": Bilingual("{place} for tempering", th="{place}สำหรับอบเทมเปอร์"),
    "TEMPER_DIAGONAL": Bilingual(
        "Diagonal for tempering", th="เส้นทแยงมุมสำหรับอบเทมเปอร์"
    ),
    "ASPECT_RATIO": Bilingual(
        "Long side divided by short side", th="ด้านยาวหารด้วยด้านสั้น"
    ),
    "HOLE_SIZE": Bilingual("{place}, diameter", th="เส้นผ่านศูนย์กลาง{place}"),
    "HOLE_LARGE": Bilingual("{place}, diameter", th="เส้นผ่านศูนย์กลาง{place}"),
    "HOLE_EDGE": Bilingual("{place} to the edge", th="{place} ห่างจากขอบ"),
    "HOLE_CORNER": Bilingual("{place} to the corner", th="{place} ห่างจากมุม"),
    "HOLE_GAP": Bilingual("{place} to the nearest hole", th="{place} ห่างจากรูที่ใกล้สุด"),
    "HOLES_NARROW": Bilingual(
        "Short side of a pane with holes", th="ด้านสั้นของแผ่นที่เจาะรู"
    ),
    "HOLES_MANY": Bilingual("Number of holes", th="จำนวนรู"),
    "NOTCH_RADIUS": Bilingual("{place}, corner radius", th="รัศมีมุมของ{place}"),
    "NOTCH_LARGE": Bilingual("{place}, length on the side", th="ความยาวของ{place}"),
    "SHEET_FIT": Bilingual("{place} on the largest sheet", th="{place}เทียบกับแผ่นใหญ่สุด"),
    "WEIGHT": Bilingual("Weight", th="น้ำหนัก"),
}
MAKEABILITY_UNITS = {
    "ASPECT_RATIO": Bilingual("times", th="เท่า"),
    "HOLES_MANY": Bilingual("holes", th="รู"),
    "WEIGHT": Bilingual("kg", th="กก."),
}
MAKEABILITY_MM = Bilingual("mm", th="มม.")
MAKEABILITY_LEAST = Bilingual(
    "{subject}: {actual} {unit}, at least {limit} {unit}",
    th="{subject} {actual} {unit} ต้องไม่น้อยกว่า {limit} {unit}",
)
MAKEABILITY_MOST = Bilingual(
    "{subject}: {actual} {unit}, at most {limit} {unit}",
    th="{subject} {actual} {unit} ต้องไม่เกิน {limit} {unit}",
)
MAKEABILITY_NOT_GIVEN = Bilingual(
    "{subject}: not given; tell the shop, at least {limit} {unit}",
    th="ยังไม่ได้ระบุ{subject} กรุณาแจ้งฝ่ายผลิต ต้องไม่น้อยกว่า {limit} {unit}",
)
NOT_MAKEABLE = Bilingual("Cannot be made: {faults}", th="ผลิตไม่ได้: {faults}")
