"""The panes of the day: what is known of each, and the station where it waits."""

from __future__ import annotations

import itertools
import queue
import re
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from demo.client import Record
from demo.events import id_of
from demo.plan import Fault

REMOVED = frozenset({"defected", "merged_into", "cancelled"})
QUEUE_POLL_S = 0.2


@dataclass
class TrackedPane:
    """One pane, as the service last described it.

    `fault` is a fault that has not been applied yet. `claim_pending` says that a claim
    blocks it, `written_off` that an approved claim removed it from its order's count.
    """

    index: int
    id: str
    number: str
    qr_code: str
    order: str
    assigned_to: str
    fault: Fault | None = None
    route: tuple[str, ...] = ()
    station: str = ""
    status: str = ""
    route_index: int = 0
    unit: Unit | None = None
    claim_pending: bool = False
    written_off: bool = False

    @property
    def finished(self) -> bool:
        """True if the pane is completed and counts for its order."""
        return self.status == "completed" and not self.written_off

    @property
    def removed(self) -> bool:
        """True for scrap and merged sheets, which do not count any more."""
        return self.written_off or self.status in REMOVED

    @property
    def workable(self) -> bool:
        """True if the pane has steps left and no claim blocks it."""
        return not (self.finished or self.removed or self.claim_pending)

    @property
    def settled(self) -> bool:
        """True if nothing more is to be done with the pane."""
        ended = self.finished or self.removed
        return ended and not self.claim_pending and not self.fault

    def update(self, pane: Record) -> None:
        """Take over the record of the pane."""
        self.station = id_of(pane["currentStation"])
        self.status = pane["currentStatus"]
        self.route_index = int(pane.get("routeIndex") or 0)
        self.route = tuple(map(id_of, pane["routing"] or ()))
        if self.status == "merged_into":  # a merged sheet cannot get a fault any more
            self.fault = None

    def leave_unit(self) -> None:
        """A sheet with a fault is not present in its unit any more."""
        if self.unit:
            self.unit.present.pop(self.number, None)


@dataclass
class Unit:
    """A unit that is still to be laminated: its parent and its sheets.

    `present` holds the sheets that were scanned in at the lamination station, by number.
    """

    index: int
    id: str
    number: str
    sheet_count: int
    fault: Fault | None = None
    present: dict[str, TrackedPane] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """True if all sheets are present."""
        return len(self.present) == self.sheet_count


class Panes:
    """All panes of the day, and a queue of workable panes for each station.

    A pane without a station may be worked anywhere: the stations get them in turn.
    """

    def __init__(self, station_ids: Mapping[str, str]) -> None:
        """`station_ids` is station name -> id."""
        self.all: list[TrackedPane] = []
        self.queues = {name: queue.Queue[TrackedPane]() for name in station_ids}
        self._names = {station: name for name, station in station_ids.items()}
        self._any_station = itertools.cycle(station_ids)
        self._units: dict[str, Unit] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self.all)

    def unsettled(self) -> list[TrackedPane]:
        """The panes with which something is still to be done."""
        return [pane for pane in self.all if not pane.settled]

    def enqueue(self, pane: TrackedPane) -> None:
        """Put a pane into the queue of its station, unless it is not workable."""
        if pane.workable:
            any_station = next(self._any_station)
            name = self._names[pane.station] if pane.station else any_station
            self.queues[name].put(pane)

    def take(self, name: str, limit: int) -> list[TrackedPane]:
        """Take up to `limit` panes that wait at a station; raises `queue.Empty`."""
        waiting = self.queues[name]
        panes = [waiting.get(timeout=QUEUE_POLL_S)]
        while len(panes) < limit and not waiting.empty():
            panes.append(waiting.get_nowait())
        return panes

    def add(
        self, records: Iterable[Record], assigned_to: str, faults: Sequence[Fault] = ()
    ) -> None:
        """Track new panes, parents before their sheets, and enqueue them.

        The i-th pane or unit gets the i-th fault. Known panes are skipped, and a parent
        becomes a `Unit` instead of a pane.
        """
        remaining = list(faults)
        added = []
        with self._lock:
            known = {pane.id for pane in self.all} | self._units.keys()
            for record in sorted(records, key=by_number):
                if record["_id"] in known:
                    continue
                fault = None
                if record["laminateRole"] != "sheet" and remaining:
                    fault = remaining.pop(0)
                if record["laminateRole"] == "parent":
                    self._add_unit(record, fault)
                else:
                    added.append(self._add_pane(record, assigned_to, fault))
        for pane in added:
            self.enqueue(pane)

    def _add_unit(self, parent: Record, fault: Fault | None) -> None:
        sheets = int(parent["rawGlass"]["sheetsPerPane"])
        self._units[parent["_id"]] = Unit(
            len(self._units), parent["_id"], parent["paneNumber"], sheets, fault
        )

    def _add_pane(
        self, record: Record, assigned_to: str, fault: Fault | None
    ) -> TrackedPane:
        unit = self._units.get(id_of(record.get("parentPane")))
        if unit and unit.fault and unit.fault.on_sheet:  # the first sheet gets it
            fault, unit.fault = unit.fault, None
        pane = TrackedPane(
            index=len(self.all),
            id=record["_id"],
            number=record["paneNumber"],
            qr_code=record["qrCode"],
            order=id_of(record["order"]),
            assigned_to=assigned_to,
            fault=fault,
            unit=unit,
        )
        pane.update(record)
        self.all.append(pane)
        return pane


def by_number(pane: Record) -> tuple[int, str]:
    """Sort key of pane records: PNE-9999, PNE-10000, PNE-10000-A."""
    match = re.search(r"(\d+)(.*)", pane["paneNumber"])
    assert match, pane["paneNumber"]
    return int(match[1]), match[2]
