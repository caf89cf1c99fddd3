"""The demo workshop in the middle of a working day, after two weeks of work.

The use cases themselves do the work, in the order of time, each step with the clock of its
moment (`clock.at`) and as the worker of its station. So all records, figures, events and
the history agree with each other. Times are relative to the first start and lie in the
working hours of `TIMEZONE`. The plan is in `seeds/demo/work.json`.

A flow of work is a generator: it does a step and yields for how many working hours
nothing happens. What would happen after now does not happen, so the open orders are
wherever they have come to.
"""

import heapq
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import count
from math import hypot
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from bson import ObjectId

from glassflow import runtime
from glassflow.core import actor
from glassflow.core.events import event_log
from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.domain import calendar
from glassflow.domain import deliveries as delivery_rules
from glassflow.domain.claims import ClaimSource, ClaimStatus
from glassflow.domain.defects import DefectCode
from glassflow.domain.panes.status import Action, LaminateRole, Status
from glassflow.domain.photos import Picture
from glassflow.domain.stock import StockType, WithdrawalStatus
from glassflow.host.data_files import SEEDS
from glassflow.models.billing_entry import BillingEntry
from glassflow.models.call import Call
from glassflow.models.customer import Customer
from glassflow.models.delivery import Delivery
from glassflow.models.inventory import Inventory
from glassflow.models.material import Material
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.payment import Payment
from glassflow.models.quote import Quote
from glassflow.models.rack import Rack
from glassflow.models.request import Request
from glassflow.models.saved_export import SavedExport
from glassflow.models.station import Station
from glassflow.models.withdrawal import Withdrawal
from glassflow.services import (
    attachments,
    billing,
    calls,
    history,
    payments,
    pricing,
    records,
    saved_exports,
)
from glassflow.services.auth import identity
from glassflow.services.claims import claims
from glassflow.services.deliveries import deliveries, hand_overs
from glassflow.services.notices import notifications
from glassflow.services.orders import orders, requests
from glassflow.services.quotes import answers, quotes
from glassflow.services.scanning import racks
from glassflow.services.scanning import scan as scanning
from glassflow.services.scanning.context import Scan
from glassflow.services.stock import inventory, withdrawals

OPENS, CLOSES = 8, 17  # hours of the day
SUNDAY = 6  # of `datetime.weekday`
#: The username of the worker at each station, by its position.
STATION_WORKERS = {
    1: "somchai", 2: "malee", 3: "malee", 4: "somchai",
    5: "anan", 6: "anan", 7: "kanya", 8: "kanya",
}  # fmt: skip
LAMINATION, QC, DELIVERY = 5, 7, 8  # positions
MANAGER, ADMIN = "manager", "admin"
PANES_OF_A_TROLLEY = 6  # which are scanned together; of old orders all panes
PANES_OF_A_RACK = 12  # at most
NOW_ON_RACKS = 0.05  # working hours
PANES_OF_A_SHEET = 4  # that are cut from one sheet of raw glass
#: Working hours, from and to.
WAITING, WORKING, HANDING_ON = (0.3, 2.2), (0.4, 1.4), (0.1, 0.7)
PLANNED_BEFORE = 5.0  # working hours from the request to the cutting
OLD = 18.0  # working hours: an order that is finished
RECENT = 3.0  # working hours, longer than a pane is in work at a station
KEPT = timedelta(days=60)
UNDECIDED = 4.0  # working hours: a withdrawal that is younger waits for its approval
DECISION = (1.0, 6.0)  # working hours from a withdrawal to its approval
DESCRIPTIONS = {
    ClaimSource.CUSTOMER: "ลูกค้าแจ้งว่ามีรอยขีดข่วนกลางแผ่น ขอให้ทำใหม่",
    ClaimSource.WORKER: "ขอบบิ่นระหว่างยก ยังไม่แน่ใจว่าเจียรแก้ได้หรือไม่",
}

BILLED = 3  # deliveries that are on an invoice
PAID_SHARES = {1: 1.0, 2: 0.5}  # of the invoice with this number
LEAD_TIME = "10-14 วันทำการ"

Flow = Iterator[float]


