"""How long the embedded store works for a list of panes.

The service measures its commands to the store; the processor time of the store does not
depend on what else the machine does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bench.costs import cpu_seconds
from bench.figures import number, table
from bench.many_panes import ManyPanes
from bench.processes import Service, running_service
from bench.section import Measured

WHOLE, QUICK = 24_000, 2_000  # panes
LIST_MS, WITH_TOTAL_MS, TEXT_MS = 10.0, 100.0, 300.0  # targets for the store's time
ROUNDS = 5
COUNT = "aggregate"  # the command of a count


@dataclass(frozen=True)
class Row:
    """A list: the store's ms for the rows and for the total.

    Those of the first request, and the best of the others (`then`). `processor_ms` is the
    store's processor time for one of the others, `max_ms` the target for the rows, if there
    is one.
    """

    name: str
    first_ms: float
    then_ms: float
    first_total_ms: float
    then_total_ms: float
    processor_ms: float
    max_ms: float | None

    def cells(self) -> list[str]:
        """Return the row of the table."""
        target = "" if self.max_ms is None else f"{self.max_ms:g}"
        rows = map(number, (self.first_ms, self.then_ms))
        totals = (self.first_total_ms, self.then_total_ms, self.processor_ms)
        return [f"`{self.name}`", *rows, target, *map(number, totals)]


def section(quick: bool) -> Measured:
    """Fill a store, and measure what each list costs it.

    A list that takes so long that the service refuses it fails the section.
    """
    count = QUICK if quick else WHOLE
    with running_service() as service:
        stations = [row["_id"] for row in service.database["stations"].find()]
        panes = ManyPanes(count, stations)
        panes.store(service)
        rows = list(_measure(service, panes))
    head = (f"lists of {count:,} panes", "first ms", "then ms", "target")
    totals = ("total: first ms", "then ms", "processor ms")
    lines = table((*head, *totals), [row.cells() for row in rows])
    return Measured(list(lines), list(faults(rows)))


def faults(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the targets that were missed.

    A list with a target for its rows has one for rows and total together too.
    """
    for row in rows:
        if row.max_ms is None:
            continue
        most, both_ms = max(row.max_ms, WITH_TOTAL_MS), row.then_ms + row.then_total_ms
        if row.then_ms > row.max_ms:
            yield f"{row.name}: {number(row.then_ms)} ms, target {row.max_ms:g}"
        if both_ms > most:
            yield f"{row.name} with its total: {number(both_ms)} ms, target {most:g}"


def queries(panes: ManyPanes) -> Iterator[tuple[str, dict[str, Any], float | None]]:
    """Yield each list: its name, its query, and the target in ms for its rows, if any."""
    middle = panes.created(panes.panes // 2)
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
    yield "station", {"station": panes.stations[3]}, LIST_MS
    yield "material", {"material": panes.materials[5]}, LIST_MS
    yield "order", {"order": panes.orders[9]}, LIST_MS
    yield "request", {"request": panes.orders[9]}, LIST_MS
    yield "laminateRole=sheet", {"laminateRole": "sheet"}, LIST_MS
    yield "createdAt_lt", {"createdAt_lt": middle.isoformat()}, LIST_MS
    yield "search=PNE-1234", {"search": "PNE-1234"}, LIST_MS
    yield "search=01234", {"search": "01234"}, LIST_MS
    yield "search, every second pane", {"search": "tempered"}, TEXT_MS
    yield "the same, count=capped", {"search": "tempered", "count": "capped"}, TEXT_MS
    yield "search, 240 panes", {"search": "hole 77"}, TEXT_MS
    yield "the same, count=capped", {"search": "hole 77", "count": "capped"}, TEXT_MS
    yield "search, no pane", {"search": "nothing"}, TEXT_MS
    yield "search=77", {"search": "77"}, TEXT_MS
    yield "search=800, few panes", {"search": "800"}, TEXT_MS
    yield "sort=paneNumber", {"sort": "paneNumber"}, LIST_MS
    yield "sort=-completedAt", {"sort": "-completedAt"}, LIST_MS
    yield "sort=-arrivedAt", {"sort": "-arrivedAt"}, LIST_MS
    customer = {"customer": panes.customers[3]}
    yield "customer, a twentieth of the panes", customer, LIST_MS
    yield "sort=currentStatus", {"sort": "currentStatus"}, LIST_MS
    # No index has these: the store reads all panes, so they have no target but the limit.
    yield "sort=dimensions.area", {"sort": "dimensions.area"}, None
    yield "sort=order.customer.name", {"sort": "order.customer.name"}, None
    yield "isWithdrawn=true", {"isWithdrawn": "true"}, None
    yield "glassType, every second pane", {"glassType": "tempered"}, None
    yield "glassType, no pane", {"glassType": "mirror"}, None
    yield "routing", {"routing": panes.stations[3]}, None
    yield "notes, 240 panes", {"notes": "hole 77"}, None


def _measure(service: Service, panes: ManyPanes) -> Iterator[Row]:
    api = service.admin()
    for name, query, max_ms in queries(panes):
        rows_ms, totals_ms = [], []
        for turn in range(ROUNDS + 1):
            if turn == 1:
                used_s = cpu_seconds([service.store_pid])
            before = _store_ms(service)
            api.get("/api/panes", **query)
            after = _store_ms(service)
            rows_ms.append(after[0] - before[0])
            totals_ms.append(after[1] - before[1])
        used_s = cpu_seconds([service.store_pid]) - used_s
        yield Row(
            name,
            rows_ms[0],
            min(rows_ms[1:]),
            totals_ms[0],
            min(totals_ms[1:]),
            1000 * used_s / ROUNDS,
            max_ms,
        )


def _store_ms(service: Service) -> tuple[float, float]:
    """Return the store's time for rows, and for totals, in ms so far."""
    found = {name: 1000 * one["sum"] for name, one in service.commands().items()}
    total = found.get(COUNT, 0.0)
    return sum(found.values()) - total, total
