"""Orders: customer requests with their panes, orders made from them, their progress."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from demo import workshop
from demo.client import Api, NoResponse, Record
from demo.events import id_of
from demo.expected_events import ExpectedEvents
from demo.panes import Panes, by_number
from demo.plan import STATION_WORKERS, Job, faults_of


class Orders:
    """The manager takes orders and advances them; their panes go to the floor."""

    def __init__(
        self,
        logins: Mapping[str, Api],
        stations: Mapping[str, str],
        panes: Panes,
        expected: ExpectedEvents,
        run_id: str,
    ) -> None:
        """`stations` is station name -> id; `run_id` marks the records of this day."""
        self.manager = logins["manager"]
        self.quality_worker = logins[STATION_WORKERS["qc"]]
        self.stations = stations
        self.panes = panes
        self.expected = expected
        self.run_id = run_id
        self.all: list[Record] = []
        self._customers = itertools.cycle(workshop.find_customers(logins["admin"]))

    def take(self, job: Job, material: str, panes: int) -> None:
        """Create the request of a job with so many panes, and the order from it."""
        customer = next(self._customers)
        request = self._create_request(job, customer, panes)
        order = self._create_order(job, request, customer, material)
        self.all.append(order)
        adopted = self._panes_of(request)
        self.expected.order_created(order, adopted)
        self._notify_quality_worker(order, job)
        self.panes.add(adopted, self.manager.id, faults_of(job, panes))

    def advance(self) -> None:
        """Move each order to its second station; runs beside the floor."""
        for order in self.all:
            if len(order["stations"]) > 1:
                left, entered = map(id_of, order["stations"][:2])
                self._advance(f"/api/orders/{order['_id']}")
                self.expected.order_advanced(order, left, entered)

    def _create_request(self, job: Job, customer: str, panes: int) -> Record:
        number = f"PO-{self.run_id}-{len(self.all) + 1}"
        body = {
            "details": {
                "type": job.title,
                "quantity": panes,
                "estimatedPrice": 1500 * panes,
            },
            "customer": customer,
            "assignedTo": self.manager.id,
            "deliveryLocation": "หน้าไซต์งาน ติดต่อคุณสมศักดิ์",
            "deadline": "2030-01-31T10:00:00.000Z",
            "panes": [pane_body(job, n, panes, self.stations) for n in range(panes)],
            "referenceId": number,
        }
        request = self.manager.create_once(
            "/api/requests",
            body,
            lambda: self.manager.list_all("/api/requests", referenceId=number),
        )
        self.expected.request_created(request, self._panes_of(request))
        return request

    def _create_order(
        self, job: Job, request: Record, customer: str, material: str
    ) -> Record:
        route = job.routes[0] if job.routes else ()
        body = {
            "request": request["_id"],
            "customer": customer,
            "material": material,
            "quantity": request["details"]["quantity"],
            "stations": [self.stations[name] for name in dict.fromkeys(route)],
            "assignedTo": self.manager.id,
            "notes": job.notes,
        }
        return self.manager.create_once(
            "/api/orders",
            body,
            lambda: self.manager.list_all("/api/orders", request=request["_id"]),
        )

    def _panes_of(self, request: Record) -> list[Record]:
        rows = self.manager.list_all("/api/panes", request=request["_id"])
        return sorted(rows, key=by_number)

    def _notify_quality_worker(self, order: Record, job: Job) -> None:
        path = "/api/notifications"
        key = {"referenceId": order["_id"], "type": "reminder"}
        body = {
            **key,
            "recipient": self.quality_worker.id,
            "title": "งานใหม่วันนี้",
            "message": f"{order['orderNumber']} {job.title}",
            "referenceType": "Order",
        }
        manager = self.manager
        note = manager.create_once(path, body, lambda: manager.list_all(path, **key))
        recipient = id_of(note["recipient"])
        self.expected.notified(note["type"], note["referenceId"], recipient)

    def _advance(self, path: str) -> None:
        while True:
            try:
                self.manager.patch(path, currentStationIndex=1)
                return
            except NoResponse:  # idempotent: a repeated request changes nothing
                self.manager.wait_until_ready()


def pane_body(
    job: Job, n: int, panes: int, stations: Mapping[str, str]
) -> dict[str, Any]:
    """The n-th of a job's panes in the body of a request; each one is 10 mm wider."""
    glass_type, color, thickness = job.glass
    width, height = job.size[0] + 10 * n, job.size[1]
    body: dict[str, Any] = {
        "dimensions": {"width": width, "height": height, "thickness": thickness},
        "jobType": job.job_type,
        "rawGlass": {
            "glassType": glass_type,
            "color": color,
            "thickness": thickness,
            "sheetsPerPane": job.sheets,
        },
        "glassType": glass_type,
        "glassTypeLabel": f"{glass_type} {color} {thickness} มม.",
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
    return body | _route_fields(job, n, panes, stations)


def _route_fields(
    job: Job, n: int, panes: int, stations: Mapping[str, str]
) -> dict[str, Any]:
    if not job.routes:
        return {}
    if n >= panes - job.without_steps:
        return {"routing": []}
    route: Sequence[str] = job.routes[n % len(job.routes)]
    fields: dict[str, Any] = {
        "routing": [stations[name] for name in route],
        "customRouting": job.custom,
        "processes": list(route),
    }
    if n < job.nearly_done:
        fields["currentStation"] = stations[route[-2]]
    return fields


def _hole(i: int, width: int) -> dict[str, Any]:
    return {"id": f"h{i + 1}", "type": "circle", "x": 60 if i % 2 else width - 60,
            "y": 80 + 120 * i, "diameter": 12}  # fmt: skip


def _notch(i: int, height: int) -> dict[str, Any]:
    return {"id": f"n{i + 1}", "type": "rectangle", "x": 0,
            "y": height - 160 if i else 0, "width": 50, "height": 160}  # fmt: skip
