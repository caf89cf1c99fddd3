"""What the last weeks say of the stations, and of the urgent work that came.

A process reads it once a day, up to the day before: of 300 panes a day it takes 1.9 s, where a
forecast takes one.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
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
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.services.records import lookup

DAYS = 30  # working days
AT_ONCE = 500  # logs
ENDS = (*LEAVING, Action.QC_FAIL)
BEGINS = (Action.COMPLETE, LogAction.LAMINATE_START)
_OF_END = (
    "action", "station", "pane", "order", "arrivedAt", "occurredAt", "createdAt",
    "takenInAt",
)  # fmt: skip
_OF_URGENT = ("order", "remakeOf", "routing", "laminateRole")


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
    elapsed = ElapsedTime(time, *span)
    visits, routes = _visits(span, elapsed, time)
    return Past(
        since=since,
        length_s=elapsed.at(span.end),
        visits={station: len(found) for station, found in visits.items()},
        stations={station: learn(found) for station, found in yielding(visits.items())},
        routes=routes,
        urgent=_urgent(span, elapsed),
    )


def _visits(
    span: Span, elapsed: ElapsedTime, time: WorkingTime
) -> tuple[Mapping[str, Sequence[Visit]], Mapping[Route, int]]:
    """Return the visits of each station, and the routes of the panes that were finished."""
    began = {
        (log["pane"], log.get("station")): elapsed.at(log["startedAt"])
        for action in BEGINS
        for log in _logs(action, span, ("pane", "station", "startedAt"))
        if log.get("startedAt")
    }
    corrections = _logs(LogAction.CORRECTION, span, ("undone",))
    undone = {one["_id"] for log in corrections for one in log.get("undone") or ()}
    visits: dict[str, list[Visit]] = defaultdict(list)
    passed: dict[ObjectId, list[tuple[float, str]]] = defaultdict(list)
    finished: set[ObjectId] = set()
    for action in ENDS:
        for log in _logs(action, span, _OF_END):
            if log["_id"] in undone or not log.get("station"):
                continue
            at = log.get("occurredAt") or log["createdAt"]
            station, pane, left = str(log["station"]), log["pane"], elapsed.at(at)
            if arrived_at := log.get("arrivedAt"):
                arrived = elapsed.at(released(arrived_at, log.get("order")))
                begun = began.get((pane, log["station"]))
                if begun is not None and not arrived <= begun <= left:
                    begun = None  # of another visit
                failed = action == Action.QC_FAIL
                day = calendar.local_date(at, time.zone)
                visits[station].append(
                    Visit(min(arrived, left), begun, left, day, failed)
                )
            passed[pane].append((left, station))
            if log.get("takenInAt"):
                finished.add(pane)
    routes = Counter(
        tuple(station for _, station in sorted(passed[pane])) for pane in finished
    )
    return visits, routes


def _logs(action: Action | LogAction, span: Span, fields: Sequence[str]) -> Any:
    created = {"$gte": span.start, "$lt": span.end}
    query = {"action": str(action), "createdAt": created}
    found = PaneLog.collection().find(query, dict.fromkeys(fields, 1))
    # in an order of the index, and so many at once as a process decodes in 3 ms
    return yielding(found.sort([("createdAt", 1), ("_id", 1)]).batch_size(AT_ONCE))


def released(arrived_at: datetime, order: ObjectId | None) -> datetime:
    """Return when a pane that had arrived could be worked on: not before its order was made."""
    return max(arrived_at, made_at(order)) if order else arrived_at


def made_at(record: ObjectId) -> datetime:
    """Return when a record was made, as its id says, in naive UTC."""
    return record.generation_time.replace(tzinfo=None)


def _urgent(span: Span, elapsed: ElapsedTime) -> Sequence[Urgent]:
    """Return the panes of urgent orders, and the remakes, that were made in a time."""
    start, end = map(ObjectId.from_datetime, span)
    query = {"_id": {"$gte": start, "$lt": end}}
    found = Pane.collection().find(query, dict.fromkeys(_OF_URGENT, 1)).sort("_id", 1)
    found.batch_size(AT_ONCE)
    rows = [
        row
        for row in yielding(found)
        if row.get("laminateRole") != LaminateRole.PARENT
        and row.get("routing")
        and (row.get("order") or row.get("remakeOf"))
    ]
    priorities = lookup.field_of(Order, "priority", (row.get("order") for row in rows))
    return sorted(
        Urgent(
            elapsed.at(released(made_at(row["_id"]), row.get("order"))),
            tuple(map(str, row["routing"])),
        )
        for row in rows
        if priority_of(row, priorities.get(row.get("order")))
    )


def priority_of(pane: Raw, of_order: float | None) -> float:
    """Return how urgent a pane is: as its order, and at least 1 where it is a remake."""
    return max(of_order or 0, 1 if pane.get("remakeOf") else 0)
