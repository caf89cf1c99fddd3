"""Panes that are cancelled, on their own or with their order or request, and restored."""

from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.domain import texts
from glassflow.domain.claims import AlreadyClaimed, ClaimStatus
from glassflow.domain.errors import Refusal
from glassflow.domain.panes import route
from glassflow.domain.panes.refusals import PanesClosed, UnitBegun
from glassflow.domain.panes.status import OPEN, LaminateRole, Status
from glassflow.models.claim import Claim
from glassflow.models.pane import Pane
from glassflow.services import cancelled_guard, order_figures, records
from glassflow.services.panes import factory, gone_stations, handed_over, logs
from glassflow.services.panes.logs import correction_log, snapshot
from glassflow.services.panes.mapping import (
    PLACE,
    id_or_none,
    naming_pane,
    pane_view,
    place_of,
)

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
    records.store(*claims)


def cancel_alone(panes: Sequence[Pane], *, actor: Identity, reason: str) -> None:
    """Cancel open panes on their own, laminated ones with their sheets.

    The orders are counted again; the caller counts the agreed prices. As many round trips for many panes
    as for one. Raises `PaneDelivered`, `AlreadyClaimed`, `PanesClosed` for panes that are
    not open, `UnitBegun`, and `Refusal` for a sheet.
    """
    sheets = _live_sheets_of(panes)
    parts = [*panes, *sheets]
    handed_over.require_none([one.stored_form() for one in parts])
    if any(one.laminate_role == LaminateRole.SHEET for one in panes):
        raise Refusal(texts.SHEET_OF_UNIT, code="SHEET_OF_UNIT")
    for one in parts:
        with naming_pane(one):
            if one.held_from:
                raise AlreadyClaimed
    if closed := [one for one in panes if one.current_status not in OPEN]:
        raise PanesClosed([one.pane_number for one in closed])
    begun = [
        one.pane_number
        for one in sheets
        if one.started_at or one.current_status != Status.PENDING
    ]
    if begun:
        raise UnitBegun(begun)

    def cancel(pane: Pane) -> None:
        if pane.laminate_role == LaminateRole.SHEET:
            pane.cancelled_from = {"by": pane.parent_pane, **place_of(pane)}
        if pane.laminate_role == LaminateRole.SINGLE:
            cancelled = route.Correction(status=str(Status.CANCELLED))
            factory.set_placement(pane, route.correct(pane_view(pane), cancelled))
            return
        pane.current_status = str(Status.CANCELLED)
        pane.move_to(None)

    _change_all(parts, cancel, actor, reason)
    order_figures.recount_orders({one.order for one in parts})


def _live_sheets_of(panes: Sequence[Pane]) -> list[Pane]:
    """Read the sheets of the units among these panes, without those that were replaced."""
    units = [one.pk for one in panes if one.laminate_role == LaminateRole.PARENT]
    query = {
        "parentPane": {"$in": units},
        "laminateRole": str(LaminateRole.SHEET),
        "currentStatus": UNFINISHED["currentStatus"],
        "writtenOff": UNFINISHED["writtenOff"],
    }
    return Pane.find_many(query) if units else []


def restore_unit(pane: Pane, *, actor: Identity, reason: str) -> bool:
    """Take the cancellation of a laminated pane back, with the sheets that went with it.

    Stations that are gone are left out of their routes, which the remarks of the pane say.
    Returns whether the pane was cancelled on its own. Raises `OrderCancelled`,
    `RequestCancelled`, and `StationGone` if the lamination station is gone.
    """
    # they are cancelled together only; the others were replaced
    sheets = Pane.find_many(
        {
            "parentPane": pane.pk,
            "laminateRole": str(LaminateRole.SHEET),
            "currentStatus": str(Status.CANCELLED),
            "writtenOff": UNFINISHED["writtenOff"],
        }
    )
    if pane.cancelled_from or pane.written_off or not sheets:
        return False
    cancelled_guard.require_open(orders=[pane.order], requests=[pane.request])
    steps = [step for one in (pane, *sheets) for step in one.routing]
    gone = gone_stations.find([*steps, pane.laminate_station])
    if pane.laminate_station in gone:
        raise gone_stations.refusal({pane.laminate_station})
    restore_all([pane, *sheets], gone=gone, actor=actor, reason=reason)
    order_figures.recount_orders({one.order for one in (pane, *sheets)})
    if gone:
        stations = ", ".join(gone_stations.names(gone).values())
        message = texts.STATIONS_LEFT_OUT.format(stations=stations)
        pane.remarks = [*pane.remarks, {"field": "currentStatus", "message": message}]
    return True


def restore_all(
    panes: Sequence[Pane], *, gone: Set[ObjectId], actor: Identity, reason: str = ""
) -> None:
    """Put cancelled panes back to where they were when they were cancelled.

    The stations that are gone are left out of their routes. The caller counts their orders
    again.
    """

    def restore(pane: Pane) -> None:
        before = pane.cancelled_from or _at_its_step(pane)
        placement = route.restore(
            pane_view(pane), before["status"], id_or_none(before["station"])
        )
        factory.set_placement(pane, placement, arrived_at=before.get("arrivedAt"))
        pane.cancelled_from = None
        if not gone.isdisjoint(pane.routing) or pane.current_station in gone:
            gone_stations.leave_out(pane, gone)

    _change_all(panes, restore, actor, reason)


def _at_its_step(pane: Pane) -> dict[str, Any]:
    """Return where a pane of a unit waits that does not have where it was.

    A parent is nowhere; a sheet has not if it stayed cancelled when its order was restored.
    """
    is_sheet = pane.laminate_role == LaminateRole.SHEET
    station = pane.routing[max(pane.route_index, 0)] if is_sheet else None
    return {"status": str(Status.PENDING), "station": station}


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
    records.store(*panes, stations=stations)
    logs.store(*entries)
