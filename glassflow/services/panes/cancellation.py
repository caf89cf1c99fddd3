"""Panes that are cancelled along with their order or request, and restored with it."""

from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.domain.claims import ClaimStatus
from glassflow.domain.panes import route
from glassflow.domain.panes.status import OPEN, Status
from glassflow.models.claim import Claim
from glassflow.models.pane import Pane
from glassflow.services import records
from glassflow.services.panes import factory, gone_stations
from glassflow.services.panes.correct import correction_log, snapshot
from glassflow.services.panes.mapping import PLACE, id_or_none, pane_view, place_of

# A claimed pane that was written off stays as the decision on its claim left it, and one
# that was noted as delivered as it is.
UNFINISHED = {
    "currentStatus": {"$in": [str(status) for status in (*OPEN, Status.CLAIMED)]},
    "writtenOff": {"$ne": True},
    "deliveredAt": None,
}


def find_unfinished(query: Mapping[str, Any]) -> list[Pane]:
    """Read the panes of a query that are not finished yet."""
    return list(Pane.objects(__raw__={**query, **UNFINISHED}))


def find_cancelled_by(by: ObjectId, query: Mapping[str, Any]) -> list[Pane]:
    """Read the panes of a query that were cancelled along with this order or request."""
    return list(Pane.objects(__raw__={**query, "cancelledFrom.by": by}))


def cancel_all(
    panes: Sequence[Pane],
    *,
    by: ObjectId,
    number: str,
    actor: Identity,
    reason: str = "",
) -> None:
    """Cancel unfinished panes along with the order or request `by`, which has a number.

    Their pending claims are rejected, and store the number. The caller counts the orders again. At most four
    round trips, however many panes.
    """
    claims = [pane.held_from["claim"] for pane in panes if pane.held_from]
    _reject_claims(claims, number, actor)

    def cancel(pane: Pane) -> None:
        pane.cancelled_from = {"by": by, **_place_without_claim(pane)}
        pane.current_status = str(Status.CANCELLED)
        pane.move_to(None)
        pane.held_from = None

    _change_all(panes, cancel, actor, reason)


def _place_without_claim(pane: Pane) -> dict[str, Any]:
    """Return where a pane is, or was before the claim that is rejected now."""
    if pane.current_status == Status.CLAIMED and pane.held_from:
        return {name: pane.held_from.get(name) for name in PLACE}
    return place_of(pane)


def _reject_claims(claim_ids: Sequence[ObjectId], number: str, actor: Identity) -> None:
    pending = ClaimStatus.PENDING.value
    found = Claim.objects(pk__in=claim_ids, status=pending) if claim_ids else ()
    claims = list(found)
    for claim in claims:
        claim.status = str(ClaimStatus.REJECTED)
        claim.approved_by = actor.worker_id
        claim.rejected_with = number
    records.save_all(claims)


def restore_all(panes: Sequence[Pane], *, gone: Set[ObjectId], actor: Identity) -> None:
    """Put cancelled panes back to where they were when they were cancelled.

    The stations that are gone are left out of their routes. The caller counts their orders
    again.
    """

    def restore(pane: Pane) -> None:
        before = pane.cancelled_from
        assert before is not None  # they are found by it
        placement = route.restore(
            pane_view(pane), before["status"], id_or_none(before["station"])
        )
        factory.set_placement(pane, placement, arrived_at=before.get("arrivedAt"))
        pane.cancelled_from = None
        if not gone.isdisjoint(pane.routing) or pane.current_station in gone:
            gone_stations.leave_out(pane, gone)

    _change_all(panes, restore, actor, "")


def _change_all(
    panes: Sequence[Pane],
    change: Callable[[Pane], None],
    actor: Identity,
    reason: str,
) -> None:
    """Change panes and log it; the stations that they left receive the change too."""
    entries, stations = [], {}
    for pane in panes:
        before, left = snapshot(pane), id_or_none(pane.current_station)
        change(pane)
        stations[pane.pk] = [left] if left else []
        entries.append(correction_log(pane, before, actor, reason=reason))
    records.save_all(panes, stations=stations)
    records.insert_all(entries, announce=False)
