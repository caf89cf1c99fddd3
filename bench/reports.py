"""How long the morning page, the Overview and the wall board take to read, after three months.

The store has 24,000 panes, 2,000 of them open, and daily figures of 90 days with their
histograms. In these days one pane of 40 has failed a check, one of 200 was claimed, the
glass of ten at a time was withdrawn, and each pane has its entry of the cut. Measured is
the answer to a request, and the processor time of the store.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any

from bson import ObjectId

from bench.costs import cpu_seconds
from bench.figures import number, table
from bench.many_panes import ManyPanes
from bench.processes import Service, running_service
from bench.section import Measured
from bench.timing import timed_ms
from glassflow.core.process import clock
from glassflow.domain.claims import ClaimSource
from glassflow.domain.defects import DefectCode
from glassflow.domain.stays import bucket_of
from glassflow.models.base import Record
from glassflow.models.claim import Claim
from glassflow.models.material_log import MaterialLog
from glassflow.models.order import Order
from glassflow.models.pane_log import PaneLog
from glassflow.models.request import Request
from glassflow.services import daily_figures

WHOLE, QUICK = 24_000, 2_400  # panes
OPEN_SHARE = 12  # one pane of so many is open, the newest ones
DAYS, STATIONS = 90, 8
PANES_OF_WITHDRAWAL = PANES_OF_ORDER = 10
FAILED_SHARE, CLAIMED_SHARE = 40, 200  # of so many finished panes one
ROUNDS = 15
# What is read, and in how many ms it has to be answered.
TARGETS = {
    "/api/dashboard/today": 150.0,
    "/api/dashboard/flow?days=90": 100.0,
    "/api/dashboard/on-time?days=90": 100.0,
    "/api/dashboard/losses?days=90": 100.0,
    "/api/dashboard/stock-use?days=90": 100.0,
    "/api/dashboard/stats?chartRange=7d": 150.0,
    "/api/dashboard/stats?chartRange=30d": 150.0,
    "/api/board": 50.0,
}


def section(quick: bool) -> Measured:
    """Fill a store, and measure each read."""
    count = QUICK if quick else WHOLE
    closed = count - count // OPEN_SHARE
    with running_service() as service:
        found = service.database["stations"].find(limit=STATIONS)
        stations = [row["_id"] for row in found]
        ManyPanes(count, stations, is_open=lambda n: n >= closed).store(service)
        _lose_and_take(service, stations)
        _finish_orders(service, count)
        figures = service.database[daily_figures.COLLECTION]
        figures.delete_many({})  # those of the demo
        figures.insert_many(_days(count, stations))
        rows = {path: _measure(service, path) for path in TARGETS}
    head = (
        f"reports of {count:,} panes",
        "median ms",
        "worst ms",
        "target",
        "store ms",
    )
    cells = [
        [f"`{path}`", *map(number, (median, worst, TARGETS[path], store))]
        for path, (median, worst, store) in rows.items()
    ]
    faults = [
        f"{path}: {number(median)} ms, target {TARGETS[path]:g}"
        for path, (median, _, _) in rows.items()
        if median > TARGETS[path]
    ]
    return Measured(list(table(head, cells)), faults)


def _measure(service: Service, path: str) -> tuple[float, float, float]:
    """Return the median and the longest ms of a read, and the store's processor ms."""
    api = service.admin()
    api.get(path)
    before = cpu_seconds([service.store_pid])
    times = [timed_ms(api, "GET", path) for _ in range(ROUNDS)]
    used_s = cpu_seconds([service.store_pid]) - before
    return sorted(times)[ROUNDS // 2], max(times), 1000 * used_s / ROUNDS


def _lose_and_take(service: Service, stations: Sequence[ObjectId]) -> None:
    """Store the logs, claims and remakes of lost panes, and the ledger of all."""
    chosen, panes = random.Random(1), service.database["panes"]
    shown = {"material": 1, "order": 1, "currentStatus": 1}
    found = list(panes.find({}, shown))
    closed = [one for one in found if one["currentStatus"] == "completed"]
    remakes = [one["_id"] for one in found if one["currentStatus"] == "pending"]
    failed, claimed = closed[::FAILED_SHARE], closed[1::CLAIMED_SHARE]
    lost = {"agreedPrice": 1250.5, "currentStatus": "defected"}
    for one in [*failed, *claimed]:
        by_claim = {"writtenOff": one in claimed}
        panes.update_one({"_id": one["_id"]}, {"$set": {**lost, **by_claim}})
    for made, old in zip(remakes, [*failed, *claimed], strict=False):
        panes.update_one({"_id": made}, {"$set": {"remakeOf": old["_id"]}})
    sources, reasons = tuple(ClaimSource), tuple(DefectCode)
    records: list[Record] = [
        PaneLog(
            pane=one["_id"],
            station=chosen.choice(stations),
            action="qc_fail",
            reason=chosen.choice(reasons),
        )
        for one in failed
    ]
    records += [
        Claim(
            pane=one["_id"],
            order=one["order"],
            material=one["material"],
            source=chosen.choice(sources),
            status="approved",
        )
        for one in claimed
    ]
    records += [_entry(one, "cut", 0) for one in found]
    records += [_entry(one, "withdraw", -2) for one in found[::PANES_OF_WITHDRAWAL]]
    records += [_entry(one, "adjust", -1) for one in failed]
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for record in records:
        moment = clock.now() - timedelta(days=chosen.uniform(0, DAYS - 1))
        record.pk, record.created_at = ObjectId(), moment
        if isinstance(record, Claim):
            record.claim_date = moment
        record.stamp()
        rows[record.collection_name()].append(dict(record.to_mongo()))
    for name, documents in rows.items():
        service.database[name].insert_many(documents)


def _finish_orders(service: Service, panes: int) -> None:
    """Store the orders of these panes: each is finished about when its request is due."""
    chosen, records = random.Random(1), defaultdict[str, list[dict[str, Any]]](list)
    customer = service.database["customers"].find_one()["_id"]
    for n in range(panes // PANES_OF_ORDER):
        deadline = clock.now() - timedelta(days=chosen.uniform(0, DAYS))
        finished = deadline + timedelta(days=chosen.gauss(-1, 1))
        request = Request(id=ObjectId(), request_number=f"B-{n}", deadline=deadline)
        order = Order(id=ObjectId(), order_number=f"B-{n}", request=request.pk)
        order.status, order.completed_at = "completed", finished
        for one in (request, order):
            one.created_at, one.customer = finished, customer
            one.stamp()
            records[one.collection_name()].append(dict(one.to_mongo()))
    for name, documents in records.items():
        service.database[name].insert_many(documents)


def _entry(pane: Mapping[str, Any], action: str, quantity: int) -> MaterialLog:
    return MaterialLog(
        material=pane["material"],
        order=pane["order"],
        panes=[pane["_id"]],
        action_type=action,
        quantity_changed=quantity,
        by_service=True,
    )


def _days(panes: int, stations: Sequence[ObjectId]) -> Iterator[dict[str, Any]]:
    """Yield figures as those panes make them, each of which passes all stations."""
    chosen, today = random.Random(1), clock.now().date()
    for age in range(DAYS):
        counts: Counter[str] = Counter()
        for _ in range(panes // DAYS):
            hour = chosen.randrange(8, 17)
            counts.update((f"takenIn:{hour}", f"finished:{hour}"))
            for station in stations:
                for counter in ("stays", "queue", "touch"):
                    bucket = bucket_of(chosen.lognormvariate(9, 1))  # hours
                    counts[f"{counter}:{station}:{bucket}"] += 1
                for counter in ("arrived", "left", "added", "addedAfter"):
                    counts[f"{counter}:{station}"] += 1
            counts[f"lead:{bucket_of(chosen.lognormvariate(12, 1))}"] += 1  # days
        day = (today - timedelta(age)).isoformat()
        yield {"_id": day, **daily_figures.nested(counts)}
