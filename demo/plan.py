"""What is made on the day: twelve jobs, their ways through the shop, their mishaps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

#: Short names used here -> the names that the stations carry in the workshop.
STATIONS = {
    "cutting": "ตัดกระจก (Cutting)",
    "edging": "เจียรขอบ (Edging)",
    "drilling": "เจาะรู (Drilling)",
    "washing": "ล้างกระจก (Washing)",
    "lamination": "ลามิเนต (Lamination)",
    "tempering": "อบเทมเปอร์ (Tempering)",
    "qc": "ตรวจสอบคุณภาพ (QC)",
    "delivery": "จัดส่ง (Delivery)",
}

#: Who stands where. Every login tends at least one station.
POSTS = {
    "cutting": "somchai",
    "edging": "malee",
    "drilling": "malee",
    "washing": "somchai",
    "lamination": "anan",
    "tempering": "anan",
    "qc": "kanya",
    "delivery": "kanya",
}

Route = tuple[str, ...]

CUT_TO_SHIP: Route = ("cutting", "edging", "washing", "qc", "delivery")
TEMPERED: Route = (
    "cutting", "edging", "drilling", "washing", "tempering", "qc", "delivery",
)  # fmt: skip


class Mishap(NamedTuple):
    """What befalls one pane of a job, at one of its stations (the empty text: any).

    `kind` is what comes of it: `fails` at the check and is made again, or is claimed,
    and the claim is `remade`, `written off` without a remake, or `rejected`; `customer`
    is a claim on a finished pane. `sheet` says that it befalls a sheet of the unit, not
    the laminated whole. `again_at` is where the remake begins, if not at the start.
    """

    kind: str
    at: str = ""
    reason: str = "broken"
    sheet: bool = False
    again_at: str = ""


@dataclass(frozen=True)
class Job:
    """One customer request. ``routes`` are dealt to its panes in turn.

    No routes at all means panes without a route, which any station may take. The i-th
    of its mishaps befalls its i-th pane.
    """

    title: str
    job_type: str
    material: str
    glass: tuple[str, str, float]  # type, colour, thickness
    size: tuple[int, int]
    routes: tuple[Route, ...] = (CUT_TO_SHIP,)
    notes: str = ""
    holes: int = 0
    notches: int = 0
    sheets: int = 1
    custom: bool = False
    nothing_to_do: int = 0  # this many panes come with an empty route
    half_done: int = 0  # this many start at the last but one station
    mishaps: tuple[Mishap, ...] = ()


CLEAR, ULTRA, GREEN = "Clear", "Ultra Clear", "Green"

JOBS = (
    Job("ฉากอาบน้ำเทมเปอร์ ห้องพัก 5 ชั้น", "TEMPERED", "GLS-CLR-10", (CLEAR, "ใส", 10),
        (900, 1950), (TEMPERED,), "เจาะบานพับ 2 จุด ระวังขอบบิ่น", holes=2,
        mishaps=(Mishap("fails", "tempering"), Mishap("remade", "qc", "scratch"))),
    Job("หน้าต่างบานเลื่อน", "SINGLE", "GLS-GRN-6", (GREEN, "เขียว", 6),
        (780, 1180), notes="ติดสติกเกอร์มุมขวาล่าง",
        mishaps=(Mishap("rejected", "washing", "stain"),
                 Mishap("fails", "qc", "chipped", again_at="edging"))),
    Job("กระจกหน้าโต๊ะประชุม", "TABLE-TOP", "GLS-CLR-8", (CLEAR, "ใส", 8),
        (1200, 2400), (("cutting", "edging", "edging", "washing", "qc", "delivery"),),
        "เจียรหยาบก่อน แล้วเจียรมนรอบแผ่น",
        mishaps=(Mishap("written off", "edging", "dimension_wrong"),)),
    Job("กระจกเงาห้องน้ำโรงแรม", "MIRROR", "GLS-MIR-5", ("Mirror", "เงา", 5),
        (600, 900), (("cutting", "edging", "drilling", "qc", "delivery"),),
        "ห้ามวางด้านเคลือบลงพื้น", holes=4,
        mishaps=(Mishap("fails", "drilling", "chipped"),)),
    Job("ราวกันตกระเบียงลามิเนต 2 ชั้น", "TEMP-LAM2", "GLS-CLR-12", (CLEAR, "ใส", 12),
        (1000, 1100), (("cutting", "edging", "drilling", "washing", "tempering",
                        "lamination", "washing", "qc", "delivery"),),
        "อบทีละแผ่น ประกบ แล้วล้างอีกครั้ง", holes=2, sheets=2,
        mishaps=(Mishap("fails", "tempering", sheet=True), Mishap("fails", "qc"))),
    Job("กระจกสำรองหน้าร้าน", "SINGLE", "GLS-CLR-5", (CLEAR, "ใส", 5), (500, 700), (),
        "งานไม่มีเส้นทาง ทำที่ไหนก็ได้", mishaps=(Mishap("rejected", "", "other"),)),
    Job("งานตามแบบสถาปนิก", "SINGLE", "GLS-EGR-6", ("Euro Grey", "เทา", 6), (640, 1480),
        (("cutting", "drilling", "edging", "qc", "delivery"),
         ("cutting", "washing", "tempering", "qc", "delivery"),
         ("cutting", "edging", "delivery")),
        "แต่ละแผ่นเดินคนละเส้นทาง ดูแบบแนบ", notches=1, custom=True,
        mishaps=(Mishap("fails", "cutting", "dimension_wrong"),)),
    Job("กระจกพื้นลามิเนต 3 ชั้น", "LAM3", "GLS-ULC-10", (ULTRA, "ใสพิเศษ", 10),
        (1150, 2600), (("cutting", "washing", "lamination", "qc", "delivery"),),
        "ประกบ 3 แผ่น พื้นทางเดินกระจก", sheets=3,
        mishaps=(Mishap("fails", "lamination", "scratch", sheet=True),
                 Mishap("remade", "qc", "stain"))),
    Job("ตู้ปลาขนาด 5 ฟุต", "SINGLE", "GLS-CLR-12", (CLEAR, "ใส", 12), (600, 1500),
        notes="ขอบต้องเรียบ ใช้กาวใส",
        mishaps=(Mishap("customer", "delivery"), Mishap("rejected", "qc", "scratch"))),
    Job("ประตูบานสวิง", "TEMPERED", "GLS-CLR-12", (CLEAR, "ใส", 12), (900, 2200),
        (("cutting", "drilling", "edging", "washing", "tempering", "qc", "delivery"),),
        "บากมุมโช้กพื้นตามแบบ", notches=2,
        mishaps=(Mishap("remade", "drilling", "chipped"),)),
    Job("หลังคาสกายไลต์ลามิเนต 2 ชั้น", "LAM2", "GLS-LOE-6", ("Low-E", "ใสอมเขียว", 6),
        (1100, 1900), (("cutting", "edging", "washing", "lamination", "qc",
                        "delivery"),),
        "ด้าน Low-E อยู่ด้านใน", sheets=2,
        mishaps=(Mishap("rejected", "washing", "stain", sheet=True),
                 Mishap("remade", "lamination", sheet=True),
                 Mishap("written off", "qc", "other"))),
    Job("งานด่วนเปลี่ยนกระจกแตก", "SINGLE", "GLS-CLR-6", (CLEAR, "ใส", 6), (450, 980),
        (("cutting", "qc", "delivery"),), "ด่วน! ลูกค้ารอรับหน้าโรงงาน",
        nothing_to_do=2, half_done=2),
)  # fmt: skip


def mishaps_of(job: Job, panes: int) -> tuple[Mishap, ...]:
    """The job's mishaps; an order of one pane cannot lose it without a remake."""
    if panes > 1:
        return job.mishaps
    return tuple(
        one._replace(kind="remade") if one.kind == "written off" else one
        for one in job.mishaps
    )
