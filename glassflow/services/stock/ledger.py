"""The stock ledger: one entry for every change of a lot; their sum is its quantity."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bson import ObjectId

from glassflow.domain.stock import (
    LedgerAction,
    LedgerReferenceType,
    Quantity,
    round_quantity,
)
from glassflow.models.inventory import Inventory
from glassflow.models.material_log import MaterialLog
from glassflow.services import records


@dataclass(frozen=True, slots=True)
class LedgerReference:
    """Why lots change: the fields of their entries; `worker` None means the service.

    `reason` is what the worker wrote.
    """

    action: str
    worker: ObjectId | None
    reference_id: str
    reference_type: str
    order: ObjectId | None = None
    panes: Sequence[ObjectId] = ()
    reason: str = ""


# A lot, the signed quantity that it changes by, and why.
Change = tuple[Inventory, Quantity, LedgerReference]


def entry(
    lot: Inventory,
    quantity: Quantity,
    reason: LedgerReference,
    *,
    material: ObjectId | None = None,
    stock_type: str | None = None,
    parent: MaterialLog | None = None,
) -> MaterialLog:
    """Build an entry without storing it; `quantity` is signed.

    Material and stock type are those of the lot unless given.
    """
    return MaterialLog(
        pk=ObjectId(),
        material=material or lot.material,
        action_type=str(reason.action),
        quantity_changed=round_quantity(quantity),
        reference_id=reason.reference_id,
        reference_type=reason.reference_type,
        stock_type=stock_type or lot.stock_type,
        order=reason.order,
        panes=list(reason.panes),
        parent_log=parent.pk if parent else None,
        worker=reason.worker,
        inventory=lot.pk,
        reason=reason.reason,
        by_service=True,
    )


def post(
    lot: Inventory,
    action: str,
    material: ObjectId,
    quantity: Quantity,
    worker: ObjectId | None,
    *,
    stock_type: str | None = None,
    reason: str = "",
) -> None:
    """Store an entry for a lot that was created, deleted or corrected.

    `quantity` is in the material's unit, signed; `worker` None means the service, and
    `reason` is what the worker wrote.
    """
    why = _of_lot(lot, action, worker, reason)
    records.store(entry(lot, quantity, why, material=material, stock_type=stock_type))


def post_imports(
    lots: Sequence[Inventory], worker: ObjectId, reasons: Sequence[str]
) -> None:
    """Store the entries of new lots, each with its reason, in one round trip."""
    records.store(
        *[
            entry(lot, lot.quantity, _of_lot(lot, LedgerAction.IMPORT, worker, reason))
            for lot, reason in zip(lots, reasons, strict=True)
        ]
    )


def _of_lot(
    lot: Inventory, action: str, worker: ObjectId | None, reason: str
) -> LedgerReference:
    return LedgerReference(
        action, worker, str(lot.pk), LedgerReferenceType.INVENTORY, reason=reason
    )


def apply(changes: Iterable[Change]) -> None:
    """Change the quantities of lots, with an entry for each change.

    Each lot is stored once, with an `adjusted` event. Two round trips, however many
    lots. The caller ensures that none falls below zero.
    """
    changed: dict[ObjectId, Inventory] = {}
    entries = []
    for lot, quantity, reason in changes:
        lot.quantity = round_quantity(lot.quantity + quantity)
        changed[lot.pk] = lot
        entries.append(entry(lot, quantity, reason))
    records.store(*changed.values(), event="adjusted")
    records.store(*entries)
