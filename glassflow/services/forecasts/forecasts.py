"""When the panes of a quote or a request will be finished, and what would change it.

What the last weeks say of the stations (`past`) and the panes that are on the floor now
(`floor`) are simulated (`domain.forecast`). A forecast is kept (`kept`); what would be if
something were otherwise is not.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from math import inf
from typing import Any, NamedTuple

from bson import ObjectId

from glassflow.core.process import clock, time_limit
from glassflow.core.process.cooperative import yielding
from glassflow.domain import calendar, quotes
from glassflow.domain.aliases import Raw
from glassflow.domain.forecast import (
    LEAST_OF_ROUTE,
    LEAST_VISITS,
    ODDS,
    Forecast,
    Reason,
)
from glassflow.domain.orders import OPEN_ORDERS, OrderStatus
from glassflow.domain.panes.status import LaminateRole, Status
from glassflow.domain.working_time import ElapsedTime, WorkingTime
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.quote import Quote
from glassflow.models.request import Request
from glassflow.models.station import Station
from glassflow.services import records
from glassflow.services.forecasts import floor, kept, past
from glassflow.services.forecasts.floor import ASKED, Panes
from glassflow.services.forecasts.past import Past
from glassflow.services.records import lookup, references
from glassflow.services.working_hours import times

SHOWN = {f"p{odds}": odds for odds in ODDS}
PROMISED_AT = 85  # of 100: an order is late if this date is after the promised one


class WhatIf(NamedTuple):
    """What would be otherwise: a shift more on the next days, a place more, this work first."""

    extra_shifts: int = 0
    station: ObjectId | None = None
    first: bool = False

    @classmethod
    def of(cls, values: Raw | None) -> "WhatIf | None":
        """Return what a caller has given; None if nothing would be otherwise."""
        given = cls(**{name: one for name, one in (values or {}).items() if one})
        return given if given != cls() else None


def of_quote(*, record_id: ObjectId, what_if: Raw | None) -> dict[str, Any]:
    """Forecast the panes of a quote, as if they came to the floor now.

    The panes of one that has a request, such as an accepted one, are on the floor already:
    the forecast is that of the request.
    Raises `NotFound`, and `UnknownReference` for a station that does not exist.
    """
    quote = records.load(Quote, record_id)
    if quote.request:
        return of_request(record_id=quote.request, what_if=what_if)
    asked = _Asked.read(None)
    floor.add_rows(
        asked.panes,
        quote.panes,
        is_rush=quote.is_rush,
        elapsed=asked.elapsed,
        now=asked.now,
    )
    count = sum(map(quotes.quantity, quote.panes))
    return asked.answer(quote, count, is_finished=False, what_if=WhatIf.of(what_if))


def of_request(*, record_id: ObjectId, what_if: Raw | None) -> dict[str, Any]:
    """Forecast the panes of a request that are not finished, and those of its orders.

    Raises what `of_quote` raises.
    """
    request = records.load(Request, record_id)
    asked = _Asked.read(request.pk)
    count, is_finished = _panes_of(request.pk)
    return asked.answer(
        request, count, is_finished=is_finished, what_if=WhatIf.of(what_if)
    )


def _panes_of(request: ObjectId) -> tuple[int, bool]:
    """Return how many panes a request has, and whether all of them are finished."""
    shown = ("status", "paneCount")
    found = Order.collection().find({"request": request}, dict.fromkeys(shown, 1))
    orders = [row for row in found if row["status"] != OrderStatus.CANCELLED]
    planned = Pane.collection().count_documents(
        {
            "request": request,
            "order": None,
            "laminateRole": {"$ne": str(LaminateRole.SHEET)},
            "currentStatus": {"$ne": str(Status.CANCELLED)},
        }
    )
    count = sum(row.get("paneCount") or 0 for row in orders) + planned
    is_open = planned or any(row["status"] in OPEN_ORDERS for row in orders)
    return count, bool(count) and not is_open


@dataclass(slots=True)
class _Asked:
    """A forecast that is asked for: the floor of now, and what the past says of it."""

    now: datetime
    time: WorkingTime
    past: Past
    elapsed: ElapsedTime
    panes: Panes

    @classmethod
    def read(cls, request: ObjectId | None) -> "_Asked":
        now, time = clock.now(), times().usual.newest
        found = past.read(time, now)
        elapsed = ElapsedTime(time, found.since, now)
        return cls(now, time, found, elapsed, floor.of_now(elapsed, now, request))

    def answer(
        self,
        record: Quote | Request,
        count: int,
        *,
        is_finished: bool,
        what_if: WhatIf | None,
    ) -> dict[str, Any]:
        """Return the forecast of a record with so many panes, and keep it."""
        if what_if and what_if.station:
            station = references.Reference(
                "whatIf.station", "Station", (what_if.station,)
            )
            references.require_exist([station])
        stations = list(self.panes.ahead)
        names = lookup.field_of(Station, "name", map(ObjectId, stations))
        few = [one for one in stations if self._visits(one) < LEAST_VISITS]
        reason = self._reason(few, count, is_finished=is_finished)
        dates, promised = None, self._promised() if what_if else {}
        if reason is None:
            leads = self._leads(WhatIf(), [ASKED, *promised])
            dates = self._dates(leads[ASKED], WhatIf())
            reason = Reason.TOO_FAR if dates is None else None
        if dates and what_if is None:
            kept.keep(record, count, leads[ASKED], self.now)

        def named(station: str) -> dict[str, Any]:
            found = ObjectId(station)
            return {"station": found, "stationName": names.get(found)}

        return {
            "at": self.now,
            "panes": count,
            "withoutRoute": self.panes.without_route,
            "isRough": self._is_rough(),
            "reason": reason,
            "fewScans": [
                {**named(one), "visits": self._visits(one)}
                for one in (few if reason == Reason.FEW_SCANS else ())
            ],
            "dates": dates,
            "load": [
                {**one, **named(str(one["station"]))}
                for one in floor.load(self.panes, self.past, self._known)
            ],
            "hitRate": kept.hit_rate(self.time, self.now),
            "whatIf": self._what_if(what_if, leads, promised)
            if what_if and dates
            else None,
        }

    @property
    def _known(self) -> set[str]:
        """The stations of which enough is known."""
        return {
            station
            for station, visits in self.past.visits.items()
            if visits >= LEAST_VISITS
        }

    def _visits(self, station: str) -> int:
        return self.past.visits.get(station, 0)

    def _reason(
        self, few: Sequence[str], count: int, *, is_finished: bool
    ) -> Reason | None:
        if is_finished:
            return Reason.FINISHED
        if self.panes.is_empty():
            has_none = not count or not self.panes.without_route
            return Reason.NO_PANES if has_none else Reason.NO_ROUTE
        return Reason.FEW_SCANS if few else None

    def _is_rough(self) -> bool:
        """Whether few panes have taken one of the routes."""
        routes = self.past.routes
        return any(routes.get(route, 0) < LEAST_OF_ROUTE for route in self.panes.routes)

    def _leads(
        self, what_if: WhatIf, orders: Iterable[str]
    ) -> dict[str, dict[int, float]]:
        """Return the working time (s) in which each order is finished, for each of the odds."""
        now = self.elapsed.at(self.now)
        simulated = floor.simulated(
            self.panes,
            self.past,
            self._known,
            now=now,
            day_s=self.time.day_s,
            more_at=str(what_if.station) if what_if.station else None,
            first=what_if.first,
        )
        run = Forecast(simulated, [*orders])
        with time_limit.paused():
            for _ in yielding(run.steps()):
                pass
        return {
            order: {odds: run.ended_by(order, odds) - now for odds in ODDS}
            for order in run.ends
        }

    def _day(self, lead_s: float, what_if: WhatIf) -> date | None:
        if lead_s == inf:
            return None
        return self.time.day_after(
            self.now,
            lead_s,
            longer_days=what_if.extra_shifts,
            longer_s=self.time.day_s,
        )

    def _dates(
        self, leads: Mapping[int, float], what_if: WhatIf
    ) -> dict[str, datetime] | None:
        """Return the ends of the days on which these leads end; None if one is too far."""
        days = {name: self._day(leads[odds], what_if) for name, odds in SHOWN.items()}
        return (
            {name: self.time.end_of_day(day) for name, day in days.items() if day}
            if all(days.values())
            else None
        )

    def _what_if(
        self,
        what_if: WhatIf,
        before: Mapping[str, Mapping[int, float]],
        promised: Mapping[str, Raw],
    ) -> dict[str, Any]:
        """Return the dates if something were otherwise, and which promises would not hold.

        `before` are the leads as things are, `promised` the orders with their dates.
        """
        then = self._leads(what_if, before)
        late = []
        for order, row in promised.items():
            was, day = (
                self._day(leads[order][PROMISED_AT], one)
                for leads, one in ((before, WhatIf()), (then, what_if))
            )
            if self._is_late(day, row["promisedAt"]):
                end = day and self.time.end_of_day(day)
                was_late = self._is_late(was, row["promisedAt"])
                late.append({**row, "expectedAt": end, "wasLate": was_late})
        late.sort(key=lambda one: (one["wasLate"], one["promisedAt"]))
        return {"dates": self._dates(then[ASKED], what_if), "late": late}

    def _is_late(self, day: date | None, promised_at: datetime) -> bool:
        promised = calendar.in_zone(promised_at, self.time.zone).date()
        return day is None or day > promised

    def _promised(self) -> dict[str, dict[str, Any]]:
        """Return the orders of others that are on the floor and have a promised date."""
        works = (*self.panes.works, *self.panes.units.values())
        keys = {work.order for work in works} - {ASKED, ""}
        orders = lookup.by_id(Order, map(ObjectId, keys), ("orderNumber", "request"))
        wanted = ("expectedDeliveryDate", "deadline")
        requests = lookup.referred(Request, orders.values(), "request", wanted)
        found = {}
        for order, row in orders.items():
            request: Raw = requests.get(row.get("request"), {})
            if at := request.get("expectedDeliveryDate") or request.get("deadline"):
                found[str(order)] = {
                    "order": order,
                    "orderNumber": row.get("orderNumber"),
                    "promisedAt": at,
                }
        return found
