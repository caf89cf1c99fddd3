"""The panes that the lists are measured with, and the lists."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from bson import ObjectId

from glassflow.core.process import clock
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.request import Request

LIST_MS, WITH_TOTAL_MS, TEXT_MS = 10.0, 100.0, 300.0  # targets for the store's time
RARE = "search, no pane"
PANES_PER_ORDER = 40
SECONDS_PER_PANE = 600
STATIONS, MATERIALS, CUSTOMERS = 12, 40, 20
NOW = clock.now()
BATCH = 1000
# One of fifty panes is merged into another, one of a hundred a sheet.
STATUSES = ("pending",) * 5 + ("in_progress",) * 3 + ("completed",) * 42


@dataclass
class Ids:
    """The ids of the records that so many panes refer to; requests have those of orders."""

    panes: int
    stations: list[ObjectId] = field(
        default_factory=lambda: [ObjectId() for _ in range(STATIONS)]
    )
    materials: list[ObjectId] = field(
        default_factory=lambda: [ObjectId() for _ in range(MATERIALS)]
    )
    customers: list[ObjectId] = field(
        default_factory=lambda: [ObjectId() for _ in range(CUSTOMERS)]
    )
    orders: list[ObjectId] = field(init=False)

    def __post_init__(self) -> None:
        self.orders = [ObjectId() for _ in range(self.panes // PANES_PER_ORDER)]


def queries(ids: Ids) -> Iterator[tuple[str, dict[str, Any], float | None]]:
    """Yield each list: its name, its query, and the target in ms for its rows, if any."""
    middle = _created(ids.panes // 2, ids.panes)
    yield "default", {}, LIST_MS
    yield "default, 100 rows", {"limit": 100}, LIST_MS
    yield "page 10", {"page": 10}, LIST_MS
    yield "oldest first", {"sort": "createdAt"}, LIST_MS
    yield "cursor=*", {"cursor": "*"}, LIST_MS
    yield "count=capped", {"count": "capped"}, LIST_MS
    yield "with merged panes", {"includeMerged": "true"}, LIST_MS
    yield "status=pending", {"status": "pending"}, LIST_MS
    yield "status=completed", {"status": "completed"}, LIST_MS
    yield "status_ne=completed", {"status_ne": "completed"}, LIST_MS
    yield "station", {"station": ids.stations[3]}, LIST_MS
    yield "material", {"material": ids.materials[5]}, LIST_MS
    yield "order", {"order": ids.orders[9]}, LIST_MS
    yield "request", {"request": ids.orders[9]}, LIST_MS
    yield "laminateRole=sheet", {"laminateRole": "sheet"}, LIST_MS
    yield "createdAt_lt", {"createdAt_lt": middle.isoformat()}, LIST_MS
    yield "search=PNE-1234", {"search": "PNE-1234"}, LIST_MS
    yield "search=01234", {"search": "01234"}, LIST_MS
    yield "search, every second pane", {"search": "tempered"}, TEXT_MS
    yield "the same, count=capped", {"search": "tempered", "count": "capped"}, TEXT_MS
    yield "search, 240 panes", {"search": "hole 77"}, TEXT_MS
    yield "the same, count=capped", {"search": "hole 77", "count": "capped"}, TEXT_MS
    yield RARE, {"search": "nothing"}, TEXT_MS
    yield "sort=paneNumber", {"sort": "paneNumber"}, LIST_MS
    yield "sort=-completedAt", {"sort": "-completedAt"}, LIST_MS
    yield "sort=-arrivedAt", {"sort": "-arrivedAt"}, LIST_MS
    customer = {"customer": ids.customers[3]}
    yield "customer, a twentieth of the panes", customer, LIST_MS
    # No index has these: the store reads all panes, so they have no target but the limit.
    yield "sort=currentStatus", {"sort": "currentStatus"}, None
    yield "sort=dimensions.area", {"sort": "dimensions.area"}, None
    yield "sort=order.customer.name", {"sort": "order.customer.name"}, None
    yield "isWithdrawn=true", {"isWithdrawn": "true"}, None
    yield "glassType, every second pane", {"glassType": "tempered"}, None
    yield "glassType, no pane", {"glassType": "mirror"}, None
    yield "routing, five of twelve stations", {"routing": ids.stations[3]}, None
    yield "notes, 240 panes", {"notes": "hole 77"}, None


def fill(ids: Ids) -> None:
    """Store the panes, and of their requests and orders what the lists need."""
    for model in (Request, Order):
        model._get_collection().insert_many(
            {"_id": one, "customer": ids.customers[n % CUSTOMERS]}
            for n, one in enumerate(ids.orders)
        )
    collection = Pane._get_collection()
    for start in range(0, ids.panes, BATCH):
        numbers = range(start, min(start + BATCH, ids.panes))
        collection.insert_many(_pane(ids, n) for n in numbers)


def _created(n: int, panes: int) -> datetime:
    """The time of a pane: the last one is an hour old."""
    return NOW - timedelta(hours=1, seconds=SECONDS_PER_PANE * (panes - n))


def _pane(ids: Ids, n: int) -> dict[str, Any]:
    number = f"PNE-{n:04d}"
    status = "merged_into" if n % 50 == 7 else STATUSES[n * 7 % len(STATUSES)]
    order = ids.orders[n // PANES_PER_ORDER]
    start = n % STATIONS
    created, is_completed = _created(n, ids.panes), status == "completed"
    pane = Pane(
        pk=ObjectId(),
        created_at=created,
        arrived_at=None if is_completed else created,
        completed_at=created if is_completed else None,
        pane_number=number,
        qr_code=f"STDPLUS:{number}",
        order=order,
        request=order,
        material=ids.materials[n % MATERIALS],
        current_station=None if is_completed else ids.stations[n % STATIONS],
        current_status=status,
        routing=(ids.stations * 2)[start : start + 5],
        laminate_role="sheet" if n % 100 == 8 else "single",
        withdrawal=ObjectId() if n % 3 == 0 else None,
        glass_type="tempered" if n % 2 else "clear",
        glass_type_label="กระจกนิรภัย 10 มม.",
        notes=f"hole {n % 100}",
    )
    pane.stamp()
    return dict(pane.to_mongo())
