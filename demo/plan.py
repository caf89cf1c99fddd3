"""What is made on the day: twelve jobs, their glass and their ways through the shop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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


@dataclass(frozen=True)
class Job:
    """One customer request. ``routes`` are dealt to its panes in turn.

    No routes at all means panes without a route, which any station may take.
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
    custom: bool = False
    nothing_to_do: int = 0  # this many panes come with an empty route
    half_done: int = 0  # this many start at the last but one station


CLEAR, ULTRA, GREEN = "Clear", "Ultra Clear", "Green"

JOBS = (
    Job("ฉากอาบน้ำเทมเปอร์ ห้องพัก 5 ชั้น", "TEMPERED", "GLS-CLR-10", (CLEAR, "ใส", 10),
        (900, 1950), (TEMPERED,), "เจาะบานพับ 2 จุด ระวังขอบบิ่น", holes=2),
    Job("หน้าต่างบานเลื่อน", "SINGLE", "GLS-GRN-6", (GREEN, "เขียว", 6),
        (780, 1180), notes="ติดสติกเกอร์มุมขวาล่าง"),
    Job("กระจกหน้าโต๊ะประชุม", "TABLE-TOP", "GLS-CLR-8", (CLEAR, "ใส", 8),
        (1200, 2400), (("cutting", "edging", "edging", "washing", "qc", "delivery"),),
        "เจียรหยาบก่อน แล้วเจียรมนรอบแผ่น"),
    Job("กระจกเงาห้องน้ำโรงแรม", "MIRROR", "GLS-MIR-5", ("Mirror", "เงา", 5),
        (600, 900), (("cutting", "edging", "drilling", "qc", "delivery"),),
        "ห้ามวางด้านเคลือบลงพื้น", holes=4),
    Job("ราวกันตกระเบียง", "TEMPERED", "GLS-CLR-12", (CLEAR, "ใส", 12), (1000, 1100),
        (("cutting", "edging", "drilling", "washing", "tempering", "washing", "qc",
          "delivery"),),
        "ล้างก่อนและหลังอบ", holes=2),
    Job("กระจกสำรองหน้าร้าน", "SINGLE", "GLS-CLR-5", (CLEAR, "ใส", 5), (500, 700), (),
        "งานไม่มีเส้นทาง ทำที่ไหนก็ได้"),
    Job("งานตามแบบสถาปนิก", "SINGLE", "GLS-EGR-6", ("Euro Grey", "เทา", 6), (640, 1480),
        (("cutting", "drilling", "edging", "qc", "delivery"),
         ("cutting", "washing", "tempering", "qc", "delivery"),
         ("cutting", "edging", "delivery")),
        "แต่ละแผ่นเดินคนละเส้นทาง ดูแบบแนบ", notches=1, custom=True),
    Job("กระจกกั้นห้องประชุม", "SINGLE", "GLS-ULC-10", (ULTRA, "ใสพิเศษ", 10),
        (1150, 2600), (("cutting", "washing", "lamination", "qc", "delivery"),),
        "ติดฟิล์มตกแต่งที่ห้องลามิเนต"),
    Job("ตู้ปลาขนาด 5 ฟุต", "SINGLE", "GLS-CLR-12", (CLEAR, "ใส", 12), (600, 1500),
        notes="ขอบต้องเรียบ ใช้กาวใส"),
    Job("ประตูบานสวิง", "TEMPERED", "GLS-CLR-12", (CLEAR, "ใส", 12), (900, 2200),
        (("cutting", "drilling", "edging", "washing", "tempering", "qc", "delivery"),),
        "บากมุมโช้กพื้นตามแบบ", notches=2),
    Job("หลังคาสกายไลต์", "TEMPERED", "GLS-LOE-6", ("Low-E", "ใสอมเขียว", 6),
        (1100, 1900), (("cutting", "edging", "washing", "tempering", "lamination", "qc",
                        "delivery"),),
        "ด้าน Low-E อยู่ด้านใน"),
    Job("งานด่วนเปลี่ยนกระจกแตก", "SINGLE", "GLS-CLR-6", (CLEAR, "ใส", 6), (450, 980),
        (("cutting", "qc", "delivery"),), "ด่วน! ลูกค้ารอรับหน้าโรงงาน",
        nothing_to_do=2, half_done=2),
)  # fmt: skip


def request_body(
    job: Job,
    *,
    customer: str,
    assigned_to: str,
    panes: int,
    stations: Mapping[str, str],
) -> dict[str, Any]:
    """The body of ``POST /api/requests`` for one job with that many panes."""
    return {
        "details": {
            "type": job.title,
            "quantity": panes,
            "estimatedPrice": 1500 * panes,
        },
        "customer": customer,
        "assignedTo": assigned_to,
        "deliveryLocation": "หน้าไซต์งาน ติดต่อคุณสมศักดิ์",
        "deadline": "2030-01-31T10:00:00.000Z",
        "panes": [pane_body(job, n, panes, stations) for n in range(panes)],
    }


def pane_body(
    job: Job, n: int, panes: int, stations: Mapping[str, str]
) -> dict[str, Any]:
    """The n-th pane of a job: a little wider each, so that no two are alike."""
    kind, color, thickness = job.glass
    width, height = job.size[0] + 10 * n, job.size[1]
    body: dict[str, Any] = {
        "dimensions": {"width": width, "height": height, "thickness": thickness},
        "jobType": job.job_type,
        "rawGlass": {
            "glassType": kind,
            "color": color,
            "thickness": thickness,
            "sheetsPerPane": 1,
        },
        "glassType": kind,
        "glassTypeLabel": f"{kind} {color} {thickness} มม.",
        "dimensionTolerance": "±1 มม.",
        "cornerSpec": "ลบมุม 2 มม.",
        "holes": [_hole(i, width) for i in range(job.holes)],
        "notches": [_notch(i, height) for i in range(job.notches)],
        "edgeTasks": [
            {"side": side, "edgeProfile": "flat_polish", "machineType": "เจียรตรง"}
            for side in ("top", "right", "bottom", "left")
        ],
        "notes": f"{job.notes} (แผ่นที่ {n + 1})",
    }
    return body | _way(job, n, panes, stations)


def _way(job: Job, n: int, panes: int, stations: Mapping[str, str]) -> dict[str, Any]:
    if not job.routes:
        return {}
    if n >= panes - job.nothing_to_do:
        return {"routing": []}
    route: Sequence[str] = job.routes[n % len(job.routes)]
    way: dict[str, Any] = {
        "routing": [stations[name] for name in route],
        "customRouting": job.custom,
        "processes": list(route),
    }
    if n < job.half_done:
        way["currentStation"] = stations[route[-2]]
    return way


def _hole(i: int, width: int) -> dict[str, Any]:
    return {"id": f"h{i + 1}", "type": "circle", "x": 60 if i % 2 else width - 60,
            "y": 80 + 120 * i, "diameter": 12}  # fmt: skip


def _notch(i: int, height: int) -> dict[str, Any]:
    return {"id": f"n{i + 1}", "type": "rectangle", "x": 0,
            "y": height - 160 if i else 0, "width": 50, "height": 160}  # fmt: skip


def order_route(job: Job, stations: Mapping[str, str]) -> list[str]:
    """The stations of the job's order: the first pane's way, each once."""
    route = job.routes[0] if job.routes else ()
    return [stations[name] for name in dict.fromkeys(route)]
