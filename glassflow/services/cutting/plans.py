"""Cutting plans: proposed, planned again, released and cancelled.

A released plan reserves its sheets (`services.stock.reservations`) and its panes, which name
it in `cuttingPlan`. A pane that moves on, is cancelled or changes its size names no plan any
more (`Pane.derive`), so the floor waits for no plan. `services.scanning.sheets` cuts.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.cutting.rules import CuttingRules
from glassflow.domain.cutting.stages import (
    AREA_UNITS,
    MOST_PANES,
    RESERVING,
    PlanStatus,
    SearchStatus,
)
from glassflow.domain.errors import UnknownReference
from glassflow.models.cutting_plan import CuttingPlan
from glassflow.models.inventory import Inventory
from glassflow.models.material import Material
from glassflow.models.pane import Pane
from glassflow.services import records
from glassflow.services.cutting import lots, pending, searches
from glassflow.services.cutting.layout import Layout
from glassflow.services.cutting.refusals import (
    NothingToPlan,
    NotInSheets,
    PanesNotWaiting,
    PlanEmpty,
    PlanOutdated,
    PlanStage,
)
from glassflow.services.records import lookup, references
from glassflow.services.stock import reservations


def create(
    *, model: type[CuttingPlan], values: Mapping[str, Any], actor: Identity
) -> CuttingPlan:
    """Propose a plan for panes of a material, without `panes` for all that wait.

    Of these, the `MOST_PANES` that are due first. Its search begins within a second. Raises
    `UnknownReference`, `NotInSheets`, `NothingToPlan`, `PanesNotWaiting`.
    """
    return _create(records.next_numbers(CuttingPlan)[0], values)


@unit_of_work
def _create(number: str, values: Mapping[str, Any]) -> CuttingPlan:
    material = _material(values["material"])
    panes = values.get("panes")
    if panes is None:
        panes = _all_waiting(material["_id"])
    else:
        panes = list(dict.fromkeys(panes))
        _require_waiting(panes, material["_id"], None)
    plan = records.new(CuttingPlan, {**values, "panes": panes, "plan_number": number})
    searches.ask(plan, values.get("search_seconds"))
    records.store(plan)
    return plan


def _all_waiting(material: ObjectId) -> list[ObjectId]:
    panes = [one["_id"] for one in pending.to_plan(material)][:MOST_PANES]
    if not panes:
        raise NothingToPlan
    return panes


def _material(material_id: ObjectId) -> Mapping[str, Any]:
    material = lookup.by_id(Material, [material_id]).get(material_id)
    if material is None:
        raise UnknownReference(texts.NOT_FOUND.format(label=Material.label))
    if material.get("unit", "").strip().lower() in AREA_UNITS:
        raise NotInSheets(material["unit"])
    return material


def _require_waiting(
    panes: Sequence[ObjectId], material: ObjectId, plan: ObjectId | None
) -> None:
    """Refuse panes that a plan cannot have: `UnknownReference`, `PanesNotWaiting`."""
    references.require_exist([references.Reference("panes", "Pane", tuple(panes))])
    found = pending.candidates(panes, material, plan)
    if found.left:
        raise PanesNotWaiting(sorted(pending.numbers(list(found.left)).values()))


@unit_of_work
def update(
    *,
    model: type[CuttingPlan],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> CuttingPlan:
    """Change the notes of a plan, or the panes of a proposed one, which is planned again.

    Raises `NotFound`, `PlanStage` for other panes of a plan that is not proposed,
    `PanesNotWaiting` for panes that it did not have before.
    """
    plan = records.load(CuttingPlan, record_id)
    before = list(plan.panes)
    records.apply_changes(plan, values)
    plan.panes = list(dict.fromkeys(plan.panes))
    if plan.panes != before:
        _require_stage(plan, PlanStatus.PROPOSED)
        if not plan.panes:
            raise NothingToPlan
        added = [one for one in plan.panes if one not in set(before)]
        if added:
            _require_waiting(added, plan.material, plan.pk)
        searches.ask(plan)
    records.store(plan)
    return plan


def _require_stage(plan: CuttingPlan, *statuses: PlanStatus) -> None:
    if plan.status not in statuses:
        raise PlanStage(plan.plan_number or "", plan.status)


@unit_of_work
def improve(
    *,
    record_id: ObjectId,
    actor: Identity,
    seconds: int | None = None,
    all_waiting: bool = False,
) -> CuttingPlan:
    """Search again for a proposed plan, by what is in stock now.

    `all_waiting`: for all panes that wait now, as for a new plan. Raises `NotFound`,
    `PlanStage`, `NothingToPlan`.
    """
    plan = records.load(CuttingPlan, record_id)
    _require_stage(plan, PlanStatus.PROPOSED)
    if all_waiting:
        plan.panes = _all_waiting(plan.material)
    searches.ask(plan, seconds)
    records.store(plan)
    return plan


@unit_of_work
def stop(*, record_id: ObjectId, actor: Identity) -> CuttingPlan:
    """End the search of a plan; what it has found stays. Again changes nothing.

    Raises `NotFound`.
    """
    plan = records.load(CuttingPlan, record_id)
    _stop(plan)
    records.store(plan)
    return plan


def _stop(plan: CuttingPlan) -> None:
    if plan.search_status in (SearchStatus.WAITING, SearchStatus.RUNNING):
        plan.search_status = str(SearchStatus.ENDED)
        plan.search_run += 1


def release(*, record_id: ObjectId, actor: Identity) -> CuttingPlan:
    """Release a proposed plan: its sheets and its panes are reserved, in one transaction.

    Other proposed plans that have one of these panes or lots are planned again. Raises
    `NotFound`, `PlanStage`, `PlanEmpty`, and `PlanOutdated` where panes or lots are not any
    more what the plan was made with.
    """
    return _release(record_id, actor)


@unit_of_work
def _release(plan_id: ObjectId, actor: Identity) -> CuttingPlan:
    plan = records.load(CuttingPlan, plan_id)
    _require_stage(plan, PlanStatus.PROPOSED)
    layout = Layout.of(plan.layout)
    if not layout.sheets:
        raise PlanEmpty
    _require_current(plan, layout)
    planned = layout.panes_on(layout.sheets)
    reservations.reserve(plan.pk, layout.lots)
    panes = Pane.find_many({"_id": {"$in": planned}})
    for pane in panes:
        pane.cutting_plan = plan.pk
        # a scan would fill that in, which is no change of the piece
        pane.material = pane.material or plan.material
    records.store(*panes)
    _stop(plan)
    plan.status = str(PlanStatus.RELEASED)
    plan.released_by, plan.released_at = actor.worker_id, clock.now()
    records.store(plan, event="released")
    _plan_others_again(plan, layout)
    return plan


def _require_current(plan: CuttingPlan, layout: Layout) -> None:
    """Raise `PlanOutdated` unless panes and lots are what the plan was made with."""
    material = lookup.by_id(Material, [plan.material]).get(plan.material, {})
    planned = layout.planned()
    found = pending.candidates(list(planned), plan.material, plan.pk)
    rules = searches.rules_for(material, list(found.panes.values()))
    changed = {
        *found.left,
        *pending.changed_sizes(planned, found.panes, material, rules),
    }
    unfit = _unfit_lots(plan, layout, material, rules)
    if changed or unfit:
        numbers = pending.numbers(list(changed))
        raise PlanOutdated(sorted(numbers.get(one, str(one)) for one in changed), unfit)


def _unfit_lots(
    plan: CuttingPlan,
    layout: Layout,
    material: Mapping[str, Any],
    rules: CuttingRules,
) -> list[str]:
    """Return the numbers of lots that are gone, of another size, or have too few sheets."""
    rows = lookup.by_id(Inventory, layout.lots)
    unfit = []
    for lot, sheets in layout.lots.items():
        row = rows.get(lot)
        stock = row and lots.stock_of(row, material, rules, plan.pk)
        planned = next(one.stock for one in layout.uncut if one.lot == lot)
        is_same = (
            stock
            and row is not None
            and row["material"] == plan.material
            and stock.sheets >= sheets
            and stock._replace(sheets=1, trim=planned.trim) == planned
        )
        if not is_same:
            unfit.append((row or {}).get("inventoryNumber") or str(lot))
    return sorted(unfit)


def _plan_others_again(plan: CuttingPlan, layout: Layout) -> None:
    """Let other proposed plans that share panes or lots be planned again."""
    query = {
        "material": plan.material,
        "status": str(PlanStatus.PROPOSED),
        "_id": {"$ne": plan.pk},
    }
    taken, lots_taken = set(layout.panes), set(layout.lots)
    others = []
    for one in CuttingPlan.find_many(query):
        shares_lot = not lots_taken.isdisjoint(Layout.of(one.layout).lots)
        if shares_lot or not taken.isdisjoint(one.panes):
            searches.ask(one)
            others.append(one)
    records.store(*others)


@unit_of_work
def cancel(*, record_id: ObjectId, actor: Identity) -> CuttingPlan:
    """Cancel a plan: what it has reserved is free again. What is cut stays cut.

    Raises `NotFound`, and `PlanStage` for one that is done or cancelled.
    """
    plan = records.load(CuttingPlan, record_id)
    _require_stage(plan, PlanStatus.PROPOSED, *RESERVING)
    if plan.status in RESERVING:
        free(plan)
    _stop(plan)
    plan.status = str(PlanStatus.CANCELLED)
    plan.cancelled_by, plan.cancelled_at = actor.worker_id, clock.now()
    records.store(plan, event="cancelled")
    return plan


def free(plan: CuttingPlan) -> None:
    """Let the panes and the lots of a plan be reserved no more; in the caller's unit."""
    reservations.release(plan.pk)
    panes = Pane.find_many({"cuttingPlan": plan.pk})
    for pane in panes:
        pane.cutting_plan = None
    records.store(*panes)
