"""The stock book: every change of a lot stands in it, and its sum is what is there."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bson import ObjectId

from glassflow.core import outbox
from glassflow.domain.stock import Quantity, exact
from glassflow.models.inventory import Inventory
from glassflow.models.material_log import MaterialLog
from glassflow.services import records
from glassflow.services.representation import stored


@dataclass(frozen=True, slots=True)
class Reason:
    """Why lots change: the members of their entries; `worker` None is the service."""

    action: str
    worker: ObjectId | None
    reference_id: str
    reference_type: str
    order: ObjectId | None = None
    panes: Sequence[ObjectId] = ()


def entry(
    lot: Inventory,
    quantity: Quantity,
    reason: Reason,
    *,
    material: ObjectId | None = None,
    stock_type: str | None = None,
    parent: MaterialLog | None = None,
) -> MaterialLog:
    """Make an entry that is not stored yet; `quantity` has its sign.

    Material and stock type are the lot's unless it had others before.
    """
    return MaterialLog(
        pk=ObjectId(),
        material=material or lot.material,
        action_type=reason.action,
        quantity_changed=exact(quantity),
        reference_id=reason.reference_id,
        reference_type=reason.reference_type,
        stock_type=stock_type or lot.stock_type,
        order=reason.order,
        panes=list(reason.panes),
        parent_log=parent.pk if parent else None,
        worker=reason.worker,
        inventory=lot.pk,
        by_service=True,
    )


def enter(
    lot: Inventory,
    action: str,
    material: ObjectId,
    quantity: Quantity,
    worker: ObjectId | None,
    *,
    stock_type: str | None = None,
) -> None:
    """Write that a lot by itself came, went or was corrected.

    `quantity` is in the material's unit, with its sign; `worker` None means the
    service.
    """
    reason = Reason(action, worker, str(lot.pk), "inventory")
    entry(lot, quantity, reason, material=material, stock_type=stock_type).save()


def adjust(changes: Iterable[tuple[Inventory, Quantity]], reason: Reason) -> None:
    """Change lots by so much each, with their entries; each lot is told `adjusted`.

    Two round trips, however many lots. The caller has seen to it that none goes below
    zero.
    """
    changed, entries = [], []
    for lot, quantity in changes:
        lot.quantity = exact(lot.quantity + quantity)
        lot.stamp()
        changed.append(lot)
        entries.append(entry(lot, quantity, reason))
    records.replace_all(changed)
    for lot in changed:
        outbox.record("Inventory", stored(lot), "adjusted")
    records.insert_all(entries)
