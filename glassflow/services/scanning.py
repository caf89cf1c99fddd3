"""Scans: a worker at a station says what happens to a pane, and the floor follows.

One scan is decided and written in one transaction. Of two that race for one pane the
loser reads again, and meets the answer that now applies.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bson import ObjectId

from glassflow.core import clock, outbox
from glassflow.core.unit_of_work import unit_of_work
from glassflow.domain import pane_flow
from glassflow.domain.errors import NotBuiltYet, NotFound, Refusal
from glassflow.domain.pane_flow import Action, Outcome, Status
from glassflow.domain.scan_refusals import AlreadyTerminal
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.services import (
    announcements,
    order_progress,
    panes,
    records,
    references,
    repeats,
)
from glassflow.services.identity import Identity
from glassflow.services.representation import shape, stored
from glassflow.services.scan_facts import Scan, Surroundings, look_around

NOT_YET = frozenset({Action.QC_FAIL, Action.LAMINATE})


@dataclass(frozen=True, slots=True)
class Scanned:
    """What became of a pane, in stored form; `next_station` is set if it moved on."""

    pane: dict[str, Any]
    log: dict[str, Any]
    next_station: ObjectId | None = None


def scan(*, number: str, scan: Scan, actor: Identity) -> Scanned:
    """Scan one pane by its number or QR payload.

    Raises `NotFound`, `UnknownReference` for the station or operator, and the refusals
    of `domain.scan_refusals`. The same scan by the same worker within a few seconds
    answers its first result again, as long as the pane has not changed since.
    """
    _authorize(scan, actor)
    return _scan_one(panes.number_of(number), scan, actor)


@unit_of_work
def _scan_one(number: str, scan: Scan, actor: Identity) -> Scanned:
    pane = Pane.objects(pane_number=number).first()
    if pane is None:
        raise NotFound("Pane not found")
    _check(scan, actor)
    said = repeats.fingerprint(scan, actor)
    repeated = repeats.first_result(pane, said)
    if repeated is not None:
        return Scanned(stored(pane), *repeated)
    around = look_around([pane], scan)
    outcome = _decide(pane, scan, around)
    before = panes.view(pane)
    logs = _move(pane, scan, outcome, around, actor)
    log = logs[-1]
    goes_to = ObjectId(outcome.arrived_at) if outcome.arrived_at else None
    repeats.remember(pane, said, log.pk, goes_to)
    pane.save()
    records.insert_all(logs, announce=False)
    _tell(pane, log, outcome)
    order = around.order_of(pane)
    if order is not None and _concerns_order(order, before, outcome):
        order_progress.recount(order, started=True)
        order.save()
    _announce(pane, outcome, around)
    return Scanned(stored(pane), stored(log), goes_to)


def batch_scan(*, numbers: Sequence[str], scan: Scan, actor: Identity) -> list[Scanned]:
    """Scan many panes alike, all or none; a number given twice counts once.

    Raises `Refusal` that lists unknown numbers, and whatever the first refused pane
    raises, with its number among the facts.
    """
    _authorize(scan, actor)
    wanted = list(dict.fromkeys(panes.number_of(number) for number in numbers))
    return _scan_many(wanted, scan, actor)


@unit_of_work
def _scan_many(numbers: Sequence[str], scan: Scan, actor: Identity) -> list[Scanned]:
    scanned = _load_all(numbers)
    _check(scan, actor)
    around = look_around(scanned, scan)
    moves: list[tuple[Pane, list[PaneLog], Outcome]] = []
    concerned: dict[ObjectId, Order] = {}
    for pane in scanned:
        outcome = _decide(pane, scan, around)
        before = panes.view(pane)
        moves.append((pane, _move(pane, scan, outcome, around, actor), outcome))
        pane.stamp()
        order = around.order_of(pane)
        if order is not None and _concerns_order(order, before, outcome):
            concerned[order.pk] = order
    records.replace_all(scanned)
    records.insert_all([log for _, logs, _ in moves for log in logs], announce=False)
    for pane, logs, outcome in moves:
        _tell(pane, logs[-1], outcome)
    for order in concerned.values():
        order_progress.recount(order, started=True)
        order.save()
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


def _authorize(scan: Scan, actor: Identity) -> None:
    if _for_another(scan, actor):
        actor.demand("workers:view")  # as for a check-in under another's name


def _check(scan: Scan, actor: Identity) -> None:
    """Refuse what cannot be scanned at all; asked once the panes are known."""
    if scan.action in NOT_YET:
        raise NotBuiltYet(f"{scan.action} is not available yet")
    if scan.operator and _for_another(scan, actor):
        references.check([references.Mention("operator", "Worker", (scan.operator,))])


def _for_another(scan: Scan, actor: Identity) -> bool:
    return scan.operator is not None and scan.operator != actor.worker_id


def _decide(pane: Pane, scan: Scan, around: Surroundings) -> Outcome:
    view = panes.view(pane)
    try:
        return pane_flow.decide(view, scan.action, around.facts(pane, view, scan))
    except Refusal as refusal:
        refusal.facts["paneNumber"] = pane.pane_number
        if isinstance(refusal, AlreadyTerminal) and pane.merged_into:
            survivor = Pane._get_collection().find_one({"_id": pane.merged_into}) or {}
            refusal.facts["survivorPaneNumber"] = survivor.get("paneNumber")
        raise


def _move(
    pane: Pane, scan: Scan, outcome: Outcome, around: Surroundings, actor: Identity
) -> list[PaneLog]:
    """Put the pane where the outcome says; give the logs, the scan's own as the last.

    A scan_in that the scan implies has its own log before it.
    """
    station = scan.station or pane.current_station
    order = around.order_of(pane)
    pane.current_status = str(outcome.status)
    pane.current_station = ObjectId(outcome.station) if outcome.station else None
    pane.route_index = outcome.position
    if outcome.started and pane.started_at is None:
        pane.started_at = clock.now()
    if outcome.completed:
        pane.completed_at = clock.now()
    if pane.material is None and order is not None:
        pane.material = order.material
    common = {
        "pane": pane.pk,
        "order": pane.order,
        "material": pane.material,
        "worker": scan.operator or actor.worker_id,
        "station": station,
    }
    implied = [Action.SCAN_IN] if outcome.implied_scan_in else []
    logs = [PaneLog(id=ObjectId(), action=str(one), **common) for one in implied]
    own = PaneLog(
        id=ObjectId(),
        action=scan.action,
        reason=scan.reason or "",
        description=_description(scan, outcome),
        completed_at=clock.now() if scan.action == Action.COMPLETE else None,
        **common,
    )
    return [*logs, own]


def _description(scan: Scan, outcome: Outcome) -> str:
    """The lenient policy's jumps are said in the log, behind what the worker said."""
    said = scan.description or ""
    if outcome.jumped_from is None:
        return said
    jump = f"route position {outcome.jumped_from} → {outcome.position}"
    return f"{said} ({jump})" if said else jump


