"""The order desk: requests are written down, made orders, and moved along."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

from demo import bodies, plan, workshop
from demo.client import Api, NoAnswer
from demo.expected import Ledger, Record
from demo.heard import id_of
from demo.pieces import Pieces, by_number


class OrderDesk:
    """The manager at the desk; what comes of it goes to the floor as pieces."""

    def __init__(
        self,
        crew: Mapping[str, Api],
        stations: Mapping[str, str],
        ledger: Ledger,
        run: str,
    ) -> None:
        self.manager = crew["manager"]
        self.quality = crew[plan.POSTS["qc"]]
        self.stations = stations
        self.ledger = ledger
        self.run = run
        self.orders: list[Record] = []
        self.pieces = Pieces()
        self.customers = itertools.cycle(workshop.find_customers(crew["admin"]))

    def take(self, job: plan.Job, material: str, panes: int) -> None:
        """Take one order of so many panes."""
        customer = next(self.customers)
        request = self._write_down(job, customer, panes)
        order = self._order(job, request, customer, material)
        self.orders.append(order)
        adopted = self._panes_of(request)
        self.ledger.order_created(order, adopted)
        self._note_to_quality(order, job)
        mishaps = plan.mishaps_of(job, panes)
        self.pieces.admit(adopted, self.manager.id, mishaps)

    def advance(self) -> None:
        """Move each order on to its second station, while all work."""
        for order in self.orders:
            if len(order["stations"]) > 1:
                left, entered = map(id_of, order["stations"][:2])
                self._advance(f"/api/orders/{order['_id']}")
                self.ledger.order_advanced(order, left, entered)

    def _write_down(self, job: plan.Job, customer: str, panes: int) -> Record:
        number = f"PO-{self.run}-{len(self.orders) + 1}"
        body = bodies.request_body(
            job,
            customer=customer,
            assigned_to=self.manager.id,
            panes=panes,
            stations=self.stations,
        )
        request = self.manager.make(
            "/api/requests",
            {**body, "referenceId": number},
            lambda: self.manager.all("/api/requests", referenceId=number),
        )
        self.ledger.request_created(request, self._panes_of(request))
        return request

    def _order(
        self, job: plan.Job, request: Record, customer: str, material: str
    ) -> Record:
        body = {
            "request": request["_id"],
            "customer": customer,
            "material": material,
            "quantity": request["details"]["quantity"],
            "stations": bodies.order_route(job, self.stations),
            "assignedTo": self.manager.id,
            "notes": job.notes,
        }
        return self.manager.make(
            "/api/orders",
            body,
            lambda: self.manager.all("/api/orders", request=request["_id"]),
        )

    def _panes_of(self, request: Record) -> list[Record]:
        rows = self.manager.all("/api/panes", request=request["_id"])
        return sorted(rows, key=by_number)

    def _note_to_quality(self, order: Record, job: plan.Job) -> None:
        path = "/api/notifications"
        about = {"referenceId": order["_id"], "type": "reminder"}
        body = {
            **about,
            "recipient": self.quality.id,
            "title": "งานใหม่วันนี้",
            "message": f"{order['orderNumber']} {job.title}",
            "referenceType": "Order",
        }
        note = self.manager.make(path, body, lambda: self.manager.all(path, **about))
        self.ledger.notified(note)

    def _advance(self, path: str) -> None:
        while True:
            try:
                self.manager.patch(path, currentStationIndex=1)
                return
            except NoAnswer:  # the same again changes nothing more
                self.manager.wait_until_back()
