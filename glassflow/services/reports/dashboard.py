"""The figures of the dashboard: counts of the present, and the daily figures."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from glassflow import runtime
from glassflow.core.events import event_log
from glassflow.core.process import clock
from glassflow.core.process.json import iso
from glassflow.domain import calendar
from glassflow.domain.aliases import May
from glassflow.domain.daily_figures import (
    BY_HOUR,
    BY_STATION,
    FINISHED,
    REQUESTS,
    TAKEN_IN,
    hour_of,
)
from glassflow.domain.panes.status import OPEN
from glassflow.models.base import Record
from glassflow.models.claim import Claim
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.models.station import IN_ORDER, Station
from glassflow.models.withdrawal import Withdrawal
from glassflow.services import daily_figures
from glassflow.services.daily_figures import Figures
from glassflow.services.reports import to_do
from glassflow.services.stock import low_stock

OPEN_STATUSES = sorted(map(str, OPEN))


class Range(NamedTuple):
    """The time that a chart shows: when its steps begin, and how many they are."""

    steps_of: Callable[..., list[datetime]]
    steps: int

    @property
    def by_hour(self) -> bool:
        """Whether its steps are hours; else they are days."""
        return self.steps_of is calendar.hour_starts


RANGES: Mapping[str, Range] = {
    "1d": Range(calendar.hour_starts, 24),
    "7d": Range(calendar.day_starts, 7),
    "30d": Range(calendar.day_starts, 30),
}


def stats(*, chart_range: str, may: May) -> dict[str, Any]:
    """Return counts by status, by station and over time, and the low materials.

    Of panes only the open ones are counted. `chart_range` is a key of `RANGES`. `may` tells
    whether the caller holds a key; what they could not read elsewhere is None.
    """
    sees_requests = may("requests:view")
    sees_withdrawals = may("withdrawals:view")
    sees_stock = may("materials:view") and may("inventory:view")
    shown = RANGES[chart_range]
    days = 2 if shown.by_hour else shown.steps
    figures = daily_figures.read(days, event_log.last(), (*BY_HOUR, *BY_STATION))
    return {
        "requests": by_status(Request, "status") if sees_requests else None,
        "orders": by_status(Order, "status"),
        "panes": by_status(Pane, "currentStatus", OPEN_STATUSES),
        "claims": by_status(Claim, "status") if may("claims:view") else None,
        "withdrawals": by_status(Withdrawal, "status") if sees_withdrawals else None,
        "stations": _stations(_done(figures, shown, may)),
        "lowStock": _low_stock() if sees_stock else None,
        "toDo": to_do.read(may),
        "chartRange": chart_range,
        "chart": _chart(figures, shown, requests=sees_requests),
    }


def by_status(
    model: type[Record], field: str, statuses: Iterable[str] = ()
) -> dict[str, Any]:
    """Return `{total, byStatus}` of the records of a kind, without a status of none.

    Of these statuses, or of all. A count for each, which an index answers; a `$group`
    reads every record.
    """
    collection = model.collection()
    choices = next(f.choices for f in model._fields.values() if f.db_field == field)
    counts = {
        status: collection.count_documents({field: status})
        for status in statuses or map(str, choices)
    }
    found = {status: count for status, count in counts.items() if count}
    return {"total": sum(found.values()), "byStatus": found}


def _done(
    figures: Figures, shown: Range, may: May
) -> Mapping[str, Mapping[str, int]] | None:
    """Return what each station did on the days of a chart; of its 24 hours, today."""
    if not may("pane_logs:view"):
        return None
    days = 1 if shown.by_hour else shown.steps
    return figures.of_stations(since=figures.last(days))


def _stations(done: Mapping[str, Mapping[str, int]] | None) -> list[dict[str, Any]]:
    """List the stations in their order, with their open panes and what they did.

    Only open panes are at a station. A count for each station, which an index answers.
    """
    found = Station.collection().find({}, {"name": 1, "status": 1}).sort(IN_ORDER)
    count = Pane.collection().count_documents
    return [
        {
            "station": row["_id"],
            "name": row["name"],
            "status": row.get("status"),
            "panes": count({"currentStation": row["_id"]}),
            "figures": None
            if done is None
            else _figures(done.get(str(row["_id"]), {})),
        }
        for row in found
    ]


def _figures(counts: Mapping[str, int]) -> dict[str, int]:
    return {name: counts.get(name, 0) for name in BY_STATION}


def _low_stock() -> list[dict[str, Any]]:
    return [
        {
            "material": row["_id"],
            "name": row["name"],
            "quantity": left,
            "reorderPoint": row["reorderPoint"],
        }
        for row, left in low_stock.shortages()
    ]


def _chart(figures: Figures, shown: Range, *, requests: bool) -> list[dict[str, Any]]:
    """Return the panes that were taken in and finished, and with `requests` these too.

    The days and hours are those of the setting TIMEZONE.
    """
    zone = runtime.current().policy.timezone
    series = {"panesCreated": TAKEN_IN, "panesCompleted": FINISHED}
    series |= {"requestsCreated": REQUESTS} if requests else {}

    def counted(counter: str, moment: datetime) -> int:
        day = calendar.local_date(moment, zone)
        if shown.by_hour:
            return figures.of_hour(counter, day, hour_of(moment, zone))
        return figures.of_day(counter, day)

    return [
        {
            "from": iso(moment),
            "requestsCreated": None,
            **{name: counted(counter, moment) for name, counter in series.items()},
        }
        for moment in shown.steps_of(clock.now(), zone, shown.steps)
    ]
