"""Decide a scan of one pane and apply the outcome to the documents, in memory.

`services.scanning.scan` stores the documents and does all else that follows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.domain import texts
from glassflow.domain.orders import OrderStatus
from glassflow.domain.panes import flow, racks
from glassflow.domain.panes.status import Action, PaneView, Status
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.services.panes import logs
from glassflow.services.panes.mapping import id_or_none, naming_pane, pane_view
from glassflow.services.scanning.context import Scan, ScanContext

# The fields of a pane that a scan may change, but for `last_scan`; undoing restores them.
UNDOABLE_FIELDS = (
    "current_status",
    "current_station",
    "arrived_at",
    "work_started_at",
    "route_index",
    "started_at",
    "completed_at",
    "material",
    "rack",
    "inventory",
    "withdrawal",
)


@dataclass(frozen=True, slots=True)
class MergeResult:
    """The numbers of the panes of a lamination; the parent is among the retired."""

    sheets: list[str]
    survivor: str
    retired: list[str]

    @classmethod
    def of(cls, survivor: Pane, sheets: Sequence[Pane], parent: Pane) -> "MergeResult":
        """Build the result from the merged sheets, which include the survivor."""
        numbers = [sheet.pane_number for sheet in sheets]
        others = [number for number in numbers if number != survivor.pane_number]
        return cls(numbers, survivor.pane_number, [*others, parent.pane_number])


@dataclass(slots=True)
class ScanResult:
    """The pane after a scan and the log of the scan.

    `next_station` is set if the pane moved on, `remade` if it failed and a replacement
    was created, `merged` if it is the survivor of a lamination. `is_duplicate` is set if
    an earlier scan has done all this.
    """

    pane: Pane
    log: PaneLog
    next_station: ObjectId | None = None
    remade: Pane | None = None
    merged: MergeResult | None = None
    is_duplicate: bool = False


@dataclass(frozen=True, slots=True)
class AppliedScan:
    """A scan of one pane that is applied in memory: the input of the effects.

    `before` is the pane before the scan. `logs` are all logs of the scan, in their
    order. `retired` are the panes that a lamination merged into this one.
    """

    result: ScanResult
    before: PaneView
    outcome: flow.Outcome
    logs: Sequence[PaneLog]
    retired: Sequence[Pane] = ()

    @property
    def pane(self) -> Pane:
        """The scanned pane; the survivor of a lamination."""
        return self.result.pane

    @property
    def panes(self) -> list[Pane]:
        """All panes that the scan has changed."""
        return [self.pane, *self.retired]

    def changes(self, order: Order) -> bool:
        """Return whether the scan may change the figures or the status of its order."""
        # also by a move to the same station, which a route may have twice in a row
        went_on = self.outcome.arrived_at is not None
        moved = went_on or self.before.station != self.outcome.station
        completed = self.outcome.status == Status.COMPLETED
        begins = order.status == OrderStatus.PENDING
        return moved or completed or begins or bool(self.retired)


def decide(pane: Pane, context: ScanContext) -> flow.Outcome:
    """Return the outcome of a scan; a refusal has the pane's number in its details."""
    view = pane_view(pane)
    with naming_pane(pane):
        return flow.decide(view, context.scan.action, context.facts(pane, view))


