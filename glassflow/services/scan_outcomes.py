"""What a scan leaves behind: the pane as decided, its logs, and who is told."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bson import ObjectId

from glassflow.core import clock, outbox
from glassflow.domain.pane_flow import Action, Outcome
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.services import pane_logs
from glassflow.services.identity import Identity
from glassflow.services.representation import stored
from glassflow.services.scan_facts import Scan


@dataclass(frozen=True, slots=True)
class Merged:
    """What a lamination merged: pane numbers, the parent's among the retired ones."""

    sheets: list[str]
    survivor: str
    retired: list[str]

    @classmethod
    def of(cls, survivor: Pane, sheets: Sequence[Pane], parent: Pane) -> "Merged":
        """Name what was merged; `sheets` are all of them, the survivor too."""
        numbers = [sheet.pane_number for sheet in sheets]
        others = [number for number in numbers if number != survivor.pane_number]
        return cls(numbers, survivor.pane_number, [*others, parent.pane_number])


@dataclass(frozen=True, slots=True)
class Scanned:
    """What became of a pane, in stored form.

    `next_station` is set if it moved on, `remade` if it failed and is made again,
    `merged` if it survived a lamination.
    """

    pane: dict[str, Any]
    log: dict[str, Any]
    next_station: ObjectId | None = None
    remade: dict[str, Any] | None = None
    merged: Merged | None = None


def move(
    pane: Pane, scan: Scan, outcome: Outcome, order: Order | None, actor: Identity
) -> list[PaneLog]:
    """Put the pane where the outcome says; give the logs, the scan's own as the last.

    A scan_in that the scan implies has its own log before it.
    """
    station = scan.station or pane.current_station
    pane.current_status = str(outcome.status)
    pane.current_station = ObjectId(outcome.station) if outcome.station else None
    pane.route_index = outcome.position
    if outcome.started and pane.started_at is None:
        pane.started_at = clock.now()
    if outcome.completed:
        pane.completed_at = clock.now()
    fill_material(pane, order)
    logs = []
    if outcome.implied_scan_in:
        taken_in = pane_logs.entry(pane, Action.SCAN_IN, station, scan.by(actor))
        logs.append(taken_in)
    own = pane_logs.entry(
        pane,
        scan.action,
        station,
        scan.by(actor),
        reason=scan.reason or "",
        description=_description(scan, outcome),
        completed_at=clock.now() if scan.action == Action.COMPLETE else None,
    )
    return [*logs, own]


def fill_material(pane: Pane, order: Order | None) -> None:
    """Give a pane without a material that of its order."""
    if pane.material is None and order is not None:
        pane.material = order.material


def _description(scan: Scan, outcome: Outcome) -> str:
    """The lenient policy's jumps are said in the log, behind what the worker said."""
    said = scan.description or ""
    if outcome.jumped_from is None:
        return said
    jump = f"route position {outcome.jumped_from} → {outcome.position}"
    return f"{said} ({jump})" if said else jump


def tell(pane: Pane, log: PaneLog, *, left: str | None, failed: bool = False) -> None:
    """Tell of the scanned pane, to the station left too, and of its log."""
    action = "qc_failed" if failed else "scanned"
    outbox.record("Pane", stored(pane), action, stations=[left] if left else [])
    detail = {"paneLog": stored(log), "material": pane.material}
    outbox.record("PaneLog", stored(log), "pane_scanned", detail=detail)
