"""How many panes left each station today, and how long panes stay there, in memory.

Each process counts for itself: at first from the logs of the last 30 days, then from the
events of later scans, which it reads from the event log when it is asked. So a scan
writes nothing for it, a question costs two round trips, and all processes agree on the
figures at an event's number.
"""

import threading
from bisect import insort
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import orjson
from mongoengine.connection import get_db

from glassflow import runtime
from glassflow.core.events import event_log
from glassflow.core.process import clock, deadlines
from glassflow.core.process.background_read import BackgroundRead, StillReading
from glassflow.core.process.cooperative import yielding
from glassflow.core.process.json import parse_iso
from glassflow.domain import calendar
from glassflow.domain.errors import Busy
from glassflow.domain.panes.status import Action, LogAction
from glassflow.domain.stays import Stay, summarize
from glassflow.models.pane_log import PaneLog

# With these scans a pane is done at its station; a failed one was not handed on.
LEAVING = frozenset({Action.SCAN_OUT, Action.QC_PASS})
STAY_DAYS = 30
EVENT = "log:updated"
# Logs of the last minutes are counted by their events, because those of some may be
# published later; older ones by the logs themselves.
UNPUBLISHED = timedelta(minutes=10)
MAX_BEHIND = 20_000  # events; beyond that it is quicker to count the logs again


class Exit(NamedTuple):
    """A pane that left a station: when, and after how many seconds (None: not known).

    `undone`: it came back, because the scan with which it left has been undone.
    """

    station: str
    at: datetime
    stay_s: float | None
    undone: bool = False


class StationFigures(NamedTuple):
    """What is known of a station: panes that left it today, and how long panes stay."""

    out_today: int
    stay: Stay


@dataclass(slots=True)
class _Station:
    out: dict[datetime, int] = field(default_factory=lambda: defaultdict(int))
    # in seconds, by day and all together in their order
    stays: dict[datetime, list[float]] = field(
        default_factory=lambda: defaultdict(list)
    )
    sorted_stays: list[float] = field(default_factory=list)

    def add(self, day: datetime, stay_s: float | None) -> None:
        self.out[day] += 1
        if stay_s is not None:
            self.stays[day].append(stay_s)
            insort(self.sorted_stays, stay_s)

    def take_back(self, day: datetime) -> None:
        """Count a pane that came back; how long it had stayed remains counted."""
        self.out[day] -= 1

    def forget_before(self, day: datetime) -> None:
        for counts in (self.out, self.stays):
            for old in [one for one in counts if one < day]:
                del counts[old]
        if len(self.sorted_stays) != sum(map(len, self.stays.values())):
            self.sorted_stays = sorted(s for one in self.stays.values() for s in one)


class Throughput:
    """The figures of all stations up to an event, for the days of one time zone."""

    def __init__(self, zone: ZoneInfo, retention: timedelta) -> None:
        self._zone = zone
        self._retention = retention
        self._lock = threading.Lock()
        self._stations: dict[str, _Station] = {}
        self._position = 0  # the number of the last event that is counted
        self._read_at: datetime | None = None
        self._counted_before = datetime.min  # logs before it are not counted by events

    def read(self) -> tuple[int, dict[str, StationFigures]]:
        """Return the number of the newest event, and the figures up to it."""
        with self._lock:
            now = clock.now()
            if self._read_at is None or now - self._read_at > self._retention / 2:
                self._count_logs(event_log.last(), now)
            else:
                self._catch_up(event_log.last(self._position), now)
            self._read_at = now
            return self._position, self._figures(now)

    def _catch_up(self, last: int, now: datetime) -> None:
        if last - self._position > MAX_BEHIND:
            self._count_logs(last, now)
        elif last > self._position:
            events = event_log.named(EVENT, after=self._position, upto=last)
            self._add(exits_of(events))
            self._position = last

    def _count_logs(self, last: int, now: datetime) -> None:
        """Count everything again: old logs by themselves, the newest by their events."""
        self._stations = {}
        self._counted_before = now - min(UNPUBLISHED, self._retention / 2)
        since = calendar.day_start(now, self._zone, 1 - STAY_DAYS)
        self._add(_stored_exits(since, self._counted_before), stored=True)
        recent = event_log.since(self._counted_before - timedelta(minutes=1), EVENT)
        self._add(exits_of(event for event in recent if event.seq <= last))
        self._position = last

    def _add(self, exits: Iterable[Exit], *, stored: bool = False) -> None:
        for one in yielding(exits):
            if stored or one.at >= self._counted_before:
                day = calendar.day_start(one.at, self._zone)
                station = self._stations.setdefault(one.station, _Station())
                if one.undone:
                    station.take_back(day)
                else:
                    station.add(day, one.stay_s)

    def _figures(self, now: datetime) -> dict[str, StationFigures]:
        today = calendar.day_start(now, self._zone)
        first = calendar.day_start(now, self._zone, 1 - STAY_DAYS)
        for station in self._stations.values():
            station.forget_before(first)
        return {
            # a pane may come back after midnight
            name: StationFigures(
                max(0, one.out.get(today, 0)), summarize(one.sorted_stays)
            )
            for name, one in self._stations.items()
        }


