"""The bodies that the day's requests are sent with: a job's panes and their ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from demo.plan import Job


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
            "sheetsPerPane": job.sheets,
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
