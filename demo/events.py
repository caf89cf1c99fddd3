"""The events of the day: which of them each screen must have received, and from what.

The service's event log says which events were sent to which rooms. What the log itself
must contain follows from the answers to scans and from the versions of the records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Set
from typing import Any, NamedTuple

from demo.client import Api, Record
from demo.panes import Scan, scan_of

EVERYBODY = "everybody"  # the room of every connected client
LOG_PAGE = 1000  # events in an answer
#: The name of an event -> what is counted of it, as `report.COLUMNS` names it.
EventCounts = dict[str, Counter[str]]


class LoggedEvent(NamedTuple):
    """An event of the log: its name, and the rooms that it was sent to."""

    name: str
    rooms: frozenset[str]


#: Events by their numbers.
Log = dict[int, LoggedEvent]


class Received:
    """What one screen has received; `add` is called with each event.

    `events` counts the numbers of the events, `versions` the versions of each record, by
    its id, `scans` the scans by the ids of the pane and of the log.
    """

    def __init__(self) -> None:
        self.events: Counter[int] = Counter()
        self.versions: dict[str, Counter[int]] = {}
        self.scans: Counter[Scan] = Counter()
        self.alerts: dict[str, int] = {}  # message -> number of the event

    def add(self, event: str, payload: Any, metadata: Mapping[str, Any]) -> None:
        """Count one event."""
        seq = int(metadata["seq"])
        if event == "system_alert":
            self.alerts[payload["message"]] = seq
        elif event == "log:updated" and payload["action"] == "pane_scanned":
            self.scans[scan_of(payload["data"]["paneLog"])] += 1
        elif event.endswith(":updated"):
            record = payload.get("data") or {}
            if "version" in record:
                versions = self.versions.setdefault(record["_id"], Counter())
                versions[record["version"]] += 1
        self.events[seq] += 1


def read_log(api: Api, after: int, last: int, room: str = "") -> Log:
    """Read the events with the numbers `after` + 1 to `last` that a login may receive.

    With `room` only those of this room.
    """
    log: Log = {}
    query: dict[str, Any] = {"limit": LOG_PAGE} | ({"room": room} if room else {})
    while after < last:
        page = api.read("/api/events", after=after, **query)
        for row in page.data:
            log[row["seq"]] = LoggedEvent(row["event"], frozenset(row["rooms"]))
        if page.body["seq"] == after:
            break
        after = page.body["seq"]
    return {seq: event for seq, event in log.items() if seq <= last}


def merged(logs: Iterable[Log]) -> Log:
    """The log of several logins, each of which sees other rooms of an event."""
    result: Log = {}
    for log in logs:
        for seq, event in log.items():
            known = result.get(seq, event)
            result[seq] = LoggedEvent(event.name, known.rooms | event.rooms)
    return result


def compare(received: Received, rooms: Set[str], log: Log) -> EventCounts:
    """Compare what a screen has received with what was sent to its rooms."""
    counts: EventCounts = {}
    for seq, event in log.items():
        expected = int(not rooms.isdisjoint(event.rooms))
        difference = received.events[seq] - expected
        if expected or difference:
            count = counts.setdefault(event.name, Counter())
            count["expected"] += expected
            count["missing"] += max(0, -difference)
            count["too many"] += max(0, difference)
    return counts


def unannounced(received: Received, records: Iterable[Record]) -> list[str]:
    """One line for each record of which a version was not announced, or announced twice."""
    return [
        f"{record['_id']} has version {record['version']}, announced were"
        f" {sorted(versions.elements())}"
        for record in records
        if (versions := received.versions.get(record["_id"], Counter()))
        != Counter(range(1, record["version"] + 1))
    ]
