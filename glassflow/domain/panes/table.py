"""The table of the pane flow: what each scan action needs, where it leads, what it does.

The table is the documentation: `describe` prints it as docs/pane-flow.md.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from glassflow.domain.panes import guards
from glassflow.domain.panes.refusals import AwaitingScanOut, NotCompletedYet
from glassflow.domain.panes.status import (
    OPEN,
    Action,
    Effect,
    PaneView,
    ScanFacts,
    Status,
)

Guard = Callable[[PaneView, Action, ScanFacts], None]

# Checked for every scan but `laminate`, in this order, before the status of the pane.
COMMON_GUARDS: tuple[Guard, ...] = (
    guards.pane_is_open,
    guards.pane_is_no_dormant_parent,
    guards.work_is_not_cancelled,
    guards.station_is_the_present_one,
)
# Effects of every scan, in this order, before those of its rule.
COMMON_EFFECTS = (Effect.FILL_MATERIAL, Effect.STORE_AND_LOG)


@dataclass(frozen=True, slots=True)
class Rule:
    """The rule of one action.

    `allowed` are the statuses that the action starts from, `wrong_status` the refusal
    for the other open statuses. `early` are those from which it starts too if the scan
    says `beforeComplete`; it then implies a complete if `implies_complete` is set. `to`
    None leads to the next step, or completes the pane. `guards` are checked after the
    status, `first_guards` before it. `effects` follow the common effects. `retired_to` is
    set for an action that merges a whole unit: the status of the panes that are merged
    into the scanned pane's survivor.
    """

    allowed: tuple[Status, ...]
    wrong_status: type[AwaitingScanOut | NotCompletedYet]
    guards: tuple[Guard, ...]
    to: Status | None
    effects: tuple[Effect, ...]
    implies_scan_in: bool = False
    early: tuple[Status, ...] = ()
    implies_complete: bool = False
    first_guards: tuple[Guard, ...] = COMMON_GUARDS
    retired_to: Status | None = None


TABLE: Mapping[Action, Rule] = MappingProxyType(
    {
        Action.SCAN_IN: Rule(
            allowed=(Status.PENDING, Status.IN_PROGRESS),
            wrong_status=AwaitingScanOut,
            guards=(guards.station_is_known, guards.station_accepts_panes),
            to=Status.IN_PROGRESS,
            effects=(Effect.RECOUNT_ORDER, Effect.ANNOUNCE_SHEETS),
        ),
        Action.START: Rule(
            allowed=(Status.PENDING, Status.IN_PROGRESS),
            wrong_status=AwaitingScanOut,
            guards=(guards.station_is_known, guards.station_accepts_panes),
            to=Status.IN_PROGRESS,
            effects=(Effect.RECOUNT_ORDER, Effect.ANNOUNCE_SHEETS),
        ),
        Action.COMPLETE: Rule(
            allowed=(Status.PENDING, Status.IN_PROGRESS, Status.AWAITING_SCAN_OUT),
            wrong_status=NotCompletedYet,
            guards=(guards.station_is_known, guards.station_accepts_panes),
            to=Status.AWAITING_SCAN_OUT,
            effects=(Effect.RECOUNT_ORDER, Effect.ANNOUNCE_SHEETS),
            implies_scan_in=True,
        ),
        Action.SCAN_OUT: Rule(
            allowed=(Status.AWAITING_SCAN_OUT,),
            wrong_status=NotCompletedYet,
            guards=(
                guards.station_is_known,
                guards.station_accepts_panes,
                guards.sheet_is_merged,
            ),
            to=None,
            early=(Status.PENDING, Status.IN_PROGRESS),
            implies_complete=True,
            effects=(
                Effect.RECOUNT_ORDER,
                Effect.ANNOUNCE_ARRIVAL,
                Effect.ANNOUNCE_COMPLETION,
            ),
        ),
        Action.QC_PASS: Rule(
            allowed=(Status.AWAITING_SCAN_OUT,),
            wrong_status=NotCompletedYet,
            guards=(
                guards.station_is_known,
                guards.station_accepts_panes,
                guards.sheet_is_merged,
            ),
            to=None,
            early=(Status.PENDING, Status.IN_PROGRESS),
            implies_complete=True,
            effects=(
                Effect.RECOUNT_ORDER,
                Effect.ANNOUNCE_ARRIVAL,
                Effect.ANNOUNCE_COMPLETION,
            ),
        ),
        Action.QC_FAIL: Rule(
            allowed=(Status.AWAITING_SCAN_OUT,),
            wrong_status=NotCompletedYet,
            guards=(guards.station_is_known, guards.reason_is_given),
            to=Status.DEFECTED,
            early=(Status.PENDING, Status.IN_PROGRESS),
            effects=(Effect.REMAKE, Effect.RECOUNT_ORDER),
        ),
        # The sheets of the unit are checked by `domain.panes.lamination`.
        Action.LAMINATE: Rule(
            allowed=(Status.PENDING, Status.IN_PROGRESS, Status.AWAITING_SCAN_OUT),
            wrong_status=NotCompletedYet,
            first_guards=(guards.pane_is_open, guards.work_is_not_cancelled),
            guards=(guards.unit_is_not_laminated, guards.station_laminates_the_unit),
            to=Status.AWAITING_SCAN_OUT,
            effects=(Effect.ANNOUNCE_LAMINATION, Effect.RECOUNT_ORDER),
            retired_to=Status.MERGED_INTO,
        ),
    }
)


def effects_of(action: Action) -> tuple[Effect, ...]:
    """Return all effects of an action, in the order in which they run."""
    return (*COMMON_EFFECTS, *TABLE[action].effects)


def describe() -> str:
    """Return the flow of a pane as a Markdown page."""
    return "\n".join([_INTRODUCTION, *_rows(), *_guards(), *_effects(), ""])


_INTRODUCTION = """\
# The flow of a pane

