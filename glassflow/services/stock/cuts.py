"""Cuts: material logs that say from which lot the pieces of panes are cut.

Their quantity is 0: the glass leaves the stock by a withdrawal, not by these.
"""

from collections.abc import Sequence

from bson import ObjectId

from glassflow.domain.panes.status import LaminateRole
from glassflow.domain.stock import LedgerAction, LedgerReferenceType
from glassflow.models.inventory import Inventory
from glassflow.models.material_log import MaterialLog
from glassflow.models.pane import Pane
from glassflow.services import records
from glassflow.services.stock.ledger import LedgerReference, entry

Cut = tuple[Pane, ObjectId]  # a pane, and the lot that it is cut from


def log_new(panes: Sequence[Pane], *, worker: ObjectId) -> None:
    """Log the cuts of new panes that name a lot: of each sheet for a laminated unit."""
    lots: dict[ObjectId | None, ObjectId | None] = {
        pane.pk: pane.inventory for pane in panes
    }
    pieces = [pane for pane in panes if pane.laminate_role != LaminateRole.PARENT]
    named = [(pane, lots[pane.pk] or lots.get(pane.parent_pane)) for pane in pieces]
    log([(pane, lot) for pane, lot in named if lot], worker)


def log_changed(pane: Pane, sheets: Sequence[Pane], *, worker: ObjectId) -> None:
    """Log the cuts from the lot that a pane names now, of its sheets if it has some."""
    if pane.inventory:
        log([(piece, pane.inventory) for piece in sheets or [pane]], worker)


def log(cuts: Sequence[Cut], worker: ObjectId) -> None:
    """Log cuts, one query for their lots."""
    if not cuts:
        return
    ids = list({lot for _, lot in cuts})
    lots = {lot.pk: lot for lot in Inventory.objects(pk__in=ids)}
    records.store(*[_entry(pane, lots[lot], worker) for pane, lot in cuts])


def _entry(pane: Pane, lot: Inventory, worker: ObjectId) -> MaterialLog:
    reference = LedgerReference(
        LedgerAction.CUT,
        worker,
        str(lot.pk),
        LedgerReferenceType.INVENTORY,
        pane.order,
        [pane.pk],
    )
    return entry(lot, 0, reference)
