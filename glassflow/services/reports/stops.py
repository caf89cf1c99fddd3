"""Stops: how long machines stood, and what people were called for, by station and kind."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from statistics import median
from typing import Any

from glassflow.domain.calls import CallEnding
from glassflow.domain.working_time import WorkingTimes
from glassflow.models.call import Call
from glassflow.models.station import Station
from glassflow.services import working_hours
from glassflow.services.records import lookup
from glassflow.services.reports.period import Period

FIELDS = (
    "station", "kind", "machineStands", "calledAt", "takenAt", "endedAt", "ending",
)  # fmt: skip
Row = Mapping[str, Any]


def read(days: int) -> dict[str, Any]:
    """Add up the calls of the last days, today included; what stood longest comes first.

    Times are in seconds, those of stops in the working time of their stations. A stop that
    its shift ended is counted, and not its time, which nobody knows; one that lasts counts
    until now. Three queries.
    """
    period = Period.of_last(days)
    now, since = period.now, period.span.start
    found = Call.collection().find({"calledAt": {"$gte": since}}, list(FIELDS))
    groups: dict[tuple[Any, str], list[Row]] = defaultdict(list)
    for row in found:
        groups[row["station"], row["kind"]].append(row)
    times = working_hours.times()
    names = lookup.field_of(Station, "name", [station for station, _ in groups])
    rows = [
        {
            "station": station,
            "stationName": names.get(station),
            "kind": kind,
            **_sums(calls, now, times),
        }
        for (station, kind), calls in groups.items()
    ]
    rows.sort(key=_most_first)
    everything = [row for calls in groups.values() for row in calls]
    return {
        "days": days,
        "since": since,
        "rows": rows,
        "totals": _sums(everything, now, times),
    }


def _most_first(row: Row) -> tuple[Any, ...]:
    name = row["stationName"] or ""
    return -row["stoppedSeconds"], -row["calls"], name, row["kind"]


def _sums(calls: Iterable[Row], now: datetime, times: WorkingTimes) -> dict[str, Any]:
    rows = list(calls)
    stops = [row for row in rows if row.get("machineStands")]
    timed = [row for row in stops if row.get("ending") != CallEnding.SHIFT]
    stood = (
        times.of(row["station"]).seconds(row["calledAt"], row.get("endedAt") or now)
        for row in timed
    )
    waited = [
        (row["takenAt"] - row["calledAt"]).total_seconds()
        for row in rows
        if row.get("takenAt")
    ]
    return {
        "calls": len(rows),
        "stops": len(stops),
        "stoppedSeconds": round(sum(stood)),
        "openEnded": len(stops) - len(timed),
        "waitedSeconds": round(median(waited)) if waited else None,
    }