def _stored_exits(since: datetime, before: datetime) -> Iterable[Exit]:
    query = {
        "action": {"$in": sorted(map(str, (*LEAVING, LogAction.CORRECTION)))},
        "createdAt": {"$gte": since, "$lt": before},
    }
    shown = {
        "action": 1,
        "station": 1,
        "createdAt": 1,
        "arrivedAt": 1,
        "undoneAction": 1,
    }
    for row in PaneLog._get_collection().find(query, shown, batch_size=1000):
        if _is_exit(row):
            yield _exit(row, row["station"], row["createdAt"], row.get("arrivedAt"))


def exits_of(events: Iterable[event_log.Event]) -> Iterable[Exit]:
    """Return the panes that left a station by the scans of `log:updated` events."""
    for event in events:
        data = orjson.loads(event.payload).get("data")
        log = data.get("paneLog") if isinstance(data, dict) else None
        if not log or not _is_exit(log):
            continue
        station, arrived = log["station"], log.get("arrivedAt")
        yield _exit(
            log,
            station["_id"] if isinstance(station, dict) else station,
            parse_iso(log["createdAt"]),
            parse_iso(arrived) if arrived else None,
        )


def _is_exit(log: Mapping[str, Any]) -> bool:
    """Return whether a log is that of a scan with which a pane left, or of its undoing."""
    action = log.get("undoneAction") or log.get("action")
    return action in LEAVING and log.get("station") is not None


def _exit(
    log: Mapping[str, Any], station: Any, left: datetime, arrived: datetime | None
) -> Exit:
    stay_s = max(0.0, (left - arrived).total_seconds()) if arrived else None
    return Exit(str(station), left, stay_s, undone=bool(log.get("undoneAction")))


_kept: dict[Any, Throughput] = {}


def read_throughput() -> tuple[int, Mapping[str, StationFigures]]:
    """Return the number of the newest event, and the figures of stations up to it.

    By station id; a station that no pane has left is missing. Raises `Busy` if that takes
    too long, as the first count of many logs may; it goes on meanwhile.
    """
    try:
        return _start_reading().result(deadlines.FIGURES_WAIT_S)
    except StillReading:
        raise Busy from None


def warm_up() -> None:
    """Begin to count, in the background: the first board of a process need not wait.

    Where that fails, the first board counts.
    """
    _start_reading()


def _start_reading() -> BackgroundRead[tuple[int, dict[str, StationFigures]]]:
    current = runtime.current()
    zone = current.policy.timezone
    key = (get_db(), zone.key, current.event_retention)
    throughput = _kept.setdefault(key, Throughput(zone, current.event_retention))
    reading = BackgroundRead("throughput", throughput.read)
    reading.start()
    return reading


def forget() -> None:
    """Forget all figures, as a new process knows none."""
    _kept.clear()
