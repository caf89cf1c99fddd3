"""A store with many panes of several months, written past the service."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from bson import ObjectId

from bench.processes import Service
from glassflow.core.process import clock
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.request import Request

PANES_PER_ORDER = 40
SECONDS_PER_PANE = 600
MATERIALS, CUSTOMERS, ROUTE_LENGTH = 40, 20, 5
MAKING_TIME = timedelta(days=14)  # from the request to its deadline
BATCH = 1000
FIRST_NUMBER = 1000  # those of the demo are lower


def _ids(count: int) -> list[ObjectId]:
    return [ObjectId() for _ in range(count)]


@dataclass
class ManyPanes:
    """So many panes, and the ids of what they refer to; requests have those of orders.

    `is_open` says of the number of a pane whether it is still worked on; by default one of
    six panes is. One of fifty panes is merged into another, one of a hundred a sheet.
    """

    panes: int
    stations: list[ObjectId]
    is_open: Callable[[int], bool] = lambda n: n % 50 < 8
    materials: list[ObjectId] = field(default_factory=lambda: _ids(MATERIALS))
    customers: list[ObjectId] = field(default_factory=lambda: _ids(CUSTOMERS))

    def __post_init__(self) -> None:
        self.orders = _ids(-(-self.panes // PANES_PER_ORDER))
        # the last pane is an hour old
        age = timedelta(hours=1, seconds=SECONDS_PER_PANE * self.panes)
        self._begin = clock.now() - age

    def created(self, n: int) -> Any:
        """Return the time at which a pane was created."""
        return self._begin + timedelta(seconds=SECONDS_PER_PANE * n)

    def store(self, service: Service) -> None:
        """Store requests, orders and panes."""
        database = service.database
        for n, id in enumerate(self.orders):
            for record in self._request_and_order(n, id):
                record.stamp()
                document = dict(record.to_mongo())
                database[record.collection_name()].insert_one(document)
        for start in range(0, self.panes, BATCH):
            numbers = range(start, min(start + BATCH, self.panes))
            database["panes"].insert_many(self._pane(n) for n in numbers)

    def _request_and_order(self, n: int, id: ObjectId) -> tuple[Request, Order]:
        is_open = self.is_open(n * PANES_PER_ORDER)
        customer = self.customers[n % CUSTOMERS]
        details = {"type": "window", "quantity": PANES_PER_ORDER}
        request = Request(
            pk=id,
            request_number=f"REQ-B{n}",
            customer=customer,
            details={**details, "estimatedPrice": 9000},
            deadline=self.created(n * PANES_PER_ORDER) + MAKING_TIME,
            status="in_progress" if is_open else "completed",
        )
        order = Order(
            pk=id,
            order_number=f"ORD-B{n}",
            request=id,
            customer=customer,
            material=self.materials[n % MATERIALS],
            quantity=PANES_PER_ORDER,
            status=request.status,
            pane_count=PANES_PER_ORDER,
            panes_completed=0 if is_open else PANES_PER_ORDER,
            panes_delivered=0 if is_open or n % 50 == 0 else PANES_PER_ORDER,
            completed_at=None if is_open else self.created((n + 1) * PANES_PER_ORDER),
        )
        return request, order

    def _pane(self, n: int) -> dict[str, Any]:
        order, start = self.orders[n // PANES_PER_ORDER], n % len(self.stations)
        created, is_open = self.created(n), self.is_open(n)
        status = "completed"
        if is_open:
            status = "merged_into" if n % 50 == 7 else "pending"
            status = "in_progress" if n % 50 in (1, 3, 5) else status
        pane = Pane(
            pk=ObjectId(),
            created_at=created,
            arrived_at=created if is_open else None,
            completed_at=None if is_open else created,
            pane_number=f"PNE-{FIRST_NUMBER + n}",
            qr_code=f"STDPLUS:PNE-{FIRST_NUMBER + n}",
            order=order,
            request=order,
            material=self.materials[n % MATERIALS],
            current_station=self.stations[start] if is_open else None,
            current_status=status,
            routing=(self.stations * 2)[start : start + ROUTE_LENGTH],
            laminate_role="sheet" if n % 100 == 8 else "single",
            withdrawal=ObjectId() if n % 3 == 0 else None,
            dimensions={"width": 900, "height": 1200, "thickness": 6, "area": n},
            glass_type="tempered" if n % 2 else "clear",
            glass_type_label="กระจกนิรภัย 10 มม.",
            notes=f"hole {n % 100}",
        )
        pane.stamp()
        return dict(pane.to_mongo())
