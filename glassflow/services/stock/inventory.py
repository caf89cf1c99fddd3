"""Lots: created and corrected, always together with their ledger entries."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.process.cooperative import yielding
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.cutting import lots as rules
from glassflow.domain.errors import Conflict, FieldFault, Invalid, of_item
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
from glassflow.services.stock.reservations import LotReserved

# The stored fields that say whether a lot is one sheet and has no more, and those that say
# whether its parent can be its parent.
OF_SHEET = ("stockType", "quantity", "dimensions", "defects")
OF_PARENT = ("material", "parentLot")
# Those that a cutting plan has relied on; the quantity may be corrected: it is what is there.
OF_PLAN = ("material", "stockType", "dimensions", "defects", "isActive")


def create(
    *, model: type[Inventory], values: Mapping[str, Any], actor: Identity
) -> Inventory:
    """Create a lot, with an `import` in the ledger.

    Raises `UnknownReference`, `Invalid` for a size, defects or a parent that cannot be, and
    `OneSheet`. A `reason` among the values is that of the ledger entry.
    """
    number = records.next_numbers(Inventory)[0]
    return _create({**_round_given_quantity(values), "inventory_number": number}, actor)


@unit_of_work
def _create(values: Mapping[str, Any], actor: Identity) -> Inventory:
    reason, values = values.get("reason") or "", _without_reason(values)
    references.require_exist(references.references_in(Inventory, values))
    lot = records.new(Inventory, values)
    _require_valid([lot])
    _require_one_sheet(lot)
    return _insert([lot], actor, [reason])[0]


def create_all(
    *, model: type[Inventory], items: Sequence[Mapping[str, Any]], actor: Identity
) -> list[Inventory]:
    """Create lots, all or none, each with an `import` in the ledger.

    A `reason` of an item is that of its ledger entry. Raises `Invalid` for unknown
    references too, and otherwise what `create` raises. As many round trips for many as for one.
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
    _require_valid(lots, "items.{}.")
    for index, lot in enumerate(lots):
        with of_item(index):
            _require_one_sheet(lot)
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


def _require_valid(lots: Sequence[Inventory], path: str = "") -> None:
    """Raise `Invalid` with every fault; `path` has the place of a lot in the body."""
    materials = _materials_of(
        lot.parent_lot
        for lot in lots
        if lot.parent_lot and lot.is_changed_in(*OF_PARENT)
    )
    faults: list[FieldFault] = [
        {**fault, "field": path.format(index) + fault["field"]}
        for index, lot in enumerate(yielding(lots))
        for fault in (
            *rules.faults(lot.dimensions, lot.defects),
            *_faults_of_parent(lot, materials),
        )
    ]
    if faults:
        raise Invalid(faults)


def _materials_of(lots: Iterable[ObjectId]) -> dict[ObjectId, ObjectId]:
    query = {"_id": {"$in": list(set(lots))}}
    if not query["_id"]["$in"]:
        return {}
    rows = Inventory.collection().find(query, {"material": 1})
    return {row["_id"]: row["material"] for row in rows}


def _faults_of_parent(
    lot: Inventory, materials: Mapping[ObjectId, ObjectId]
) -> Sequence[FieldFault]:
    if lot.parent_lot is None or not lot.is_changed_in(*OF_PARENT):
        return ()
    if lot.parent_lot == lot.pk:
        return [{"field": "parentLot", "message": texts.PARENT_ITSELF}]
    # a parent that was deleted meanwhile has no material
    if materials.get(lot.parent_lot, lot.material) != lot.material:
        return [{"field": "parentLot", "message": texts.PARENT_OF_OTHER_MATERIAL}]
    return ()


def _require_one_sheet(lot: Inventory) -> None:
    if lot.is_one_sheet and lot.is_changed_in(*OF_SHEET):
        rules.require_quantity_of_sheet(lot.quantity)


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
    what `create` raises, and `Conflict` where the lot has another version by now, and for
    another material or stock type, or a lot that becomes one sheet, while a withdrawal that
    took from the lot is pending. `LotReserved` for what a cutting plan has relied on.
    """
    lot = records.load(Inventory, record_id)
    values = dict(values)
    _refuse_if_stale(lot, values.pop("version", None))
    reason = values.pop("reason", None) or ""
    references.require_exist(references.references_in(Inventory, values, stored=lot))
    kind, quantity = (lot.material, lot.stock_type), lot.quantity
    was_one_sheet = lot.is_one_sheet
    records.apply_changes(lot, _round_given_quantity(values))
    if not lot.is_changed:
        return lot
    _require_valid([lot])
    _require_one_sheet(lot)
    if lot.reservations and lot.is_changed_in(*OF_PLAN):
        raise LotReserved
    is_other = (lot.material, lot.stock_type) != kind
    with low_stock.tracking(kind[0], lot.material):
        if is_other or (lot.is_one_sheet and not was_one_sheet):
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