def working_moment(hours: float, now: datetime, zone: ZoneInfo) -> datetime:
    """Return the moment so many working hours before `now`, both in naive UTC."""
    left, end = timedelta(hours=hours), calendar.in_zone(now, zone)
    while True:
        opens = end.replace(hour=OPENS, minute=0, second=0, microsecond=0)
        end = min(end, opens.replace(hour=CLOSES))
        if end.weekday() != SUNDAY and end >= opens:
            if left <= end - opens:
                return calendar.to_utc(end - left)
            left -= end - opens
        end = (opens - timedelta(days=1)).replace(hour=CLOSES)


def work() -> bool:
    """Do the work of two weeks, in a store with the demo workshop and its workers.

    Returns whether it was done: not in a store that has requests already. A process that
    is killed meanwhile leaves the workshop as it was at some moment of the two weeks.
    Raises `LookupError` for a missing station, worker, material or customer of the demo.
    """
    if Request.objects.first() is not None:
        return False
    # events of two weeks ago must not expire before the history has them
    event_log.ensure(retention=KEPT)
    try:
        # published in large groups at the end, which takes half of the time
        with runtime.active(replace(runtime.current(), publish_soon=None)):
            Workshop().run()
        history.update()
    finally:
        event_log.ensure()
    return True


def _photo() -> Picture:
    return Picture((SEEDS / "demo/claim.jpg").read_bytes(), "image/jpeg")


def _worker(username: str) -> Identity:
    found = identity.of_username(username)
    if found is None:
        raise LookupError(username)
    return found


@dataclass(frozen=True, slots=True)
class Job:
    """An order of the plan: what is made, for whom, and since when.

    `begun` is in working hours before now, `due` in days from today, `size` in mm,
    `tolerance` that of the size, as the office writes it.
    `story` is what happens to it besides: a `Story`, or nothing. `is_quoted`: the request
    comes of a quote that the customer has accepted.
    """

    title: str
    job_type: str
    material: ObjectId
    glass: tuple[str, str, float]
    size: tuple[int, int]
    tolerance: str
    route: tuple[int, ...]
    notes: str
    customer: ObjectId
    panes: int
    begun: float
    due: int
    story: str
    random: Random
    is_quoted: bool = False

    @property
    def sheets(self) -> int:
        """The sheets of each pane."""
        return 2 if LAMINATION in self.route else 1

    @property
    def measured(self) -> dict[str, Any]:
        """What is measured of a pane: a little wider than ordered, and square."""
        width, height = self.size
        diagonal = round(hypot(width, height))
        return {
            "width": width + 0.5,
            "height": height,
            "diagonals": [diagonal, diagonal + 1],
        }

    def between(self, hours: tuple[float, float]) -> float:
        """Return a time between two; the same at each first start."""
        return self.random.uniform(*hours)


class Story(StrEnum):
    """What happens to an order besides its work."""

    FAILS = "a pane fails its check"
    COMPLAINT = "the customer complains, and the claim is approved"
    REPORT = "a worker reports a pane, and nobody has decided yet"


class DeliveryStory(StrEnum):
    """How far a delivery of the plan has come; half of the panes are in part of one."""

    PLANNED = "planned"
    LOADING = "half of it is loaded"
    IN_PART = "half of it was handed over"
    HANDED_OVER = "handed over"


class QuoteStory(StrEnum):
    """How far a quote of the plan has come."""

    DRAFT = "draft"
    SENT = "sent"
    SOON = "soon"  # it is valid until tomorrow
    REVISED = "revised"
    REJECTED = "rejected"
    EXPIRED = "expired"


REASONS: Mapping[str, str] = {QuoteStory.REJECTED: "ลูกค้าได้ราคาจากที่อื่นถูกกว่า"}
#: The last day of a quote, in days from today.
QUOTE_DAYS: Mapping[str, int] = {QuoteStory.EXPIRED: -1, QuoteStory.SOON: 1}


def _is_ready(pane: Mapping[str, Any]) -> bool:
    """Return whether a pane in stored form can be handed over."""
    return delivery_rules.obstacle_to_handing_over(pane) is None


def _deliverable(order: ObjectId) -> list[dict[str, Any]]:
    """Return the panes of an order that can be on a delivery, and are on none."""
    panes = Pane.collection().find({"order": order}).sort("paneNumber", 1)
    found = [one for one in panes if not delivery_rules.obstacle_to_planning(one)]
    query = {"panes": {"$in": [one["_id"] for one in found]}}
    planned = {one for row in Delivery.find_many(query) for one in row.panes}
    return [one for one in found if one["_id"] not in planned]


