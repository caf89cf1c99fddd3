"""What the last weeks say of the stations, and of the urgent work that came.

A process reads it once a day, up to the day before: of 300 panes a day it takes 1.9 s, where a
forecast takes one.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from bson import ObjectId
from cachetools import FIFOCache
from mongoengine.connection import get_db

from glassflow.core.process.cooperative import yielding
from glassflow.domain import calendar
from glassflow.domain.aliases import Raw
from glassflow.domain.calendar import Span
from glassflow.domain.daily_figures import LEAVING
from glassflow.domain.forecast import Route, Station, Urgent, Visit, learn
from glassflow.domain.panes.status import Action, LaminateRole, LogAction
from glassflow.domain.working_time import ElapsedTime, WorkingTime
from glassflow.models.base import Record
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog

DAYS = 30  # working days
AT_ONCE = 500  # logs
ENDS = (*LEAVING, Action.QC_FAIL)
BEGINS = (Action.COMPLETE, LogAction.LAMINATE_START)
_OF_END = (
    "action", "station", "pane", "order", "arrivedAt", "occurredAt", "createdAt",
    "takenInAt",
)  # fmt: skip
_OF_URGENT = ("createdAt", "order", "remakeOf", "routing", "laminateRole")


@dataclass(frozen=True, slots=True)
class Past:
    """The last working days: what is known of each station, and which panes were urgent.

    They began at `since` and have `length_s` of working time. `visits` and `routes` are how
    many panes passed each station, and which stations one after the other.
    """

    since: datetime
    length_s: float
    visits: Mapping[str, int]
    stations: Mapping[str, Station]
    routes: Mapping[Route, int]
    urgent: Sequence[Urgent]


# By the database, the day and the hours that count: two applications may share a process.
_read: FIFOCache[Any, Past] = FIFOCache(2)


def read(time: WorkingTime, now: datetime) -> Past:
    """Return the last `DAYS` working days before today, from the logs and the panes.

    If this process has not read them today: a query for each action, by its index, and two.
    """
    today = calendar.in_zone(now, time.zone).date()
    key = (get_db().name, today, *time.periods)
    found = _read.get(key)
    if found is None:
        found = _read[key] = _read_before(today, time)
    return found


def forget() -> None:
    """Read again what this process has read; for tests."""
    _read.clear()


def _read_before(today: date, time: WorkingTime) -> Past:
    since = calendar.day_span(time.working_day(today, -DAYS), time.zone).start
    span = Span(since, calendar.day_span(today, time.zone).start)
    reader = _Reader(span, time)
    visits, routes = reader.visits()
    return Past(
        since=since,
        length_s=reader.elapsed.at(span.end),
        visits={station: len(found) for station, found in visits.items()},
        stations={station: learn(found) for station, found in yielding(visits.items())},
        routes=routes,
        urgent=reader.urgent(),
    )


class _Reader:
    """Reads what happened between two moments."""

    def __init__(self, span: Span, time: WorkingTime) -> None:
        self.time, self.elapsed = time, ElapsedTime(time, *span)
        self.created = {"$gte": span.start, "$lt": span.end}
        # the panes of earlier orders could be worked on before
        found = self._read(Order, ("createdAt", "priority"))
        self.orders = {row["_id"]: row for row in found}

    def _read(
        self, model: type[Record], fields: Sequence[str], **where: str
    ) -> Iterator[Raw]:
        """Read records in the order of an index, as many at once as are decoded in 3 ms."""
        query = {**where, "createdAt": self.created}
        found = model.collection().find(query, dict.fromkeys(fields, 1))
        return yielding(found.sort([("createdAt", 1), ("_id", 1)]).batch_size(AT_ONCE))

    def _logs(self, action: Action | LogAction, fields: Sequence[str]) -> Iterator[Raw]:
        return self._read(PaneLog, fields, action=str(action))

    def visits(self) -> tuple[Mapping[str, Sequence[Visit]], Mapping[Route, int]]:
        """Return the visits of each station, and the routes of panes that were finished."""
        began = {
            (log["pane"], log.get("station")): log["startedAt"]
            for action in BEGINS
            for log in self._logs(action, ("pane", "station", "startedAt"))
            if log.get("startedAt")
        }
        corrections = self._logs(LogAction.CORRECTION, ("undone",))
        undone = {one["_id"] for log in corrections for one in log.get("undone") or ()}
        visits: dict[str, list[Visit]] = defaultdict(list)
        passed: dict[ObjectId, list[tuple[float, str]]] = defaultdict(list)
        finished: set[ObjectId] = set()
        for log in (log for action in ENDS for log in self._logs(action, _OF_END)):
            if log["_id"] in undone or not log.get("station"):
                continue
            station = str(log["station"])
            visit = self._visit(log, began.get((log["pane"], log["station"])))
            if log.get("arrivedAt"):
                visits[station].append(visit)
            passed[log["pane"]].append((visit.left, station))
            if log.get("takenInAt"):
                finished.add(log["pane"])
        routes: Counter[Route] = Counter()
        for pane in yielding(finished):
            routes[tuple(station for _, station in sorted(passed[pane]))] += 1
        return visits, routes

    def _visit(self, log: Raw, began_at: datetime | None) -> Visit:
        """Return the visit that ended with a log; `began_at` may be of another one."""
        at: datetime = log.get("occurredAt") or log["createdAt"]
        order = self.orders.get(log.get("order"))
        left = self.elapsed.at(at)
        arrived = self.elapsed.at(released(log.get("arrivedAt") or at, order))
        begun = self.elapsed.at(began_at) if began_at else None
        return Visit(
            arrived=min(arrived, left),
            begun=begun if begun is not None and arrived <= begun <= left else None,
            left=left,
            day=calendar.local_date(at, self.time.zone),
            failed=log["action"] == Action.QC_FAIL,
        )

    def urgent(self) -> Sequence[Urgent]:
        """Return the panes of urgent orders, and the remakes, that were made."""
        found = []
        for row in self._read(Pane, _OF_URGENT):
            order = self.orders.get(row.get("order"))
            is_urgent = priority_of(row, order) > 0 and row.get("routing")
            if is_urgent and row.get("laminateRole") != LaminateRole.PARENT:
                at = self.elapsed.at(released(row["createdAt"], order))
                found.append(Urgent(at, tuple(map(str, row["routing"]))))
        return sorted(found)


def released(arrived_at: datetime, order: Raw | None) -> datetime:
    """Return when a pane that had arrived could be worked on: not before its order was made."""
    return max(arrived_at, order["createdAt"]) if order else arrived_at


def priority_of(pane: Raw, order: Raw | None) -> float:
    """Return how urgent a pane is: as its order, and at least 1 where it is a remake."""
    of_order = order.get("priority") if order else 0
    return max(of_order or 0, 1 if pane.get("remakeOf") else 0)
