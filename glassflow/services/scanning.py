"""Scans: a worker at a station says what happens to a pane, and the floor follows.

One scan is decided and written in one transaction. Of two that race for one pane the
loser reads again, and meets the answer that now applies.
"""

from typing import Any

from bson import ObjectId

from glassflow.core.unit_of_work import unit_of_work
from glassflow.domain.errors import NotFound
from glassflow.domain.pane_flow import Action, Outcome
from glassflow.models.pane import Pane
from glassflow.services import (
    announcements,
    laminating,
    order_progress,
    records,
    remakes,
    repeats,
    scan_outcomes,
)
from glassflow.services.identity import Identity
from glassflow.services.pane_views import id_text, number_of, view
from glassflow.services.representation import stored
from glassflow.services.scan_checks import (
    authorize,
    check,
    concerns_order,
    decide,
    takes_sheet_in,
)
from glassflow.services.scan_facts import Scan, Surroundings, look_around
from glassflow.services.scan_outcomes import Scanned


def scan(*, number: str, scan: Scan, actor: Identity) -> Scanned:
    """Scan one pane by its number or QR payload.

    Raises `NotFound`, `UnknownReference` for a station or the operator, and the
    refusals of `domain.scan_refusals` and `domain.lamination`. The same scan by the
    same worker within a few seconds answers its first result again, as long as the
    pane has not changed since.
    """
    authorize(scan, actor)
    fails = scan.action == Action.QC_FAIL
    spare = records.next_numbers(Pane)[0] if fails else ""  # for the remake
    return _scan_one(number_of(number), scan, actor, spare)


@unit_of_work
def _scan_one(number: str, scan: Scan, actor: Identity, spare: str) -> Scanned:
    pane = Pane.objects(pane_number=number).first()
    if pane is None:
        raise NotFound("Pane not found")
    check(scan, actor)
    said = repeats.fingerprint(scan, actor)
    repeated = repeats.first_result(pane, said)
    if repeated is not None:
        return _once_more(pane, scan, *repeated)
    around = look_around([pane], scan)
    if scan.action == Action.LAMINATE:
        return laminating.laminate(pane, scan, around, actor, said)
    outcome = decide(pane, scan, around)
    before = view(pane)
    order = around.order_of(pane)
    logs = scan_outcomes.move(pane, scan, outcome, order, actor)
    goes_to = ObjectId(outcome.arrived_at) if outcome.arrived_at else None
    repeats.remember(pane, said, logs[-1].pk, goes_to)
    pane.save()
    records.insert_all(logs, announce=False)
    fails = "remake" in outcome.effects
    scan_outcomes.tell(pane, logs[-1], left=outcome.left, failed=fails)
    remade = _remake(pane, scan, outcome, around, actor, spare) if fails else None
    if order is not None and concerns_order(order, before, outcome):
        order_progress.recount(order, started=True)
        order.save()
    _announce(pane, outcome, around)
    if takes_sheet_in(pane, scan.action, before):
        laminating.tell_musters([pane])
    return Scanned(stored(pane), stored(logs[-1]), goes_to, remade and stored(remade))


def _once_more(
    pane: Pane, scan: Scan, log: dict[str, Any], goes_to: ObjectId | None
) -> Scanned:
    """Answer a scan's first result again, from what it left behind."""
    if scan.action == Action.LAMINATE:
        return laminating.once_more(pane, log)
    fails = scan.action == Action.QC_FAIL
    query = {"remakeOf": pane.pk}
    remade = Pane._get_collection().find_one(query) if fails else None
    return Scanned(stored(pane), log, goes_to, remade)


def _remake(
    pane: Pane,
    scan: Scan,
    outcome: Outcome,
    around: Surroundings,
    actor: Identity,
    number: str,
) -> Pane:
    """A pane that fails its check is made again, without anybody's asking."""
    cause = remakes.Cause(
        kind="qc_remake",
        id=pane.pk,
        notice="qc_remake",
        worker=actor.worker_id,
        left=outcome.left,
    )
    return remakes.make(
        pane,
        number,
        order=around.order_of(pane),
        station=id_text(scan.remake_station),
        cause=cause,
    )


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
