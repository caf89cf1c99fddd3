"""What a claim does to its pane: held while it is open, freed, or judged for good."""

from collections.abc import Mapping
from typing import Any

from glassflow.core import outbox
from glassflow.domain import claims as rules
from glassflow.domain.pane_flow import OPEN, Status
from glassflow.domain.scan_refusals import WorkCancelled
from glassflow.models.claim import Claim
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.services import announcements, corrections, records, remakes
from glassflow.services.identity import Identity
from glassflow.services.pane_views import id_text, naming, view
from glassflow.services.representation import stored


def hold(pane: Pane, claim: Claim, *, actor: Identity) -> None:
    """Take an unfinished pane off the floor, and remember where it was.

    Raises `AlreadyClaimed` for a pane with an open claim, and `Refusal` for one that
    cannot be claimed. A finished pane is only marked.
    """
    with naming(pane):
        rules.refuse_unclaimable(view(pane), held=bool(pane.held_from))
    before = corrections.state(pane)
    pane.held_from = {
        "claim": claim.pk,
        "status": pane.current_status,
        "station": pane.current_station,
    }
    if pane.current_status in OPEN:
        pane.current_status = str(Status.CLAIMED)
        pane.current_station = None
    _store(pane, before, claim, actor)


def free(pane: Pane, claim: Claim, *, actor: Identity) -> None:
    """Put a pane back to where it was when this claim took it."""
    held = _held_by(pane, claim)
    if held is None:
        return  # it was cancelled meanwhile
    before = corrections.state(pane)
    pane.current_status = held["status"]
    pane.current_station = held["station"]
    pane.held_from = None
    _store(pane, before, claim, actor)


def judge(
    pane: Pane, claim: Claim, *, order: Order, spare: str, actor: Identity
) -> None:
    """Do to the pane what an approved claim says; a remake has the number `spare`.

    Raises `WorkCancelled` for a remake in an order that is cancelled.
    """
    held = _held_by(pane, claim)
    if claim.remake and (held is None or order.status == "cancelled"):
        raise WorkCancelled
    if held is None:
        return
    verdict = rules.approved(
        held["status"],
        decision=claim.decision,
        remake=claim.remake,
        role=pane.laminate_role,
    )
    before = corrections.state(pane)
    pane.current_status = str(verdict.status)
    pane.written_off = verdict.written_off
    pane.held_from = None
    _store(pane, before, claim, actor)
    if verdict.remade:
        cause = remakes.Cause(
            kind="claim",
            id=claim.pk,
            notice="claim_approved",
            worker=actor.worker_id,
            left=id_text(held["station"]),
        )
        station = id_text(claim.remake_station)
        made = remakes.make(pane, spare, order=order, station=station, cause=cause)
        claim.remade_pane = made.pk


def tell_approved(claim: Claim, order: Order) -> None:
    """Tell who reported it, and who is assigned the order unless a remake tells them."""
    recipients = {claim.reported_by, order.assigned_to} - {None}
    if claim.remade_pane:
        recipients.discard(order.assigned_to)
    for recipient in recipients:
        announcements.claim_approved(claim, recipient=recipient)


def _held_by(pane: Pane, claim: Claim) -> dict[str, Any] | None:
    held = pane.held_from
    return dict(held) if held and held["claim"] == claim.pk else None


def _store(
    pane: Pane, before: Mapping[str, Any], claim: Claim, actor: Identity
) -> None:
    """Store a pane with what its log says of the claim; the station left hears of it."""
    pane.save()
    left = before["currentStation"]
    stations = [str(left)] if left and left != pane.current_station else []
    outbox.record("Pane", stored(pane), "updated", stations=stations)
    if corrections.state(pane) != before:
        why = claim.claim_number
        log = corrections.log_of(pane, before, actor, reason=why)
        records.insert_all([log], announce=False)
