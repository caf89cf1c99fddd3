"""Withdrawals: material that workers take from stock.

Stock is issued when a withdrawal is created, and returned when it is rejected, reduced
or deleted; `allocations` are the lots and quantities that it holds.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import stock as rules
from glassflow.domain import texts
from glassflow.domain.errors import Forbidden, UnknownReference
from glassflow.domain.stock import WithdrawalStatus
from glassflow.models.material import Material
from glassflow.models.withdrawal import Withdrawal
from glassflow.services import records
from glassflow.services.records import references
from glassflow.services.stock import (
    issues,
    low_stock,
    withdrawal_allocation,
    withdrawal_panes,
)
from glassflow.services.stock.withdrawal_allocation import Demand

MANAGE = "withdrawals:manage"
FINAL_FIELDS = ("quantity", "material", "stock_type", "inventory")
PENDING = {"status": str(WithdrawalStatus.PENDING)}


def create(
    *, model: type[Withdrawal], values: Mapping[str, Any], actor: Identity
) -> Withdrawal:
    """Create a withdrawal and issue its stock, in the caller's name unless given.

    One created as rejected issues nothing. Raises `Forbidden` for another worker's name,
    or a decision, without `withdrawals:manage`, `UnknownReference`, and `Refusal` for
    insufficient stock, panes of another order, or work that is cancelled.
    """
    values = dict(values)
    values["withdrawn_by"] = values.get("withdrawn_by") or actor.worker_id
    decided = values.get("status") in rules.DECIDED
    for_another = values["withdrawn_by"] != actor.worker_id
    if (for_another or decided) and not actor.may(MANAGE):
        raise Forbidden()
    if decided:
        values["approved_by"] = actor.worker_id
    values["withdrawal_number"] = records.next_numbers(Withdrawal)[0]
    return _create(values, actor)


@unit_of_work
def _create(values: Mapping[str, Any], actor: Identity) -> Withdrawal:
    references.require_exist(references.references_in(Withdrawal, values))
    withdrawal = records.new(Withdrawal, values)
    withdrawal_panes.settle_order(withdrawal)
    withdrawal_panes.require_open_work(withdrawal)
    withdrawal.pk = ObjectId()
    withdrawal_allocation.reallocate(
        withdrawal, None, withdrawal.status, actor.worker_id
    )
    records.store(withdrawal)
    withdrawal_panes.sync_marks(withdrawal)
    return withdrawal


def preview(
    *,
    material: ObjectId,
    quantity: int,
    stock_type: str,
    inventory: ObjectId | None = None,
) -> dict[str, Any]:
    """Return what a new withdrawal would take now; nothing is taken.

    `{allocations, left, isLow}`: the lots in stored form with what each gives, what all
    active lots of the material hold afterwards, and whether the material is low then
    (`low_stock.is_short`). Raises `UnknownReference`, `InsufficientStock`, `LotInactive`,
    `LotUnfit`.
    """
    stored = Material.collection().find_one({"_id": material})
    if stored is None:
        raise UnknownReference(texts.NOT_FOUND.format(label=Material.label))
    taken = issues.preview(
        material=material, quantity=quantity, stock_type=stock_type, lot=inventory
    )
    held = low_stock.quantities_left([material]).get(material, 0)
    left = rules.round_quantity(held - quantity)
    is_low = low_stock.is_short(stored, left)
    allocations = [{"inventory": lot.stored_form(), "quantity": q} for lot, q in taken]
    return {"allocations": allocations, "left": left, "isLow": is_low}


@unit_of_work
def update(
    *,
    model: type[Withdrawal],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> Withdrawal:
    """Change a pending withdrawal, or decide it; a decision is final.

    One of cancelled work takes no more stock. Raises `WithdrawalDecided`, and what
    `create` raises.
    """
    withdrawal = records.load(Withdrawal, record_id)
    _refuse_if_decided(withdrawal, values)
    references.require_exist(
        references.references_in(Withdrawal, values, stored=withdrawal)
    )
    before = Demand.of(withdrawal)
    marked = list(withdrawal.panes)
    work = (withdrawal.order, list(withdrawal.panes))
    records.apply_changes(withdrawal, _without_status(values))
    if values.get("order") or values.get("panes"):
        withdrawal_panes.settle_order(withdrawal)
    now = Demand.of(withdrawal)
    takes_more = now.quantity > before.quantity or now.source != before.source
    if takes_more or (withdrawal.order, list(withdrawal.panes)) != work:
        withdrawal_panes.require_open_work(withdrawal)
    _apply_status(values.get("status") or withdrawal.status, withdrawal, before, actor)
    records.store(withdrawal)
    withdrawal_panes.sync_marks(withdrawal, marked)
    return withdrawal


def reject_pending(orders: Sequence[ObjectId], *, number: str, actor: Identity) -> None:
    """Reject the pending withdrawals of orders that are cancelled; their stock goes back.

    `number` is that of the order or request that is cancelled. The number of round trips
    does not depend on how many there are. The caller runs it in its unit of work.
    """
    query = {"order": {"$in": list(orders)}, **PENDING}
    found = Withdrawal.find_many(query) if orders else []
    if not found:
        return
    withdrawal_allocation.return_all(found, actor.worker_id)
    for one in found:
        one.allocations = []
        one.status = str(WithdrawalStatus.REJECTED)
        one.approved_by = actor.worker_id
        one.rejected_with = number
    records.store(*found)
    withdrawal_panes.unmark(found)


def _refuse_if_decided(withdrawal: Withdrawal, values: Mapping[str, Any]) -> None:
    """Refuse another decision, and changes of what was decided on.

    The same status is a second decision where it is sent alone, and otherwise a field of
    a record that is sent back as it was read.
    """
    if withdrawal.status == WithdrawalStatus.PENDING:
        return
    final = (*FINAL_FIELDS, "status")
    changed = any(n in values and values[n] != withdrawal[n] for n in final)
    if changed or values.keys() == {"status"}:
        raise rules.WithdrawalDecided(withdrawal.status)


def _apply_status(
    requested: str, withdrawal: Withdrawal, before: Demand, actor: Identity
) -> None:
    """Apply the requested status, and reallocate stock where status or demand change."""
    decides = requested != withdrawal.status
    if decides or Demand.of(withdrawal) != before:
        withdrawal_allocation.reallocate(withdrawal, before, requested, actor.worker_id)
    if decides:
        withdrawal.status, withdrawal.approved_by = requested, actor.worker_id


def _without_status(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values to assign: not the status, and no empty `withdrawn_by`."""
    assigned = {name: value for name, value in values.items() if name != "status"}
    if assigned.get("withdrawn_by", ...) is None:
        del assigned["withdrawn_by"]
    return assigned
