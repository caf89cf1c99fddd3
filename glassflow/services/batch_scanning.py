"""Batch scans: one action for many panes, all or none."""

from collections.abc import Sequence

from bson import ObjectId

from glassflow.core.unit_of_work import unit_of_work
from glassflow.domain.errors import Refusal
from glassflow.domain.pane_flow import Outcome
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.services import laminating, order_progress, records, scan_outcomes
from glassflow.services.identity import Identity
from glassflow.services.pane_views import number_of, view
from glassflow.services.representation import stored
from glassflow.services.scan_checks import (
    authorize,
    check,
    concerns_order,
    decide,
    takes_sheet_in,
)
from glassflow.services.scan_facts import Scan, look_around
from glassflow.services.scan_outcomes import Scanned


def batch_scan(*, numbers: Sequence[str], scan: Scan, actor: Identity) -> list[Scanned]:
    """Scan many panes alike, all or none; a number given twice counts once.

    Raises `Refusal` that lists unknown numbers, and whatever the first refused pane
    raises, with its number among the facts.
    """
    authorize(scan, actor)
    wanted = list(dict.fromkeys(number_of(number) for number in numbers))
    return _scan_many(wanted, scan, actor)


@unit_of_work
def _scan_many(numbers: Sequence[str], scan: Scan, actor: Identity) -> list[Scanned]:
    scanned = _load_all(numbers)
    check(scan, actor)
    around = look_around(scanned, scan)
    moves: list[tuple[Pane, list[PaneLog], Outcome]] = []
    concerned: dict[ObjectId, Order] = {}
    sheets: list[Pane] = []
    for pane in scanned:
        outcome = decide(pane, scan, around)
        before = view(pane)
        order = around.order_of(pane)
        logs = scan_outcomes.move(pane, scan, outcome, order, actor)
        moves.append((pane, logs, outcome))
        pane.stamp()
        if order is not None and concerns_order(order, before, outcome):
            concerned[order.pk] = order
        if takes_sheet_in(pane, scan.action, before):
            sheets.append(pane)
    records.replace_all(scanned)
    records.insert_all([log for _, logs, _ in moves for log in logs], announce=False)
    for pane, logs, outcome in moves:
        scan_outcomes.tell(pane, logs[-1], left=outcome.left)
    for order in concerned.values():
        order_progress.recount(order, started=True)
        order.save()
    laminating.tell_musters(sheets)
    return [Scanned(stored(pane), stored(logs[-1])) for pane, logs, _ in moves]


def _load_all(numbers: Sequence[str]) -> list[Pane]:
    found = {p.pane_number: p for p in Pane.objects(pane_number__in=list(numbers))}
    unknown = [number for number in numbers if number not in found]
    if unknown:
        listed = ", ".join(unknown)
        raise Refusal(
            f"Unknown panes: {listed}",
            code="UNKNOWN_PANES",
            facts={"paneNumbers": unknown},
        )
    return [found[number] for number in numbers]
