"""Scans of one pane: decided, applied and stored in one transaction.

Of two scans of one pane at the same time one gets a write conflict; it is repeated with
what the other has stored, and may be refused for it.
"""

from collections.abc import Sequence

from glassflow.core.identity import Identity
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain.panes.status import Action, Effect
from glassflow.domain.panes.table import effects_of
from glassflow.models.pane import Pane
from glassflow.services import records
from glassflow.services.panes import expected_writes
from glassflow.services.panes.mapping import parse_number
from glassflow.services.scanning import duplicates, metrics
from glassflow.services.scanning.apply import ScanResult, apply, decide
from glassflow.services.scanning.context import Scan, ScanContext, load_with_order
from glassflow.services.scanning.effects import EFFECTS
from glassflow.services.scanning.laminate import laminate


def scan(*, number: str, scan: Scan, actor: Identity) -> ScanResult:
    """Scan one pane by its number or QR payload.

    A duplicate of the pane's last scan returns the result of that scan. Raises
    `Forbidden`, `NotFound`, `UnknownReference` for a station or the operator, and the
    refusals of `domain.panes.refusals`.
    """
    scan.authorize(actor)
    is_remade = Effect.REMAKE in effects_of(scan.action)
    remake_numbers = records.next_numbers(Pane) if is_remade else []
    number = parse_number(number)
    with (
        metrics.scans(scan.action) as outcome,
        expected_writes.in_turn(scan.action, [number]),
    ):
        result = _scan_one(number, scan, actor, remake_numbers)
        if result.is_duplicate:
            outcome.name = metrics.DUPLICATE
    return result


@unit_of_work
def _scan_one(
    number: str, scan: Scan, actor: Identity, remake_numbers: Sequence[str]
) -> ScanResult:
    pane, orders = load_with_order(number)
    if previous := duplicates.previous_result(pane, scan, actor):
        return previous
    scan.authorize_at(actor, [pane])
    context = ScanContext.load([pane], orders, scan, actor, remake_numbers)
    if scan.action == Action.LAMINATE:
        applied = laminate(pane, context)
    else:
        applied = apply(pane, decide(pane, context), context)
    duplicates.store_fingerprint(pane, scan, actor, applied.result)
    for effect in applied.outcome.effects:
        EFFECTS[effect]([applied], context)
    expected_writes.remember([pane])
    return applied.result
