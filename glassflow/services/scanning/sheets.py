"""Sheets of released cutting plans are cut: all that follows from a cut is one transaction.

The panes are completed at their cutting station, by the same rules as other scans. The
sheet is withdrawn from its lot, each rest that is kept becomes a lot, and a pane that broke
is remade. Its remake comes to the next sheet of the plan that has room for it. Taking a cut
back is one transaction too.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.aliases import Raw
from glassflow.domain.cutting.plan import PER_MM, Box, Piece
from glassflow.domain.cutting.refit import fitted, remnant_defects, without
from glassflow.domain.cutting.stages import RESERVING, UNDO_WINDOW, PlanStatus
from glassflow.domain.defects import DefectCode
from glassflow.domain.errors import NotFound
from glassflow.domain.panes.status import Action
from glassflow.domain.stock import (
    LedgerAction,
    LedgerReferenceType,
    StockType,
    WithdrawalStatus,
)
from glassflow.models.cutting_plan import CuttingPlan
from glassflow.models.inventory import Inventory
from glassflow.models.pane import Pane
from glassflow.models.withdrawal import Withdrawal
from glassflow.services import records
from glassflow.services.cutting import pending
from glassflow.services.cutting.layout import Layout, PlannedSheet
from glassflow.services.cutting.refusals import (
    CutUndoTooLate,
    NothingToCut,
    PanesNotOnSheet,
    PlanStage,
    RemnantUsed,
    SheetIsCut,
    SheetNotCut,
)
from glassflow.services.scanning.context import Cut, Scan
from glassflow.services.scanning.decision import ScanResult
from glassflow.services.scanning.scan import counted, scan_all
from glassflow.services.scanning.undo import UndoResult, undo_all
from glassflow.services.stock import cuts, inventory, ledger, reservations
from glassflow.services.stock.ledger import LedgerReference

ONE = 1  # sheet
CUT, UNDO_CUT = "cut", "undo_cut"  # the names of these actions in the metrics


@dataclass(frozen=True, slots=True)
class Cutting:
    """Where, when and for whom a sheet is cut; see `Scan`.

    `location` is where its remnants are put, that of the lot if it is empty.
    """

    actor: Identity
    station: ObjectId | None = None
    operator: ObjectId | None = None
    occurred_at: datetime | None = None
    location: str = ""

    def scan(self, action: Action, cut: Cut | None = None) -> Scan:
        """Return the scan of the panes of the sheet."""
        scan = Scan(
            action,
            self.station,
            operator=self.operator,
            occurred_at=self.occurred_at,
            cut=cut,
        )
        if action != Action.QC_FAIL:
            return scan
        reason = DefectCode.BROKEN.value
        said = str(texts.BROKEN_WHILE_CUT)
        return replace(scan, reason=reason, description=said, before_complete=True)


@dataclass(slots=True)
class CutResult:
    """A sheet that is cut; `remakes` have the number of the sheet that each came to.

    `logs` are those of the scans of its panes.
    """

    plan: CuttingPlan
    sheet: int
    panes: list[Pane] = field(default_factory=list)
    logs: list[ObjectId] = field(default_factory=list)
    remnants: list[Inventory] = field(default_factory=list)
    remakes: list[tuple[Pane, int | None]] = field(default_factory=list)
    undoable_until: datetime | None = None

    def add(self, scans: Sequence[ScanResult]) -> None:
        """Add the panes and the logs of scans."""
        self.panes += [one.pane for one in scans]
        self.logs += [one.log.pk for one in scans]


def cut(
    *,
    plan_id: ObjectId,
    number: int,
    broken: Collection[ObjectId] = (),
    cutting: Cutting,
) -> CutResult:
    """Cut a sheet of a released plan; `broken` are the panes that broke.

    Panes that have left the plan are not touched, and their place becomes part of the rests.
    Raises `NotFound`, `PlanStage`, `SheetIsCut`, `NothingToCut`, `PanesNotOnSheet`,
    `InsufficientStock` where the lot has no sheet any more, and what a scan raises.
    """
    cutting.scan(Action.COMPLETE).authorize(cutting.actor)
    remake_numbers = records.next_numbers(Pane, len(broken)) if broken else []
    with counted(CUT) as outcome:
        result = _cut(plan_id, number, set(broken), cutting, remake_numbers)
        outcome.amount = len(result.panes)
    return result


@unit_of_work
def _cut(
    plan_id: ObjectId,
    number: int,
    broken: set[ObjectId],
    cutting: Cutting,
    remake_numbers: Sequence[str],
) -> CutResult:
    plan = records.load(CuttingPlan, plan_id)
    if plan.status not in RESERVING:
        raise PlanStage(plan.plan_number or "", plan.status)
    layout = Layout.of(plan.layout)
    sheet = _sheet(layout, number)
    if sheet.is_cut:
        raise SheetIsCut(number, sheet.cut_by_name)
    panes = _leave_out(plan, layout, sheet)
    elsewhere = broken - panes.keys()
    if elsewhere:
        raise PanesNotOnSheet(sorted(pending.numbers(list(elsewhere)).values()))
    sheet.cut = [one for one in panes if one not in broken]
    sheet.broken = [one for one in panes if one in broken]
    sheet.cut_at, sheet.cut_by = clock.now(), cutting.actor.worker_id
    sheet.cut_by_name = cutting.actor.name
    withdrawal, lot = _withdraw(plan, sheet, panes, cutting.actor)
    result = CutResult(plan, number)
    made = _scan(panes, sheet, withdrawal, cutting, remake_numbers, result)
    cuts.log([(pane, sheet.lot) for pane in result.panes], cutting.actor.worker_id)
    result.remnants = _keep_rests(plan, layout, sheet, lot, cutting)
    result.remakes = _fit_remakes(plan, layout, made)
    sheet.remnants, sheet.logs = [one.pk for one in result.remnants], result.logs
    sheet.withdrawal = withdrawal.pk
    _store(plan, layout, "cut")
    result.undoable_until = sheet.cut_at + UNDO_WINDOW
    return result


def _sheet(layout: Layout, number: int) -> PlannedSheet:
    for one in layout.sheets:
        if one.number == number:
            return one
    raise NotFound(texts.NOT_FOUND.format(label=CuttingPlan.label))


def _leave_out(
    plan: CuttingPlan, layout: Layout, sheet: PlannedSheet
) -> Mapping[ObjectId, Raw]:
    """Take the panes off a sheet that have left the plan, and return the others.

    They are in stored form, in the order in which they break out. Raises `NothingToCut`
    where none is left.
    """
    found = pending.of_sheets(plan, layout, [sheet])
    if not found.panes:
        raise NothingToCut(sheet.number)
    gone = [n for n in sheet.indexes if layout.panes[n] in found.left]
    sheet.sheet = without(sheet.sheet, gone)
    return {one: found.panes[one] for one in layout.panes_on([sheet])}


def _withdraw(
    plan: CuttingPlan,
    sheet: PlannedSheet,
    panes: Mapping[ObjectId, Raw],
    actor: Identity,
) -> tuple[Withdrawal, Inventory]:
    """Take a sheet that the plan has reserved out of its lot, as an approved withdrawal."""
    orders = {row.get("order") for row in panes.values()}
    withdrawal = Withdrawal(
        pk=ObjectId(),
        withdrawal_number=records.next_numbers(Withdrawal)[0],
        material=plan.material,
        quantity=ONE,
        stock_type=str(StockType.REUSE if sheet.stock.is_remnant else StockType.RAW),
        withdrawn_by=actor.worker_id,
        order=orders.pop() if len(orders) == 1 else None,
        panes=list(panes),
        inventory=sheet.lot,
        status=str(WithdrawalStatus.APPROVED),
        approved_by=actor.worker_id,
        notes=_named(plan, sheet),
        allocations=[{"inventory": sheet.lot, "quantity": ONE}],
    )
    reason = _reference(withdrawal, actor)
    lot = reservations.take(plan.pk, sheet.lot, ONE, reason)
    records.store(withdrawal)
    return withdrawal, lot


def _named(plan: CuttingPlan, sheet: PlannedSheet) -> str:
    return f"{plan.plan_number}/{sheet.number}"


def _reference(withdrawal: Withdrawal, actor: Identity) -> LedgerReference:
    return LedgerReference(
        LedgerAction.WITHDRAW,
        actor.worker_id,
        str(withdrawal.pk),
        LedgerReferenceType.WITHDRAWAL,
        withdrawal.order,
        list(withdrawal.panes),
    )


def _scan(
    panes: Mapping[ObjectId, Raw],
    sheet: PlannedSheet,
    withdrawal: Withdrawal,
    cutting: Cutting,
    remake_numbers: Sequence[str],
    result: CutResult,
) -> list[tuple[ObjectId, Pane]]:
    """Complete the panes of a sheet, and fail those that broke.

    Returns the remakes, each with the id of the pane that broke.
    """
    numbers = {one: row["paneNumber"] for one, row in panes.items()}
    made_from = Cut(sheet.lot, withdrawal.pk)
    if sheet.cut:
        scan = cutting.scan(Action.COMPLETE, made_from)
        scanned = scan_all([numbers[one] for one in sheet.cut], scan, cutting.actor)
        result.add(scanned)
    if not sheet.broken:
        return []
    # a remake begins where its pane broke
    scan = cutting.scan(Action.QC_FAIL, made_from)
    scan = replace(scan, remake_station=panes[sheet.broken[0]]["currentStation"])
    failed = [numbers[one] for one in sheet.broken]
    scanned = scan_all(failed, scan, cutting.actor, remake_numbers)
    result.add(scanned)
    return [(one.pane.pk, one.remade) for one in scanned if one.remade]


def _keep_rests(
    plan: CuttingPlan,
    layout: Layout,
    sheet: PlannedSheet,
    lot: Inventory,
    cutting: Cutting,
) -> list[Inventory]:
    """Make a lot of each rest that is kept."""
    items = [
        {
            "material": plan.material,
            "stock_type": str(StockType.REUSE),
            "quantity": ONE,
            "location": cutting.location or lot.location,
            "storage_color": lot.storage_color,
            "dimensions": _in_mm(box, "width", "height"),
            "defects": [
                _in_mm(one, "x", "y", "width", "height")
                for one in remnant_defects(box, sheet.stock)
            ],
            "parent_lot": lot.pk,
            "cutting_plan": plan.pk,
            "reason": _named(plan, sheet),
        }
        for box in sheet.kept_rests(layout.measures)
    ]
    if not items:
        return []
    return inventory.create_all(model=Inventory, items=items, actor=cutting.actor)


def _in_mm(box: Box, *names: str) -> dict[str, float]:
    return {name: getattr(box, name) / PER_MM for name in names}


def _fit_remakes(
    plan: CuttingPlan, layout: Layout, made: Sequence[tuple[ObjectId, Pane]]
) -> list[tuple[Pane, int | None]]:
    """Let each remake come to the next sheet that has room; the others wait for a plan."""
    if not made:
        return []
    stations = {one["_id"] for one in pending.cutting_stations()}
    left = pending.of_sheets(plan, layout, layout.uncut).left
    gone = [n for n, pane in enumerate(layout.panes) if pane in left]
    fits: list[tuple[Pane, int | None]] = []
    for failed, remake in made:
        piece = layout.pieces[layout.panes.index(failed)]
        at_cutting = remake.current_station in stations
        place = _fit(layout, piece, gone) if at_cutting else None
        if place is not None:
            layout.panes.append(remake.pk)
            layout.pieces.append(piece)
            plan.panes = [*plan.panes, remake.pk]
            remake.cutting_plan = plan.pk
            remake.material = remake.material or plan.material
        fits.append((remake, place))
    records.store(*(remake for remake, place in fits if place is not None))
    return fits


def _fit(layout: Layout, piece: Piece, gone: Sequence[int]) -> int | None:
    """Put one more pane, the next one of the layout, on a sheet; return its number.

    `gone` are the indexes of panes that have left the plan: their places are free.
    """
    pieces = [*layout.pieces, piece]
    for sheet in layout.uncut:
        kept = without(sheet.sheet, gone)
        more = fitted(kept, sheet.stock, len(layout.pieces), pieces, layout.measures)
        if more is not None:
            sheet.sheet = more
            return sheet.number
    return None


def _store(plan: CuttingPlan, layout: Layout, event: str) -> None:
    """Store a plan after a sheet of it was cut, or was taken back."""
    plan.layout, plan.figures = layout.form(), layout.figures()
    if not layout.uncut:
        plan.status, plan.done_at = str(PlanStatus.DONE), clock.now()
    else:
        has_cut = len(layout.uncut) < len(layout.sheets)
        plan.status = str(PlanStatus.CUTTING if has_cut else PlanStatus.RELEASED)
        plan.done_at = None
    records.store(plan, event=event)


def undo(
    *, plan_id: ObjectId, number: int, actor: Identity, reason: str = ""
) -> tuple[CuttingPlan, UndoResult]:
    """Take the cut of a sheet back, within an hour: all of it, or nothing.

    The panes wait to be cut again, the sheet is back in its lot and reserved, the remnants
    are gone, and remakes of broken panes are cancelled. Raises `NotFound`, `PlanStage` for a
    plan that was cancelled, `SheetNotCut`, `CutUndoTooLate`, `RemnantUsed`, and what
    undoing a scan raises.
    """
    with counted(UNDO_CUT):
        return _undo(plan_id, number, actor, reason or texts.UNDONE)


@unit_of_work
def _undo(
    plan_id: ObjectId, number: int, actor: Identity, reason: str
) -> tuple[CuttingPlan, UndoResult]:
    plan = records.load(CuttingPlan, plan_id)
    if plan.status not in (*RESERVING, PlanStatus.DONE):
        raise PlanStage(plan.plan_number or "", plan.status)
    layout = Layout.of(plan.layout)
    sheet = _sheet(layout, number)
    if sheet.cut_at is None:
        raise SheetNotCut(number)
    if clock.now() > sheet.cut_at + UNDO_WINDOW:
        raise CutUndoTooLate(sheet.cut_at + UNDO_WINDOW)
    _drop_remnants(sheet, actor)
    numbers = pending.numbers([*sheet.cut, *sheet.broken])
    undone = undo_all(
        list(numbers.values()),
        actor,
        reason,
        window=UNDO_WINDOW,
        logs=sheet.logs,
        plan=plan.pk,
    )
    withdrawal = records.load(Withdrawal, sheet.withdrawal)
    back = _reference(withdrawal, actor)
    reservations.give_back(plan.pk, sheet.lot, ONE, back)
    withdrawal.allocations, withdrawal.status = [], str(WithdrawalStatus.REJECTED)
    withdrawal.approved_by = actor.worker_id
    records.store(withdrawal)
    sheet.cut_at = sheet.cut_by = sheet.withdrawal = None
    sheet.cut_by_name, sheet.cut, sheet.broken = "", (), ()
    sheet.remnants = sheet.logs = ()
    _store(plan, layout, "undone")
    return plan, undone


def _drop_remnants(sheet: PlannedSheet, actor: Identity) -> None:
    """Take the lots of the rests out of the stock; raises `RemnantUsed`."""
    lots = Inventory.find_many({"_id": {"$in": list(sheet.remnants)}})
    used = [one for one in lots if one.available != ONE]
    if used:
        raise RemnantUsed(sorted(one.inventory_number or "" for one in used))
    changes = []
    for lot in lots:
        lot.is_active = False
        why = LedgerReference(
            LedgerAction.ADJUST,
            actor.worker_id,
            str(lot.pk),
            LedgerReferenceType.INVENTORY,
            reason=str(texts.UNDONE),
        )
        changes.append((lot, -ONE, why))
    ledger.apply(changes)