class Workshop:
    """Runs the flows of the plan in the order of time."""

    def __init__(self) -> None:
        self._now, self._zone = clock.now(), runtime.current().policy.timezone
        self._stations = {one.position: one.pk for one in Station.objects}
        self._materials = {one.code: one.pk for one in Material.objects}
        self._steps: list[tuple[float, int, Flow]] = []
        self._sequence = count()  # of steps at the same moment
        self._plan = json.loads((SEEDS / "demo/work.json").read_text(encoding="utf-8"))
        self._hours = 0.0  # from the present step until now
        self._workers: dict[str, Identity] = {}
        self._set_aside: set[str] = set()  # numbers of panes that failed or are claimed

    def run(self) -> None:
        """Do all steps up to now."""
        for username in {MANAGER, ADMIN, *STATION_WORKERS.values()}:
            self._workers[username] = _worker(username)
        for job in self._jobs("orders", "begun"):
            self._schedule(job.begun + PLANNED_BEFORE, self._job(job))
        for job in self._jobs("quotes", "asked"):
            self._schedule(job.begun, self._quote(job))
        for hours, flow in self._deliveries():
            self._schedule(hours, flow)
        for row in self._plan["calls"]:
            self._schedule(row["called"], self._call(row))
        for row in self._plan["racks"]:
            self._schedule(60.0, self._rack(row))
        self._schedule(36.0, self._invoices())
        self._schedule(30.0, self._delivery_of_glass())
        self._schedule(26.0, self._large_withdrawal())
        self._schedule(50.0, self._saved_export())
        self._schedule(3.0, self._reading())
        while self._steps:
            negative_hours, _, flow = heapq.heappop(self._steps)
            self._hours = -negative_hours
            with clock.at(working_moment(self._hours, self._now, self._zone)):
                pause = next(flow, None)
            if pause is not None:
                self._schedule(self._hours - pause, flow)
        quotes.expire_overdue()
        with self._as(MANAGER) as manager:
            pricing.update(values={"is_example": False}, actor=manager)

    def _schedule(self, hours: float, flow: Flow) -> None:
        """Plan the next step of a flow for so many working hours before now."""
        if hours > 0:
            heapq.heappush(self._steps, (-hours, next(self._sequence), flow))

    def _begin(self, flow: Flow) -> None:
        """Begin another flow at the moment of the present step."""
        self._schedule(self._hours, flow)

    def _jobs(self, plan_of: str, begun: str) -> Iterator[Job]:
        """Yield the orders or the quotes of the plan; `begun` names when they were."""
        kinds = {one["name"]: one for one in self._plan["kinds"]}
        customers = {one.name: one.pk for one in Customer.objects}
        for number, row in enumerate(self._plan[plan_of]):
            kind = kinds[row["kind"]]
            if missing := set(kind["route"]) - self._stations.keys():
                raise LookupError(f"station {min(missing)}")
            yield Job(
                title=kind["title"],
                job_type=kind["jobType"],
                material=self._materials[kind["material"]],
                glass=tuple(kind["glass"]),
                size=tuple(kind["size"]),
                tolerance=kind["tolerance"],
                route=tuple(kind["route"]),
                notes=kind["notes"],
                customer=customers[row["customer"]],
                panes=row["panes"],
                begun=row[begun],
                due=row.get("due", 14),
                story=row.get("story", ""),
                random=Random(number),
                is_quoted=row.get("isQuoted", False),
            )

    def _deliveries(self) -> Iterator[tuple[float, Flow]]:
        """Yield the deliveries of the plan, and how many working hours ago they begin."""
        customers = {one.name: one.pk for one in Customer.objects}
        for row in self._plan["deliveries"]:
            yield row["planned"], self._delivery(row, customers[row["customer"]])

    @contextmanager
    def _as(self, username: str) -> Iterator[Identity]:
        """Run the block as the worker of that name, for the records and their history."""
        found = self._workers[username]
        with actor.acting(actor.of_identity(found, "")):
            yield found

    # -- from the request to the last pane

    def _job(self, job: Job) -> Flow:
        """A request, its order, its glass, and its panes on their way."""
        with self._as(MANAGER) as manager:
            request, panes = (
                self._of_quote(job, manager)
                if job.is_quoted
                else requests.create(
                    values=self._request(job, manager),
                    actor=manager,
                )
            )
        yield PLANNED_BEFORE - 1
        with self._as(MANAGER) as manager:
            order = orders.create(
                model=Order, values=self._order(job, request, manager), actor=manager
            )
        yield 1.0
        units = [one for one in panes if one.parent_pane is None]
        self._begin(self._withdrawal(job, order))
        if job.sheets > 1:
            for unit in units:
                sheets = [one for one in panes if one.parent_pane == unit.pk]
                self._begin(self._unit(job, sheets))
                yield job.between((0.5, 3.0))
            return
        numbers = [one.pane_number for one in units]
        size = PANES_OF_A_TROLLEY if job.begun < OLD else len(numbers)
        for n in range(0, len(numbers), size):
            trolley = job if n == 0 else replace(job, story="")  # it happens once
            self._begin(self._travel(numbers[n : n + size], trolley, job.route))
            yield job.between((0.8, 2.5))
        if job.story:
            self._begin(self._story(job, units))

    def _of_quote(self, job: Job, manager: Identity) -> tuple[Request, Sequence[Pane]]:
        """A quote that is accepted at once; return its request and panes."""
        quote = self._sent(self._draft(job, manager), manager)
        accepted = answers.accept(record_id=quote.pk, values={}, actor=manager)
        request = records.load(Request, accepted.request)
        return request, Pane.find_many({"request": request.pk})

    def _quote(self, job: Job) -> Flow:
        """A quote, sent an hour after it was written, and what the customer says."""
        with self._as(MANAGER) as manager:
            quote = self._draft(job, manager)
        yield 1.0
        if job.story == QuoteStory.DRAFT:
            return
        with self._as(MANAGER) as manager:
            self._sent(quote, manager)
        yield 4.0
        with self._as(MANAGER) as manager:
            if job.story == QuoteStory.REJECTED:
                answers.reject(
                    record_id=quote.pk, reason=REASONS[job.story], actor=manager
                )
            elif job.story == QuoteStory.REVISED:
                self._sent(quotes.revise(record_id=quote.pk), manager)

    def _draft(self, job: Job, manager: Identity) -> Quote:
        days = QUOTE_DAYS.get(job.story, 30)
        request = self._request(job, manager)
        values = {
            "customer": job.customer,
            "project": job.title,
            "panes": request["panes"],
            "deadline": request["deadline"],
            "lead_time": LEAD_TIME,
            "valid_until": calendar.day_start(self._now, self._zone, days),
        }
        return quotes.create(model=Quote, values=values, actor=manager)

    def _sent(self, quote: Quote, manager: Identity) -> Quote:
        return quotes.send(
            record_id=quote.pk,
            override_reason="",
            actor=manager,
        )

    def _request(self, job: Job, manager: Identity) -> dict[str, Any]:
        glass_type, color, thickness = job.glass
        width, height = job.size
        pane = {
            "routing": [self._stations[one] for one in job.route],
            "jobType": job.job_type,
            "material": job.material,
            "glassType": glass_type,
            "glassTypeLabel": f"{glass_type} {thickness:g} mm",
            "dimensions": {"width": width, "height": height, "thickness": thickness},
            "dimensionTolerance": job.tolerance,
            "rawGlass": {
                "glassType": glass_type,
                "color": color,
                "thickness": thickness,
                "sheetsPerPane": job.sheets,
            },
            "notes": job.notes,
            "quantity": job.panes,
        }
        priced = pricing.price_panes([pane], terms=pricing.terms_for(job.customer))
        price = float(priced.total.net)
        details = {"type": job.title, "quantity": job.panes, "estimatedPrice": price}
        return {
            "customer": job.customer,
            "details": details,
            "deadline": calendar.day_start(self._now, self._zone, job.due)
            + timedelta(hours=CLOSES),
            "assigned_to": manager.worker_id,
            "panes": [pane],
        }

    def _order(self, job: Job, request: Request, manager: Identity) -> dict[str, Any]:
        return {
            "request": request.pk,
            "customer": job.customer,
            "material": job.material,
            "quantity": job.panes,
            "stations": [self._stations[one] for one in job.route],
            # who is notified of each pane; of old orders that is read long ago
            "assigned_to": None if job.begun >= OLD else manager.worker_id,
        }

    def _travel(self, numbers: Sequence[str], job: Job, route: Sequence[int]) -> Flow:
        """Panes of one trolley, from station to station."""
        for position in route:
            yield job.between(WAITING)
            self._scan_trolley(numbers, Action.SCAN_IN, position)
            yield job.between(WORKING)
            if self._hours < RECENT:  # it may be done now; before, one scan less
                self._scan_trolley(numbers, Action.COMPLETE, position)
            yield job.between(HANDING_ON)
            if job.story == Story.FAILS and position == QC and len(numbers) > 1:
                self._fail(numbers[0], job)
            done = Action.QC_PASS if position == QC else Action.SCAN_OUT
            is_measured = position == QC and len(numbers) == 1  # no whole trolley is
            measured = job.measured if is_measured else None
            done_and_on = {"before_complete": True, "measured": measured}
            self._scan_trolley(numbers, done, position, **done_and_on)

    def _scan_trolley(
        self, numbers: Sequence[str], action: Action, position: int, **details: Any
    ) -> None:
        """Scan the panes that have not failed and are not claimed."""
        there = [one for one in numbers if one not in self._set_aside]
        if there:
            self._scan(there, action, position, **details)

    def _scan(
        self, numbers: Sequence[str], action: Action, position: int, **details: Any
    ) -> Sequence[Pane]:
        scan = Scan(action=action, station=self._stations[position], **details)
        with self._as(STATION_WORKERS[position]) as worker:
            if len(numbers) == 1:
                return [scanning.scan(number=numbers[0], scan=scan, actor=worker).pane]
            found = scanning.batch_scan(numbers=numbers, scan=scan, actor=worker)
            return [one.pane for one in found]

    def _fail(self, number: str, job: Job) -> None:
        """A pane fails its check; its remake begins."""
        scan = Scan(
            action=Action.QC_FAIL,
            station=self._stations[QC],
            reason=str(DefectCode.CHIPPED),
            before_complete=True,
        )
        with self._as(STATION_WORKERS[QC]) as worker:
            result = scanning.scan(number=number, scan=scan, actor=worker)
        assert result.remade is not None
        self._set_aside.add(number)
        self._begin(self._remake(job, result.remade))

    def _remake(self, job: Job, pane: Pane) -> Flow:
        return self._travel([pane.pane_number], replace(job, story=""), job.route)

    def _unit(self, job: Job, sheets: Sequence[Pane]) -> Flow:
        """The sheets of a unit, each on its own up to the lamination."""
        arrived: list[str] = []
        for sheet in sheets:
            self._begin(self._sheet(job, sheet.pane_number, arrived))
            yield job.between((1.0, 4.0))

    def _sheet(self, job: Job, number: str, arrived: list[str]) -> Flow:
        lamination = job.route.index(LAMINATION)
        yield from self._travel([number], job, job.route[:lamination])
        yield job.between(WAITING)
        self._scan([number], Action.SCAN_IN, LAMINATION)
        arrived.append(number)
        if len(arrived) < job.sheets:
            return
        yield job.between(WORKING)
        survivor = self._scan([number], Action.LAMINATE, LAMINATION)[0].pane_number
        yield job.between(HANDING_ON)
        self._scan([survivor], Action.SCAN_OUT, LAMINATION)
        yield from self._travel([survivor], job, job.route[lamination + 1 :])

    # -- what happens besides

    def _story(self, job: Job, panes: Sequence[Pane]) -> Flow:
        if job.story == Story.COMPLAINT:
            yield 30.0
            yield from self._claim(
                job, panes[0], ClaimSource.CUSTOMER, DefectCode.SCRATCH
            )
        elif job.story == Story.REPORT:
            yield 2.0
            yield from self._claim(
                job, panes[-1], ClaimSource.WORKER, DefectCode.CHIPPED
            )

    def _call(self, row: Mapping[str, Any]) -> Flow:
        """Somebody calls the manager to a station; one of today has not ended yet."""
        with self._as(STATION_WORKERS[row["position"]]) as worker:
            called = calls.create(
                model=Call,
                values={
                    "station": self._stations[row["position"]],
                    "kind": row["kind"],
                    "machine_stands": row["machineStands"],
                    "reason": row["reason"],
                },
                actor=worker,
            )
        yield row["taken"]
        with self._as(MANAGER) as manager:
            calls.take(record_id=called.pk, actor=manager)
        if "lasted" not in row:
            return
        yield row["lasted"] - row["taken"]
        evening = calendar.in_zone(called.called_at, self._zone).replace(
            hour=CLOSES, minute=0, second=0, microsecond=0
        )
        ended_at = min(clock.now(), calendar.to_utc(evening))  # no stop lasts all night
        with self._as(MANAGER) as manager:
            calls.end(record_id=called.pk, actor=manager, occurred_at=ended_at)

    def _rack(self, row: Mapping[str, Any]) -> Flow:
        """A rack, and the panes on it now: those that wait at a station, if it has one."""
        with self._as(MANAGER) as manager:
            values = {"name": row["name"], "place": row["place"]}
            rack = records.create(model=Rack, values=values, actor=manager)
        if "position" not in row:
            return
        yield self._hours - NOW_ON_RACKS
        position = row["position"]
        waiting = {
            "currentStation": self._stations[position],
            "currentStatus": {
                "$in": [str(Status.PENDING), str(Status.AWAITING_SCAN_OUT)]
            },
            "laminateRole": str(LaminateRole.SINGLE),
        }
        found = Pane.collection().find(waiting, ["paneNumber"]).sort("paneNumber", 1)
        numbers = [one["paneNumber"] for one in found.limit(PANES_OF_A_RACK)]
        with self._as(STATION_WORKERS[position]) as worker:
            there = racks.Handling(worker, self._stations[position])
            if numbers:
                racks.put(name=str(rack.pk), numbers=numbers, handling=there)

    def _delivery(self, row: Mapping[str, Any], customer: ObjectId) -> Flow:
        """A delivery of the oldest orders of a customer, and how far it has come."""
        story = row["story"]
        with self._as(MANAGER) as manager:
            panes = self._undelivered(customer, row.get("orders", 1))
            if story != DeliveryStory.PLANNED:
                panes = [one for one in panes if _is_ready(one)]
            if not panes:
                return
            planned = deliveries.create(
                model=Delivery,
                values={
                    "customer": customer,
                    "panes": [one["_id"] for one in panes],
                    "planned_for": self._day_of_delivery(row),
                    "vehicle": row.get("vehicle", ""),
                    "driver": self._workers[STATION_WORKERS[DELIVERY]].worker_id,
                },
                actor=manager,
            )
        yield 0.5
        numbers = [one["paneNumber"] for one in panes]
        planned_numbers = numbers
        if story in (DeliveryStory.LOADING, DeliveryStory.IN_PART):
            numbers = numbers[: -(-len(numbers) // 2)]
        if story != DeliveryStory.PLANNED:
            with self._as(STATION_WORKERS[DELIVERY]):
                deliveries.load(record_id=planned.pk, numbers=numbers)
        yield 1.0
        if story in (DeliveryStory.HANDED_OVER, DeliveryStory.IN_PART):
            with self._as(STATION_WORKERS[DELIVERY]) as worker:
                stayed = planned_numbers[len(numbers) :]
                self._hand_over(planned, numbers, stayed, row["receivedBy"], worker)

    def _undelivered(self, customer: ObjectId, orders: int) -> list[dict[str, Any]]:
        """Return the panes that can be delivered of the oldest orders that have any."""
        found = Order.collection().find({"customer": customer}).sort("_id", 1)
        left = [panes for order in found if (panes := _deliverable(order["_id"]))]
        return [pane for panes in left[:orders] for pane in panes]

    def _day_of_delivery(self, row: Mapping[str, Any]) -> datetime:
        """Return an hour of today or of a later day; of what is past, the moment itself."""
        if "day" not in row:
            return clock.now()
        day = calendar.day_start(self._now, self._zone, row["day"])
        return day + timedelta(hours=row["hour"])

    def _hand_over(
        self,
        planned: Delivery,
        numbers: Sequence[str],
        stayed: Sequence[str],
        name: str,
        worker: Identity,
    ) -> None:
        signature = attachments.store(
            picture=Picture((SEEDS / "demo/signature.png").read_bytes(), "image/png"),
            actor=worker,
            attachment_id=None,
        )
        values = {
            "pane_numbers": numbers,
            "received_by": name,
            "signature": signature.id,
            "left": [
                {"pane_number": one, "reason": str(delivery_rules.LeftReason.REFUSED)}
                for one in stayed
            ],
        }
        hand_overs.hand_over(record_id=planned.pk, values=values, actor=worker)

    def _claim(
        self, job: Job, pane: Pane, source: ClaimSource, defect: DefectCode
    ) -> Flow:
        """A claim; the office decides that of a customer four hours later."""
        self._set_aside.add(pane.pane_number)
        with self._as(STATION_WORKERS[DELIVERY]) as worker:
            claim = claims.create_from_pane(
                values={
                    "pane_number": pane.pane_number,
                    "source": str(source),
                    "description": DESCRIPTIONS[source],
                    "defect_code": str(defect),
                    "reported_by": worker.worker_id,
                    "photos": [_photo()] if source == ClaimSource.WORKER else [],
                },
                actor=worker,
            )
        if source == ClaimSource.CUSTOMER:
            yield 4.0
            with self._as(ADMIN) as admin:
                decided = claims.update(
                    record_id=claim.pk,
                    values={"status": str(ClaimStatus.APPROVED), "remake": True},
                    actor=admin,
                )
            self._begin(self._remake(job, records.load(Pane, decided.remade_pane)))

    def _withdrawal(self, job: Job, order: Order) -> Flow:
        """The cutter takes the glass of an order; the office agrees within hours."""
        with self._as(STATION_WORKERS[1]) as worker:
            taken = withdrawals.create(
                model=Withdrawal,
                values={
                    "material": job.material,
                    "quantity": -(-job.panes * job.sheets // PANES_OF_A_SHEET),
                    "stock_type": str(StockType.RAW),
                    "order": order.pk,
                },
                actor=worker,
            )
        yield job.between(DECISION)
        if job.begun > UNDECIDED:
            self._approve(taken)

    def _large_withdrawal(self) -> Flow:
        """After it, one material is below its reorder point."""
        with self._as(STATION_WORKERS[LAMINATION]) as worker:
            taken = withdrawals.create(
                model=Withdrawal,
                values={
                    "material": self._materials["FLM-PVB-038"],
                    "quantity": 4,
                    "stock_type": str(StockType.RAW),
                },
                actor=worker,
            )
        yield 1.0
        self._approve(taken)

    def _approve(self, taken: Withdrawal) -> None:
        with self._as(MANAGER) as manager:
            withdrawals.update(
                model=Withdrawal,
                record_id=taken.pk,
                values={"status": str(WithdrawalStatus.APPROVED)},
                actor=manager,
            )

    def _invoices(self) -> Flow:
        """The accounts have made invoices for the first deliveries, one each.

        The first is paid, and a part of the second.
        """
        oldest = BillingEntry.collection().find().sort("deliveredAt", 1)
        for number, row in enumerate(oldest.limit(BILLED), 1):
            invoice, share = f"INV-{number:04}", PAID_SHARES.get(number)
            with self._as(ADMIN) as admin:
                billing.bill(ids=[row["_id"]], invoice_number=invoice, actor=admin)
                if share:
                    payments.record(
                        model=Payment,
                        values={
                            "customer": row["customer"],
                            "amount": row["gross"] * share,
                            "invoice_number": invoice,
                        },
                        actor=admin,
                    )
            yield 0.2

    def _delivery_of_glass(self) -> Flow:
        """Two lots arrive."""
        for code, quantity, location in (
            ("GLS-CLR-6", 40, "A-04"),
            ("GLS-MIR-5", 20, "D-03"),
        ):
            with self._as(MANAGER) as manager:
                inventory.create(
                    model=Inventory,
                    values={
                        "material": self._materials[code],
                        "stock_type": str(StockType.RAW),
                        "quantity": quantity,
                        "location": location,
                    },
                    actor=manager,
                )
            yield 0.5

    def _reading(self) -> Flow:
        """The manager has read what came before."""
        with self._as(MANAGER) as manager:
            notifications.read_all(actor=manager)
        yield 1.0

    def _saved_export(self) -> Flow:
        with self._as(ADMIN) as admin:
            saved_exports.create(
                model=SavedExport,
                values={
                    "name": "ออเดอร์ที่ยังไม่เสร็จ",
                    "resource": "orders",
                    "query": "status=pending,in_progress",
                    "shared": True,
                },
                actor=admin,
            )
        yield 1.0
