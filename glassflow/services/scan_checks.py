"""What single and batch scans ask alike: who may, what exists, what is concerned."""

from glassflow.domain import pane_flow
from glassflow.domain.pane_flow import Action, Outcome, Status
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.services import references
from glassflow.services.identity import Identity
from glassflow.services.pane_views import naming, view
from glassflow.services.scan_facts import Scan, Surroundings


def authorize(scan: Scan, actor: Identity) -> None:
    """Raise `Forbidden` for a scan in another's name without `workers:view`."""
    if _for_another(scan, actor):
        actor.demand("workers:view")  # as for a check-in under another's name


def check(scan: Scan, actor: Identity) -> None:
    """Refuse unknown people and places; asked once the panes are known."""
    named = []
    if scan.operator and _for_another(scan, actor):
        named.append(references.Mention("operator", "Worker", (scan.operator,)))
    if scan.remake_station:
        station = (scan.remake_station,)
        named.append(references.Mention("remakeStationId", "Station", station))
    references.check(named)


def _for_another(scan: Scan, actor: Identity) -> bool:
    return scan.operator is not None and scan.operator != actor.worker_id


def decide(pane: Pane, scan: Scan, around: Surroundings) -> Outcome:
    """Give what the scan makes of a pane; a refusal names the pane."""
    seen = view(pane)
    with naming(pane):
        return pane_flow.decide(seen, scan.action, around.facts(pane, seen, scan))


def takes_sheet_in(pane: Pane, action: str, before: pane_flow.PaneView) -> bool:
    """Whether a sheet was taken in where its unit is laminated, or has begun there."""
    arrives = action == Action.SCAN_IN or before.status == Status.PENDING
    at_home = pane.current_station == pane.laminate_station
    return pane.laminate_role == "sheet" and at_home and arrives


def concerns_order(order: Order, before: pane_flow.PaneView, outcome: Outcome) -> bool:
    """Whether the order has to be told: figures, status, or a pane that went on."""
    went_on = outcome.arrived_at is not None  # even to the same station, twice in a row
    moved = went_on or before.station != outcome.station
    return moved or outcome.status == Status.COMPLETED or order.status == "pending"
