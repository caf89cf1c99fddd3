"""The terms of the pane flow: statuses, actions, effects, and what a scan depends on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Status(StrEnum):
    """The status of a pane; only panes in the first three can be scanned."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    AWAITING_SCAN_OUT = "awaiting_scan_out"
    COMPLETED = "completed"
    CLAIMED = "claimed"
    DEFECTED = "defected"
    MERGED_INTO = "merged_into"
    CANCELLED = "cancelled"


OPEN = frozenset({Status.PENDING, Status.IN_PROGRESS, Status.AWAITING_SCAN_OUT})
TERMINAL = frozenset(Status) - OPEN


class LaminateRole(StrEnum):
    """The role of a pane in a laminated unit; a survivor is `single` again."""

    SINGLE = "single"
    PARENT = "parent"
    SHEET = "sheet"


class EdgeTaskStatus(StrEnum):
    """The status that the work on one side begins with; clients may set any text."""

    PENDING = "pending"


class ScanPolicy(StrEnum):
    """Whether a pane follows its route step by step or may be scanned in elsewhere."""

    GUIDED = "guided"
    LENIENT = "lenient"


class Action(StrEnum):
    """The action of a scan."""

    SCAN_IN = "scan_in"
    START = "start"
    COMPLETE = "complete"
    SCAN_OUT = "scan_out"
    QC_PASS = "qc_pass"
    QC_FAIL = "qc_fail"
    LAMINATE = "laminate"


class LogAction(StrEnum):
    """The actions of pane logs that are not scan actions."""

    LAMINATE_START = "laminate_start"
    LAMINATE_COMPLETE = "laminate_complete"
    CORRECTION = "correction"


class Effect(StrEnum):
    """What a scan does besides changing the status and place of the pane.

    `services.scanning.scan` names the function of each in `EFFECTS`. The description is printed
    in docs/pane-flow.md.
    """

    description: str

    def __new__(cls, value: str, description: str) -> "Effect":
        """Make a member from its value and its description."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.description = description
        return member

    FILL_MATERIAL = (
        "fill_material",
        "A pane without a material takes the material of its order.",
    )
    STORE_AND_LOG = (
        "store_and_log",
        "The pane and its logs are stored, with the photos of a failed check. Sends "
        "`pane:updated` (also to the station that the pane left) and `log:updated`.",
    )
    REMAKE = (
        "remake",
        "A replacement is created, with a material log of quantity 0; that of a sheet "
        "takes its place in the unit, whose parent is stored with it. Sends "
        "`station:pane_arrived` and notifies its first station and the worker who is "
        "assigned to the order.",
    )
    RECOUNT_ORDER = (
        "recount_order",
        "If a pane moved, was completed or merged, or if the order was pending: the "
        "figures and the status of the order are counted again. Sends `order:updated`.",
    )
    ANNOUNCE_ARRIVAL = (
        "announce_arrival",
        "If the pane has a next step: sends `station:pane_arrived` and notifies the "
        "next station and the worker who is assigned to the order.",
    )
    ANNOUNCE_COMPLETION = (
        "announce_completion",
        "If the pane has passed its last step: notifies the worker who is assigned to "
        "the order.",
    )
    ANNOUNCE_SHEETS = (
        "announce_sheets",
        "If a sheet was scanned in at its lamination station: sends `laminate:ready` "
        "or, while sheets are missing, `laminate:waiting`.",
    )
    ANNOUNCE_LAMINATION = (
        "announce_lamination",
        "Sends `pane:laminated` to the lamination station.",
    )


@dataclass(frozen=True, slots=True)
class PaneView:
    """The part of a pane that its flow depends on.

    `route_index` is the step of the route where the pane is; -1 is before the first
    step, where the survivor of a lamination is: its own route does not contain the
    lamination station. `merged` is set for all panes of a laminated unit.
    """

    status: str
    station: str | None
    route: tuple[str, ...] = ()
    route_index: int = 0
    laminate_role: str = LaminateRole.SINGLE
    laminate_station: str | None = None
    parent: str | None = None
    merged_into: str | None = None
    number: str = ""
    merged: bool = False

    @property
    def present_station(self) -> str | None:
        """The station of the present route step, else the pane's station.

        The index decides, because a station may occur twice in a route.
        """
        if 0 <= self.route_index < len(self.route):
            return self.route[self.route_index]
        return self.station

    @property
    def next_station(self) -> str | None:
        """The station of the next step of an open pane; None after the last one."""
        ahead = self.route[self.route_index + 1 :]
        return ahead[0] if ahead and self.status in OPEN else None


@dataclass(frozen=True, slots=True)
class ScanFacts:
    """What a scan depends on besides the pane.

    `station` None means the station where the pane is. `maintenance` is about the
    station of the scan, whether given or not. `before_complete` is whether the scan also
    applies to a pane whose work at the station is not recorded as completed, `move_here`
    whether it takes in a pane that is recorded at another station.
    """

    station: str | None = None
    policy: str = ScanPolicy.GUIDED
    work_cancelled: bool = False
    maintenance: bool = False
    reason: str | None = None
    before_complete: bool = False
    move_here: bool = False
    station_names: Mapping[str, str] = field(default_factory=dict)
