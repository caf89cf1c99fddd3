"""The hold of a claim on its pane: taken, released, or resolved by an approval."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.domain import claims as rules
from glassflow.domain.claims import ClaimStatus
from glassflow.domain.notifications import NotificationType
from glassflow.domain.orders import OrderStatus
from glassflow.domain.panes.refusals import WorkCancelled
from glassflow.domain.panes.status import OPEN, Status
from glassflow.domain.stock import LedgerReferenceType
from glassflow.models.claim import Claim
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.services import agreed_prices, cancelled_guard, records
from glassflow.services.notices import announcements
from glassflow.services.panes import logs, remakes
from glassflow.services.panes.mapping import (
    id_or_none,
    naming_pane,
    pane_view,
    place_of,
)
from glassflow.services.records import references


class NewRemake(NamedTuple):
    """The pane number of the remake that an approval may make, and its route if given."""

    number: str
    routing: Sequence[ObjectId] | None = None


class _Change(NamedTuple):
    """A pane that a claim has changed, and its state before."""

    pane: Pane
    before: Mapping[str, Any]
    claim: Claim


def hold(pane: Pane, claim: Claim, *, actor: Identity) -> None:
    """Hold a pane for a claim; an unfinished one leaves its station until a decision.

    Raises `AlreadyClaimed` for a pane with an open claim, and `Refusal` for one that
    cannot be claimed (any more). A finished pane is only marked. An approval and a remake
    write the pane too, so none of them can be overlooked.
    """
    with naming_pane(pane):
        rules.refuse_unclaimable(
            pane_view(pane),
            held=bool(pane.held_from),
            replaced=_has_remake(pane),
            approved_before=_has_approved_claim(pane),
        )
    before = logs.snapshot(pane)
    pane.held_from = {"claim": claim.pk, **place_of(pane)}
    if pane.current_status in OPEN:
        pane.current_status = str(Status.CLAIMED)
        pane.move_to(None)
    _store(pane, before, claim, actor)


def _has_remake(pane: Pane) -> bool:
    query = {"remakeOf": pane.pk}
    return Pane.collection().find_one(query, {"_id": 1}) is not None


def _has_approved_claim(pane: Pane) -> bool:
    query = {"pane": pane.pk, "status": str(ClaimStatus.APPROVED)}
    return Claim.collection().find_one(query, {"_id": 1}) is not None


def release(pane: Pane, claim: Claim, *, actor: Identity) -> None:
    """Return a pane to the status and station that it had before this claim."""
    release_all([(pane, claim)], actor=actor)


def release_all(held: Sequence[tuple[Pane, Claim]], *, actor: Identity) -> None:
    """Return panes to the status and station that each had before its claim."""
    changes = []
    for pane, claim in held:
        state = held_by(pane, claim)
        if state is None:
            continue  # the pane was cancelled in the meantime
        changes.append(_Change(pane, logs.snapshot(pane), claim))
        pane.current_status = state["status"]
        pane.move_to(state["station"], arrived_at=state.get("arrivedAt"))
        pane.held_from = None
    _store_all(changes, actor)


def apply_approval(
    pane: Pane, claim: Claim, *, order: Order, remake: NewRemake, actor: Identity
) -> None:
    """Apply an approved claim to its pane.

    Raises `WorkCancelled` for a remake in an order that is cancelled, `RequestCancelled`
    in a request that is, and what `remakes.plan` raises.
    """
    outcome = approval_outcome(pane, claim, order=order)
    if outcome is None:
        return
    held = pane.held_from
    assert held is not None  # only a held pane has an outcome
    before = logs.snapshot(pane)
    pane.current_status = str(outcome.status)
    pane.written_off, pane.remade = outcome.written_off, outcome.remade
    pane.held_from = None
    # an earlier release let finished panes be reopened under their claim
    pane.move_to(None)
    _store(pane, before, claim, actor)
    if not outcome.remade:
        agreed_prices.recount(agreed_prices.requests_of([pane]))
    else:
        # an order that was finished first stays completed in a cancelled request
        cancelled_guard.require_open(requests=[order.request, pane.request])
        if remake.routing:
            steps = references.Reference("routing", "Station", tuple(remake.routing))
            references.require_exist([steps])
        reason = remakes.RemakeReason(
            kind=LedgerReferenceType.CLAIM,
            id=claim.pk,
            notice=NotificationType.CLAIM_APPROVED,
            worker=actor.worker_id,
            left=id_or_none(held["station"]),
        )
        (made,) = remakes.make(
            [remakes.Replaced(pane, remake.number, order, reason)],
            station=id_or_none(claim.remake_station),
            routing=remake.routing,
        )
        claim.remade_pane = made.pk


def approval_outcome(
    pane: Pane, claim: Claim, *, order: Order
) -> rules.ApprovalOutcome | None:
    """Return what the approval of a claim means for its pane; None if it is not held.

    Raises `WorkCancelled` for a remake in an order that is cancelled, and
    `SheetNeedsRemake`.
    """
    held = held_by(pane, claim)
    if claim.remake and (held is None or order.status == OrderStatus.CANCELLED):
        raise WorkCancelled
    if held is None:
        return None
    return rules.decide_approval(
        held["status"],
        decision=claim.decision,
        remake=claim.remake,
        role=pane.laminate_role,
    )


def notify_approval(claim: Claim, order: Order) -> None:
    """Notify the reporter, and the order's assignee unless a remake notifies them."""
    recipients = {one for one in (claim.reported_by, order.assigned_to) if one}
    if claim.remade_pane:
        recipients -= {order.assigned_to}
    for recipient in recipients:
        announcements.claim_approved(claim, recipient=recipient)


def held_by(pane: Pane, claim: Claim) -> dict[str, Any] | None:
    """Return where a pane was before a claim, or None if this claim does not hold it."""
    held = pane.held_from
    return dict(held) if held and held["claim"] == claim.pk else None


def _store(
    pane: Pane, before: Mapping[str, Any], claim: Claim, actor: Identity
) -> None:
    _store_all([_Change(pane, before, claim)], actor)


def _store_all(changes: Sequence[_Change], actor: Identity) -> None:
    """Store panes and log the changes; the stations that they left receive the events."""
    stations = {
        pane.pk: [str(left)]
        for pane, before, _ in changes
        if (left := before["currentStation"]) and left != pane.current_station
    }
    records.store(*[pane for pane, _, _ in changes], stations=stations)
    entries = [
        logs.correction_log(pane, before, actor, reason=claim.claim_number or "")
        for pane, before, claim in changes
        if logs.snapshot(pane) != before
    ]
    logs.store(*entries)
