"""What a scan is decided on: the pane as it stands, and the facts around it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Status(StrEnum):
    """Where a pane is in its life; only the first three can be scanned."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    AWAITING_SCAN_OUT = "awaiting_scan_out"
    COMPLETED = "completed"
    CLAIMED = "claimed"
    DEFECTED = "defected"
    MERGED_INTO = "merged_into"
    CANCELLED = "cancelled"


class Action(StrEnum):
    """What a worker can say about a pane by scanning its code."""

    SCAN_IN = "scan_in"
    START = "start"
    COMPLETE = "complete"
    SCAN_OUT = "scan_out"
    QC_PASS = "qc_pass"
    QC_FAIL = "qc_fail"
    LAMINATE = "laminate"


OPEN = frozenset({Status.PENDING, Status.IN_PROGRESS, Status.AWAITING_SCAN_OUT})
TERMINAL = frozenset(Status) - OPEN

GUIDED = "guided"
LENIENT = "lenient"


@dataclass(frozen=True, slots=True)
class PaneView:
    """The part of a pane that its flow depends on; `position` is its `routeIndex`.

    Position -1 is before the first step: the survivor of a lamination stands so, at
    a lamination station that its own route no longer names.
    """

    status: str
    station: str | None
    route: tuple[str, ...] = ()
    position: int = 0
    laminate_role: str = "single"
    laminate_station: str | None = None
    parent: str | None = None
    merged_into: str | None = None

    @property
    def present_station(self) -> str | None:
        """The station of the present route step, else the one where it stands.

        The position decides, since a station may occur twice in a route.
        """
        if 0 <= self.position < len(self.route):
            return self.route[self.position]
        return self.station


@dataclass(frozen=True, slots=True)
class Facts:
    """What else a scan depends on; `station` None means where the pane is.

    `maintenance` is about the station of the scan, given or present.
    """

    station: str | None = None
    policy: str = GUIDED
    work_cancelled: bool = False
    maintenance: bool = False
    reason: str | None = None
    station_names: Mapping[str, str] = field(default_factory=dict)