def apply(pane: Pane, outcome: flow.Outcome, context: ScanContext) -> AppliedScan:
    """Change a pane as the outcome says and make the logs of the scan, all in memory."""
    before = pane_view(pane)
    undo = _undo_data(pane, context.order_of(pane), context.actor)
    station = context.scan.station or pane.current_station
    arrived_at, left = pane.arrived_at, id_or_none(station) == outcome.left
    began_at, stays = pane.work_started_at, before.station == outcome.station
    goes_on = stays and before.status == Status.IN_PROGRESS
    begins = outcome.status == Status.IN_PROGRESS and not goes_on
    pane.current_status = str(outcome.status)
    placed_at = ObjectId(outcome.station) if outcome.station else None
    pane.move_to(placed_at, arrived_at=context.occurred_at)
    if outcome.arrived_at:  # also where a route has the same station twice in a row
        pane.arrived_at = context.occurred_at
    if begins:
        pane.work_started_at = context.occurred_at
    pane.route_index = outcome.route_index
    if outcome.started and pane.started_at is None:
        pane.started_at = context.occurred_at
    if outcome.completed:
        pane.completed_at = _not_before(pane.started_at, context.occurred_at)
    implies_complete = outcome.implied_complete
    if not context.scan.of_rack and racks.takes_off(
        context.scan.action, implies_complete=implies_complete
    ):
        pane.rack = None  # somebody has it in hands
    if context.scan.cut is not None:
        pane.inventory, pane.withdrawal = context.scan.cut
    entries = []
    if outcome.implied_scan_out:
        place = ObjectId(before.present_station)
        scan_out = _log(pane, Action.SCAN_OUT, place, context)
        scan_out.arrived_at = arrived_at
        entries.append(scan_out)
    if outcome.implied_scan_in:
        entries.append(_log(pane, Action.SCAN_IN, station, context))
    if outcome.implied_complete:
        done_at = context.occurred_at
        complete = _log(pane, Action.COMPLETE, station, context, completed_at=done_at)
        complete.started_at = began_at
        entries.append(complete)
    if entries:
        undo["logs"] = [entry.pk for entry in entries]  # they are undone with it
    log = _own_log(pane, station, outcome, context, undo)
    log.arrived_at = arrived_at if left or (begins and stays) else None
    if context.scan.action == Action.COMPLETE:
        log.started_at = began_at if stays else None
    log.taken_in_at = pane.created_at if outcome.completed else None
    if outcome.arrived_at or not stays:
        log.moved_to = placed_at
    log.skipped_stations = [ObjectId(one) for one in outcome.skipped]
    entries.append(log)
    next_station = ObjectId(outcome.arrived_at) if outcome.arrived_at else None
    result = ScanResult(pane, entries[-1], next_station)
    return AppliedScan(result, before, outcome, entries)


def _undo_data(pane: Pane, order: Order | None, actor: Identity) -> dict[str, Any]:
    """Return what the log stores so that the scan can be undone: the pane as it is."""
    return {
        "version": pane.next_version,
        "by": actor.worker_id,
        "startsOrder": order is not None and order.status == OrderStatus.PENDING,
        "pane": {Pane._fields[name].db_field: pane[name] for name in UNDOABLE_FIELDS},
    }


def _own_log(
    pane: Pane,
    station: ObjectId | None,
    outcome: flow.Outcome,
    context: ScanContext,
    undo: Mapping[str, Any],
) -> PaneLog:
    scan = context.scan
    completes = scan.action == Action.COMPLETE
    return _log(
        pane,
        scan.action,
        station,
        context,
        reason=scan.reason or "",
        description=_description(scan.description or "", outcome),
        completed_at=context.occurred_at if completes else None,
        measured=_measured(pane, scan),
        undo=undo,
    )


def _measured(pane: Pane, scan: Scan) -> dict[str, Any] | None:
    """Return what was measured, with what was ordered: that may be corrected later."""
    if scan.measured is None:
        return None
    ordered = {name: pane.dimensions[name] for name in ("width", "height")}
    return {
        **scan.measured,
        "ordered": ordered,
        "tolerance": pane.dimension_tolerance,
    }


def _log(
    pane: Pane,
    action: str,
    station: ObjectId | None,
    context: ScanContext,
    **values: Any,
) -> PaneLog:
    kept_at = context.scan.occurred_at
    return logs.pane_log(
        pane, action, station, context.worker, occurred_at=kept_at, **values
    )


def _not_before(earlier: datetime | None, moment: datetime) -> datetime:
    """Return the moment, or the earlier one: the clocks of two devices may differ."""
    return moment if earlier is None else max(earlier, moment)


def _description(given: str, outcome: flow.Outcome) -> str:
    """Append a jump under the lenient policy to the description of the log."""
    if outcome.jumped_from is None:
        return given
    jump = texts.ROUTE_JUMP.format(
        before=outcome.jumped_from, after=outcome.route_index
    )
    return f"{given} ({jump})" if given else jump