Printed by `flask docs` from the table in `glassflow/domain/panes/table.py`; a test
compares the two. A refused scan changes nothing. The statuses that no row names in
"From" are terminal. A scan changes the status, the station and the route index of the
pane and its start and completion times; the effects below name all else that it does.
A single scan also stores its fingerprint on the pane, to detect a duplicate.

A pane may stand on a rack. A `scan_in`, `start` or `complete`, also one that another scan
implies, takes it off: somebody has it in hands. Handing on alone does not, and neither
does a scan of the rack. A pane that is defected, cancelled, merged into another one or
delivered stands on no rack, nor does the dormant parent of a unit. A remake begins on none,
the survivor of a lamination stays on its rack, and a finished pane until it is delivered.
Undoing a scan puts the pane back on the rack, if that still exists.

`laminate` merges a whole unit. "From" is the status of the scanned pane, which is a
sheet or the dormant parent. All sheets have to be `in_progress` or `awaiting_scan_out`
at the lamination station (else `SHEETS_MISSING`); a scan of the parent has to name the
surviving sheet. The survivor becomes a single pane with the parent's route, before its
first step; the other sheets and the parent are merged into it.

A scan with `beforeComplete: true` in its body also starts from the statuses that "From"
names in brackets: a pane whose work at its station is not recorded as completed.
`scan_out` and `qc_pass` then imply a `complete`, and from pending a `scan_in`: these are
logged before the scan and undone with it. `qc_fail` implies neither: a pane that breaks
before its work is done was not completed.

Every station accepts `scan_out`, `qc_pass` and `qc_fail`. At a check station
(`isCheckStation`) `GET /api/panes/{number}/next` names `qc_pass` as the action that takes a
pane on, in the place of `scan_out`. `qc_pass` and `qc_fail` may say what was `measured`; the
log keeps it beside the ordered size and the tolerance, which the service does not judge.

| Action | From | To | Refusal from other statuses | Guards | Effects |
| --- | --- | --- | --- | --- | --- |"""


def _rows() -> Iterator[str]:
    for action, rule in TABLE.items():
        cells = (
            action,
            ", ".join((*rule.allowed, *(f"({status})" for status in rule.early))),
            _target(rule),
            rule.wrong_status.code if OPEN.difference(rule.allowed) else "",
            ", ".join(guard.__name__ for guard in _own_guards(rule)),
            ", ".join(rule.effects),
        )
        yield f"| {' | '.join(cells)} |"


def _target(rule: Rule) -> str:
    if rule.retired_to:
        return f"{rule.to} (the survivor), {rule.retired_to} (the other panes)"
    implied = " (from pending: after an implied scan_in)"
    target = rule.to or "pending at the next step, or completed"
    return f"{target}{implied if rule.implies_scan_in else ''}"


def _own_guards(rule: Rule) -> tuple[Guard, ...]:
    common = rule.first_guards == COMMON_GUARDS
    return rule.guards if common else (*rule.first_guards, *rule.guards)


def _guards() -> Iterator[str]:
    yield "\n## Guards\n\nOf all actions but `laminate`, before the status, in this order:\n"
    yield from (f"1. {_guard_text(guard)}" for guard in COMMON_GUARDS)
    yield "\nOf single actions, after the status:\n"
    own = dict.fromkeys(guard for rule in TABLE.values() for guard in rule.guards)
    yield from (f"- {_guard_text(guard)}" for guard in own)


def _guard_text(guard: Guard) -> str:
    condition = " ".join((guard.__doc__ or "").split())
    return f"`{guard.__name__}`: {condition}"


def _effects() -> Iterator[str]:
    yield "\n## Effects\n\nOf every action, in this order, before its own effects:\n"
    yield from (f"1. {_effect_text(effect)}" for effect in COMMON_EFFECTS)
    yield "\nOf single actions, in the order of the table:\n"
    own = dict.fromkeys(effect for rule in TABLE.values() for effect in rule.effects)
    yield from (f"- {_effect_text(effect)}" for effect in own)


def _effect_text(effect: Effect) -> str:
    return f"`{effect}`: {effect.description}"
