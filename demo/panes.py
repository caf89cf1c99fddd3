"""What is known of each pane, and of each unit that is still to be laminated."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from demo.client import Record
from demo.plan import Fault

REMOVED = frozenset({"defected", "merged_into", "cancelled"})


def id_of(reference: object) -> str:
    """The id of a reference, populated or not; the empty string for none."""
    if isinstance(reference, dict):
        reference = reference.get("_id")
    return str(reference or "")


#: An accepted scan: the ids of the pane and of the log.
Scan = tuple[str, str]


def scan_of(log: Record) -> Scan:
    """The scan that a log of a pane reports."""
    return id_of(log["pane"]), str(log["_id"])


class Pane:
    """One pane, as the service last described it.

    `index` is its place among all panes of its order. `fault` is a fault that has not been
    applied yet, `written_off` says that an approved claim removed the pane from its order's
    count. `unit` is the unit of a sheet.
    """

    def __init__(
        self, index: int, record: Record, fault: Fault | None, unit: Unit | None
    ) -> None:
        self.index = index
        self.id = str(record["_id"])
        self.number = str(record["paneNumber"])
        self.qr_code = str(record["qrCode"])
        self.order = id_of(record["order"])
        self.fault = fault
        self.unit = unit
        self.written_off = False
        self.update(record)

    def update(self, record: Record) -> None:
        """Take over the record of the pane."""
        self.station = id_of(record["currentStation"])
        self.status = str(record["currentStatus"])
        self.step = int(record["routeIndex"] or 0)
        self.route = tuple(map(id_of, record["routing"] or ()))

    @property
    def finished(self) -> bool:
        """True if the pane is completed and counts for its order."""
        return self.status == "completed" and not self.written_off

    @property
    def removed(self) -> bool:
        """True for scrap and merged sheets, which do not count any more."""
        return self.written_off or self.status in REMOVED

    @property
    def open(self) -> bool:
        """True if the pane has steps left."""
        return not (self.finished or self.removed)

    @property
    def waiting(self) -> bool:
        """True for a sheet that waits at lamination for the others of its unit."""
        return self.unit is not None and self.number in self.unit.present

    def leave_unit(self) -> None:
        """Record that a sheet with a fault is not present in its unit any more."""
        if self.unit:
            self.unit.present.pop(self.number, None)


@dataclass
class Unit:
    """A unit that is still to be laminated: its parent and its sheets.

    `present` holds the sheets that were scanned in at the lamination station, by number.
    `fault` is the fault that the laminated pane gets.
    """

    index: int
    id: str
    number: str
    sheet_count: int
    fault: Fault | None
    present: dict[str, Pane] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """True if all sheets are present."""
        return len(self.present) == self.sheet_count


def by_number(pane: Record) -> tuple[int, str]:
    """Sort key of pane records: PNE-9999, PNE-10000, PNE-10000-A."""
    match = re.search(r"(\d+)(.*)", pane["paneNumber"])
    assert match, pane["paneNumber"]
    return int(match[1]), match[2]
