"""Lots: created and corrected, always together with their ledger entries."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.process.cooperative import yielding
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.errors import Conflict
from glassflow.domain.stock import (
    LedgerAction,
    Quantity,
    WithdrawalStatus,
    round_quantity,
)
from glassflow.models.inventory import Inventory
from glassflow.models.withdrawal import Withdrawal
from glassflow.services import records
from glassflow.services.records import references
from glassflow.services.stock import low_stock
from glassflow.services.stock.ledger import post, post_imports


def create(
    *, model: type[Inventory], values: Mapping[str, Any], actor: Identity
) -> Inventory:
    """Create a lot, with an `import` in the ledger. Raises `UnknownReference`.

    A `reason` among the values is that of the ledger entry.
    """
    number = records.next_numbers(Inventory)[0]
    return _create({**_round_given_quantity(values), "inventory_number": number}, actor)


@unit_of_work
def _create(values: Mapping[str, Any], actor: Identity) -> Inventory:
    reason, values = values.get("reason") or "", _without_reason(values)
    references.require_exist(references.references_in(Inventory, values))
    lot = records.new(Inventory, values)
    return _insert([lot], actor, [reason])[0]


def create_all(
    *, model: type[Inventory], items: Sequence[Mapping[str, Any]], actor: Identity
) -> list[Inventory]:
    """Create lots, all or none, each with an `import` in the ledger.

    A `reason` of an item is that of its ledger entry. Raises `Invalid` for unknown
    references. As many round trips for many as for one.
    """
    numbers = records.next_numbers(Inventory, len(items))
    return _create_all([_round_given_quantity(one) for one in items], numbers, actor)


@unit_of_work
def _create_all(
    items: Sequence[Mapping[str, Any]], numbers: Sequence[str], actor: Identity
) -> list[Inventory]:
    references.require_exist_in_items(Inventory, items)
    numbered = zip(items, numbers, strict=True)
    lots = [
        records.new(Inventory, {**_without_reason(one), "inventory_number": number})
        for one, number in yielding(numbered)
    ]
    return _insert(lots, actor, [one.get("reason") or "" for one in items])


def _insert(
    lots: list[Inventory], actor: Identity, reasons: Sequence[str]
) -> list[Inventory]:
    for lot in lots:
        lot.pk = ObjectId()
    with low_stock.tracking(*(lot.material for lot in lots)):
        records.store(*lots)
        post_imports(lots, actor.worker_id, reasons)
    return lots


def _without_reason(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name != "reason"}


def _round_given_quantity(values: Mapping[str, Any]) -> dict[str, Any]:
    given = dict(values)
    if given.get("quantity") is not None:
        given["quantity"] = round_quantity(given["quantity"])
    return given


@unit_of_work
def update(
    *,
    model: type[Inventory],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> Inventory:
    """Change a lot, with what its quantity or kind changes in the ledger.

    A `version` among the values is the one that the client read; it comes with a
    quantity only. A `reason` among them is that of the ledger entries. Raises `NotFound`,
    `UnknownReference`, and `Conflict` where the lot has another version by now, and for
    another material or stock type while a withdrawal that took from the lot is pending.
    """
    lot = records.load(Inventory, record_id)
    values = dict(values)
    _refuse_if_stale(lot, values.pop("version", None))
    reason = values.pop("reason", None) or ""
    references.require_exist(references.references_in(Inventory, values, stored=lot))
    kind, quantity = (lot.material, lot.stock_type), lot.quantity
    records.apply_changes(lot, _round_given_quantity(values))
    if not lot.is_changed:
        return lot
    with low_stock.tracking(kind[0], lot.material):
        if (lot.material, lot.stock_type) != kind:
            _refuse_if_withdrawn_from(lot)
        records.store(lot)
        _post_correction(lot, kind, quantity, actor.worker_id, reason)
    return lot


def _refuse_if_stale(lot: Inventory, version: int | None) -> None:
    """Refuse a quantity that was read before the stock changed: it would undo that."""
    if version is not None and version != lot.version:
        raise Conflict(
            texts.LOT_CHANGED.format(version=lot.version),
            code="STALE",
            details={"version": lot.version},
        )


def _refuse_if_withdrawn_from(lot: Inventory) -> None:
    query = {"allocations.inventory": lot.pk, "status": WithdrawalStatus.PENDING}
    count = Withdrawal.collection().count_documents(query)
    if count:
        raise Conflict(
            texts.LOT_HAS_WITHDRAWALS,
            code="IN_USE",
            details={"counts": {"pending withdrawal": count}},
        )


def _post_correction(
    lot: Inventory,
    before: tuple[ObjectId, str],
    quantity: Quantity,
    worker: ObjectId,
    reason: str,
) -> None:
    log = partial(post, lot, worker=worker, reason=reason)
    material, stock_type = before
    if (lot.material, lot.stock_type) != before:
        log(LedgerAction.ADJUST, material, -quantity, stock_type=stock_type)
        log(LedgerAction.ADJUST, lot.material, lot.quantity)
    elif lot.quantity != quantity:
        added = round_quantity(lot.quantity - quantity)
        action = LedgerAction.IMPORT if added > 0 else LedgerAction.ADJUST
        log(action, material, added)
