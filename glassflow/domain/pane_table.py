"""The table of the pane flow: what each scan action needs and where it leads.

The table is the documentation: `describe` prints it as docs/pane-flow.md.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from glassflow.domain import scan_guards as guard
from glassflow.domain.pane_state import OPEN, Action, Facts, PaneView, Status
from glassflow.domain.scan_refusals import AwaitingScanOut, NotCompletedYet

Guard = Callable[[PaneView, Action, Facts], None]


@dataclass(frozen=True, slots=True)
class Rule:
    """One row: `to` None leads onward to the next step, or completes the pane.

    `otherwise` is the refusal for the scannable statuses that are not allowed.
    """

    allowed: tuple[Status, ...]
    otherwise: type[AwaitingScanOut | NotCompletedYet]
    guards: tuple[Guard, ...]
    to: Status | None
    implies_scan_in: bool = False
    effects: tuple[str, ...] = ()


# Asked of every scan, in this order, before the status; a row's own guards come after.
ALWAYS: tuple[Guard, ...] = (
    guard.pane_is_in_the_flow,
    guard.pane_is_no_dormant_parent,
    guard.work_goes_on,
    guard.station_is_the_present_one,
)

TABLE: Mapping[Action, Rule] = MappingProxyType(
    {
        Action.SCAN_IN: Rule(
            allowed=(Status.PENDING, Status.IN_PROGRESS),
            otherwise=AwaitingScanOut,
            guards=(guard.station_is_known, guard.station_takes_panes_in),
            to=Status.IN_PROGRESS,
        ),
        Action.START: Rule(
            allowed=(Status.PENDING, Status.IN_PROGRESS),
            otherwise=AwaitingScanOut,
            guards=(guard.station_is_known, guard.station_takes_panes_in),
            to=Status.IN_PROGRESS,
        ),
        Action.COMPLETE: Rule(
            allowed=(Status.PENDING, Status.IN_PROGRESS, Status.AWAITING_SCAN_OUT),
            otherwise=NotCompletedYet,
            guards=(guard.station_is_known, guard.station_takes_panes_in),
            to=Status.AWAITING_SCAN_OUT,
            implies_scan_in=True,
        ),
        Action.SCAN_OUT: Rule(
            allowed=(Status.AWAITING_SCAN_OUT,),
            otherwise=NotCompletedYet,
            guards=(guard.station_is_known, guard.sheet_is_merged),
            to=None,
            effects=("order_progress",),
        ),
        Action.QC_PASS: Rule(
            allowed=(Status.AWAITING_SCAN_OUT,),
            otherwise=NotCompletedYet,
            guards=(guard.station_is_known, guard.sheet_is_merged),
            to=None,
            effects=("order_progress",),
        ),
        Action.QC_FAIL: Rule(
            allowed=(Status.AWAITING_SCAN_OUT,),
            otherwise=NotCompletedYet,
            guards=(guard.station_is_known, guard.reason_is_given),
            to=Status.DEFECTED,
            effects=("order_progress", "remake"),
        ),
    }
)


def describe() -> str:
    """Return the flow of a pane as a Markdown page."""
    return "\n".join([_INTRODUCTION, *_rows(), "", *_guard_list(), ""])


_INTRODUCTION = """\
# The flow of a pane

Printed from the table in `glassflow/domain/pane_table.py`; a test compares the two.
`laminate` concerns a group of sheets and is not in it. A refused scan changes nothing.
The statuses that no row names are terminal.

| Action | From | To | From elsewhere | Guards of its own | Effects |
| --- | --- | --- | --- | --- | --- |"""


def _rows() -> Iterator[str]:
    for action, rule in TABLE.items():
        cells = (
            action,
            ", ".join(rule.allowed),
            rule.to or "pending at the next step, or completed",
            _elsewhere(rule),
            ", ".join(ask.__name__ for ask in rule.guards),
            ", ".join((*_implied(rule), *rule.effects)),
        )
        yield f"| {' | '.join(cells)} |"


def _elsewhere(rule: Rule) -> str:
    return rule.otherwise.code if OPEN.difference(rule.allowed) else ""


def _implied(rule: Rule) -> tuple[str, ...]:
    return ("from pending: a scan_in",) if rule.implies_scan_in else ()


def _guard_list() -> Iterator[str]:
    yield "## Guards\n\nOf every scan, in this order and before the status:\n"
    yield from (f"1. {_told(ask)}" for ask in ALWAYS)
    yield "\nOf single actions, after the status:\n"
    own = dict.fromkeys(ask for rule in TABLE.values() for ask in rule.guards)
    yield from (f"- {_told(ask)}" for ask in own)


def _told(ask: Guard) -> str:
    words = " ".join((ask.__doc__ or "").split())
    return f"`{ask.__name__}`: {words}"
