"""Batch scans: one action for many panes, all or none."""

from collections.abc import Sequence

from glassflow.core.identity import Identity
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.errors import Refusal
from glassflow.domain.panes.table import effects_of
from glassflow.models.pane import Pane
from glassflow.services.panes import expected_writes
from glassflow.services.panes.mapping import parse_number
from glassflow.services.scanning import metrics
from glassflow.services.scanning.apply import ScanResult, apply, decide
from glassflow.services.scanning.context import Scan, ScanContext, load_orders
from glassflow.services.scanning.effects import EFFECTS


def batch_scan(
    *, numbers: Sequence[str], scan: Scan, actor: Identity
) -> list[ScanResult]:
    """Scan many panes with one action, all or none; repeated numbers count once.

    Raises `Forbidden`, `Refusal` with all unknown numbers, and the refusals of a single
    scan with the number of the first refused pane in their details.
    """
    scan.authorize(actor)
    distinct = list(dict.fromkeys(parse_number(number) for number in numbers))
    with (
        metrics.scans(scan.action, len(distinct)),
        expected_writes.in_turn(scan.action, distinct),
    ):
        return _scan_many(distinct, scan, actor)


@unit_of_work
def _scan_many(numbers: Sequence[str], scan: Scan, actor: Identity) -> list[ScanResult]:
    panes = _load_all(numbers)
    scan.authorize_at(actor, panes)
    context = ScanContext.load(panes, load_orders(panes), scan, actor)
    applied = [apply(pane, decide(pane, context), context) for pane in panes]
    for effect in effects_of(scan.action):
        EFFECTS[effect](applied, context)
    expected_writes.remember(panes)
    return [one.result for one in applied]


def _load_all(numbers: Sequence[str]) -> list[Pane]:
    query = {"paneNumber": {"$in": list(numbers)}}
    found = {pane.pane_number: pane for pane in Pane.find_many(query)}
    unknown = [number for number in numbers if number not in found]
    if unknown:
        raise Refusal(
            texts.UNKNOWN_PANES.format(numbers=", ".join(unknown)),
            code="UNKNOWN_PANES",
            details={"paneNumbers": unknown},
        )
    return [found[number] for number in numbers]