def _tell(pane: Pane, log: PaneLog, outcome: Outcome) -> None:
    """Both the station left and the one entered hear of the pane."""
    left = [outcome.left] if outcome.left else []
    outbox.record("Pane", stored(pane), "scanned", stations=left)
    detail = {"paneLog": shape(PaneLog, stored(log)), "material": pane.material}
    outbox.record("PaneLog", stored(log), "pane_scanned", detail=detail)


def _concerns_order(order: Order, before: pane_flow.PaneView, outcome: Outcome) -> bool:
    """Whether the order has to be told: figures, status, or a pane that went on."""
    went_on = outcome.arrived_at is not None  # even to the same station, twice in a row
    moved = went_on or before.station != outcome.station
    return moved or outcome.status == Status.COMPLETED or order.status == "pending"


def _announce(pane: Pane, outcome: Outcome, around: Surroundings) -> None:
    order = around.order_of(pane)
    assigned_to = order.assigned_to if order else None
    if outcome.arrived_at:
        announcements.pane_arrived(
            pane,
            left=outcome.left,
            station=outcome.arrived_at,
            station_name=around.station_name(outcome.arrived_at),
            assigned_to=assigned_to,
        )
    elif outcome.completed:
        announcements.pane_completed(pane, assigned_to=assigned_to)
