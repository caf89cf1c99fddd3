"""What is made on the day: twelve jobs, the routes of their panes, and their faults."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

#: Short names used here -> the names of the stations in the service.
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

#: Station -> username of the worker there. One worker may have several stations.
STATION_WORKERS = {
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


class FaultKind(StrEnum):
    """How a fault of a pane is handled."""

    QC_FAIL = "qc fail"  # the check fails and the pane is remade
    CLAIM_REMADE = "claim remade"  # a worker's claim is approved, with a remake
    CLAIM_WRITTEN_OFF = "claim written off"  # approved, without a remake
    CLAIM_REJECTED = "claim rejected"
    CUSTOMER_CLAIM = "customer claim"  # on the finished pane; approved, with a remake


QC_FAIL, CLAIM_REMADE, CLAIM_WRITTEN_OFF, CLAIM_REJECTED, CUSTOMER_CLAIM = FaultKind


class Fault(NamedTuple):
    """A fault that one pane of a job gets at the station `at` (empty: at any station).

    `on_sheet` puts it on the first sheet of a unit, not on the laminated pane.
    `remake_at` is the station where the remake starts, if not at the first.
    """

    kind: FaultKind
    at: str = ""
    reason: str = "broken"
    on_sheet: bool = False
    remake_at: str = ""


@dataclass(frozen=True)
class Job:
    """One customer request. `routes` are assigned to its panes in turn.

    Without routes the panes have none, and any station may work them. The i-th pane
    gets the i-th of the faults.
    """

    title: str
    job_type: str
    material: str
    glass: tuple[str, str, float]  # type, colour, thickness in mm
    size: tuple[int, int]  # width and height in mm
    routes: tuple[Route, ...] = (CUT_TO_SHIP,)
    notes: str = ""
    holes: int = 0
    sheets: int = 1
    without_steps: int = 0  # so many panes have an empty route
    faults: tuple[Fault, ...] = ()


CLEAR, ULTRA, GREEN = "Clear", "Ultra Clear", "Green"

JOBS = (
    Job("ฉากอาบน้ำเทมเปอร์ ห้องพัก 5 ชั้น", "TEMPERED", "GLS-CLR-10", (CLEAR, "ใส", 10),
        (900, 1950), (TEMPERED,), "เจาะบานพับ 2 จุด ระวังขอบบิ่น", holes=2,
        faults=(Fault(QC_FAIL, "tempering"), Fault(CLAIM_REMADE, "qc", "scratch"))),
    Job("หน้าต่างบานเลื่อน", "SINGLE", "GLS-GRN-6", (GREEN, "เขียว", 6),
        (780, 1180), notes="ติดสติกเกอร์มุมขวาล่าง",
        faults=(Fault(CLAIM_REJECTED, "washing", "stain"),
                 Fault(QC_FAIL, "qc", "chipped", remake_at="edging"))),
    Job("กระจกหน้าโต๊ะประชุม", "TABLE-TOP", "GLS-CLR-8", (CLEAR, "ใส", 8),
        (1200, 2400), (("cutting", "edging", "edging", "washing", "qc", "delivery"),),
        "เจียรหยาบก่อน แล้วเจียรมนรอบแผ่น",
        faults=(Fault(CLAIM_WRITTEN_OFF, "edging", "dimension_wrong"),)),
    Job("กระจกเงาห้องน้ำโรงแรม", "MIRROR", "GLS-MIR-5", ("Mirror", "เงา", 5),
        (600, 900), (("cutting", "edging", "drilling", "qc", "delivery"),),
        "ห้ามวางด้านเคลือบลงพื้น", holes=4,
        faults=(Fault(QC_FAIL, "drilling", "chipped"),)),
    Job("ราวกันตกระเบียงลามิเนต 2 ชั้น", "TEMP-LAM2", "GLS-CLR-12", (CLEAR, "ใส", 12),
        (1000, 1100), (("cutting", "edging", "drilling", "washing", "tempering",
                        "lamination", "washing", "qc", "delivery"),),
        "อบทีละแผ่น ประกบ แล้วล้างอีกครั้ง", holes=2, sheets=2,
        faults=(Fault(QC_FAIL, "tempering", on_sheet=True), Fault(QC_FAIL, "qc"))),
    Job("กระจกสำรองหน้าร้าน", "SINGLE", "GLS-CLR-5", (CLEAR, "ใส", 5), (500, 700), (),
        "งานไม่มีเส้นทาง ทำที่ไหนก็ได้", faults=(Fault(CLAIM_REJECTED, "", "other"),)),
    Job("งานตามแบบสถาปนิก", "SINGLE", "GLS-EGR-6", ("Euro Grey", "เทา", 6), (640, 1480),
        (("cutting", "drilling", "edging", "qc", "delivery"),
         ("cutting", "washing", "tempering", "qc", "delivery"),
         ("cutting", "edging", "delivery")),
        "แต่ละแผ่นเดินคนละเส้นทาง ดูแบบแนบ",
        faults=(Fault(QC_FAIL, "cutting", "dimension_wrong"),)),
    Job("กระจกพื้นลามิเนต 3 ชั้น", "LAM3", "GLS-ULC-10", (ULTRA, "ใสพิเศษ", 10),
        (1150, 2600), (("cutting", "washing", "lamination", "qc", "delivery"),),
        "ประกบ 3 แผ่น พื้นทางเดินกระจก", sheets=3,
        faults=(Fault(QC_FAIL, "lamination", "scratch", on_sheet=True),
                 Fault(CLAIM_REMADE, "qc", "stain"))),
    Job("ตู้ปลาขนาด 5 ฟุต", "SINGLE", "GLS-CLR-12", (CLEAR, "ใส", 12), (600, 1500),
        notes="ขอบต้องเรียบ ใช้กาวใส",
        faults=(Fault(CUSTOMER_CLAIM, "delivery"), Fault(CLAIM_REJECTED, "qc", "scratch"))),
    Job("ประตูบานสวิง", "TEMPERED", "GLS-CLR-12", (CLEAR, "ใส", 12), (900, 2200),
        (("cutting", "drilling", "edging", "washing", "tempering", "qc", "delivery"),),
        "บากมุมโช้กพื้นตามแบบ",
        faults=(Fault(CLAIM_REMADE, "drilling", "chipped"),)),
    Job("หลังคาสกายไลต์ลามิเนต 2 ชั้น", "LAM2", "GLS-LOE-6", ("Low-E", "ใสอมเขียว", 6),
        (1100, 1900), (("cutting", "edging", "washing", "lamination", "qc",
                        "delivery"),),
        "ด้าน Low-E อยู่ด้านใน", sheets=2,
        faults=(Fault(CLAIM_REJECTED, "washing", "stain", on_sheet=True),
                 Fault(CLAIM_REMADE, "lamination", on_sheet=True),
                 Fault(CLAIM_WRITTEN_OFF, "qc", "other"))),
    Job("งานด่วนเปลี่ยนกระจกแตก", "SINGLE", "GLS-CLR-6", (CLEAR, "ใส", 6), (450, 980),
        (("cutting", "qc", "delivery"),), "ด่วน! ลูกค้ารอรับหน้าโรงงาน",
        without_steps=2),
)  # fmt: skip


def faults_of(job: Job, panes: int) -> tuple[Fault, ...]:
    """The job's faults; the only pane of an order is never written off."""
    if panes > 1:
        return job.faults
    return tuple(
        fault._replace(kind=CLAIM_REMADE) if fault.kind is CLAIM_WRITTEN_OFF else fault
        for fault in job.faults
    )
