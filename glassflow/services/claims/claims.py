"""Claims: created, changed, approved and rejected.

A pending claim holds its pane, and a decision is final. Both write the pane, so of two
concurrent claims or decisions one conflicts, repeats, and sees the result of the other.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.claims import (
    AlreadyClaimed,
    ClaimedBefore,
    ClaimSource,
    ClaimStatus,
    PaneReplaced,
)
from glassflow.domain.defects import DefectCode
from glassflow.domain.errors import FieldFault, Invalid, Refusal, UnknownReference
from glassflow.domain.panes.refusals import AlreadyTerminal, LaminateParent
from glassflow.domain.panes.status import Status
from glassflow.domain.photos import Picture
from glassflow.models.claim import Claim
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.services import cancelled_guard, order_figures, records
from glassflow.services.claims import pane_hold, photos, rights
from glassflow.services.claims.pane_hold import NewRemake
from glassflow.services.panes import remakes
from glassflow.services.panes.mapping import parse_number
from glassflow.services.records import references


class PaneWithoutOrder(Refusal):
    """A claim belongs to an order, and the pane has none."""

    code = "NO_ORDER"

    def __init__(self) -> None:
        super().__init__(texts.PANE_WITHOUT_ORDER)


# Why a broken pane gets no claim.
NOT_CLAIMABLE = (
    AlreadyClaimed, AlreadyTerminal, LaminateParent, PaneReplaced, ClaimedBefore,
    PaneWithoutOrder, UnknownReference,
)  # fmt: skip


def create(*, values: Mapping[str, Any], order_id: ObjectId, actor: Identity) -> Claim:
    """Create a claim under an order; a holder of `*` can decide it at once.

    Raises `Forbidden`, `UnknownReference`, `Conflict` for a pane with an open claim,
    `OrderCancelled` or `RequestCancelled` unless the pane is finished, `Invalid` for a
    route without an approval, and `Refusal` for a pane of another order, a pane that
    cannot be claimed, a remake station off its route, or a material that is not the
    pane's.
    """
    rights.require_creation(values, actor)
    return _create_numbered({**values, "order": order_id}, actor)


def create_from_pane(*, values: Mapping[str, Any], actor: Identity) -> Claim:
    """Create a claim from a pane number: order and material are the pane's.

    Raises what `create` raises, and `PaneWithoutOrder`.
    """
    rights.require_creation(values, actor)
    values = dict(values)
    number = parse_number(values.pop("pane_number"))
    return _create_numbered({**values, **_of_pane({"paneNumber": number})}, actor)


def create_from_row(
    *, model: type[Claim], values: Mapping[str, Any], actor: Identity
) -> Claim:
    """Create a claim of a pane, whose order and material need not be given, or of an order.

    Raises what `create_from_pane` raises, and `Invalid` without a pane and an order.
    """
    rights.require_creation(values, actor)
    given = {name: value for name, value in values.items() if value is not None}
    if "pane" in given:
        given = _of_pane({"_id": given["pane"]}) | given
    missing = [name for name in ("order", "material") if name not in given]
    if missing:
        raise Invalid([{"field": one, "message": texts.REQUIRED} for one in missing])
    return _create_numbered(given, actor)


def _of_pane(query: Mapping[str, Any]) -> dict[str, Any]:
    """Return the pane that matches, its order and its material, as values of a claim."""
    pane = Pane.collection().find_one(query)
    if pane is None:
        raise UnknownReference(texts.PANE_NOT_FOUND)
    if not pane.get("order"):
        raise PaneWithoutOrder
    order = records.read_raw(Order, pane["order"])
    material = pane.get("material") or order["material"]
    return {"order": order["_id"], "pane": pane["_id"], "material": material}


def _create_numbered(values: Mapping[str, Any], actor: Identity) -> Claim:
    """Draw the numbers of a claim and its possible remake, and create it."""
    values, routing = _without_route(values)
    number = records.next_numbers(Claim)[0]
    remake_number = records.next_numbers(Pane)[0] if rights.decides(values) else ""
    owned = {"claim_number": number, "created_by": actor.worker_id}
    return _create({**values, **owned}, actor, NewRemake(remake_number, routing))


def _without_route(
    values: Mapping[str, Any],
) -> tuple[dict[str, Any], Sequence[ObjectId] | None]:
    """Separate the route of the remake, which is not stored, from the other values.

    Raises `Invalid` for a route in values that approve no remake.
    """
    kept = {name: value for name, value in values.items() if name != "routing"}
    routing = values.get("routing") or None
    approves = values.get("status") == ClaimStatus.APPROVED
    if routing and (not approves or values.get("remake") is False):
        fault: FieldFault = {"field": "routing", "message": texts.ROUTE_OF_NO_REMAKE}
        raise Invalid([fault])
    return kept, routing


@unit_of_work
def _create(values: Mapping[str, Any], actor: Identity, remake: NewRemake) -> Claim:
    references.require_exist(references.references_in(Claim, values))
    given = values.get("photos") or ()
    claim = records.new(Claim, {k: v for k, v in values.items() if k != "photos"})
    order = records.load(Order, claim.order)
    claim.pk = ObjectId()
    requested, claim.status = claim.status, ClaimStatus.PENDING
    pane = _load_pane(claim)
    _require_match(claim, order, pane)
    if remake.routing is None:
        _require_remake_station(claim, pane)
    if pane is None or pane.current_status != Status.COMPLETED:
        cancelled_guard.require_open(orders=[order.pk])
    if pane is not None:
        pane_hold.hold(pane, claim, actor=actor)
    if requested != ClaimStatus.PENDING:
        _decide(claim, requested, order, pane, actor, remake)
    if pane is not None:
        _recount(order)
    given = photos.use_attachments(photos.match(claim, given), actor)
    photos.replace(claim, given)
    records.store(claim)
    return claim


def _recount(order: Order) -> None:
    order_figures.recount(order)
    order_figures.store(order)


def _load_pane(claim: Claim) -> Pane | None:
    return records.load(Pane, claim.pane) if claim.pane else None


def _require_match(claim: Claim, order: Order, pane: Pane | None) -> None:
    """Raise `Refusal` unless pane and material belong to each other and the order."""
    if pane is not None and pane.order != order.pk:
        raise Refusal(texts.PANE_OF_OTHER_ORDER, code="OTHER_ORDER")
    material = (pane.material if pane else None) or order.material
    if claim.material != material:
        text = texts.MATERIAL_NOT_OF_PANE if pane else texts.MATERIAL_NOT_OF_ORDER
        raise Refusal(text, code="OTHER_MATERIAL")


def _require_remake_station(claim: Claim, pane: Pane | None) -> None:
    """Raise `StationNotOnRoute` for a remake station that is not on the pane's route."""
    if pane is not None and claim.remake_station is not None:
        remakes.require_on_route(pane, str(claim.remake_station))


def update(*, record_id: ObjectId, values: Mapping[str, Any], actor: Identity) -> Claim:
    """Change a claim, or decide it; values that equal the stored ones change nothing.

    `routing` among the values is the route of the remake that an approval makes. Raises
    `Forbidden` for fields that the actor may not change (`rights`), `Invalid` for a route
    without an approval, and `Refusal` for a decided claim, a new reporter, a remake
    station off the route, a route whose stations are gone (`StationGone`), or a pane or
    material that does not match.
    """
    values, routing = _without_route(values)
    approves = values.get("status") == ClaimStatus.APPROVED
    remake_number = records.next_numbers(Pane)[0] if approves else ""
    return _update(record_id, values, actor, NewRemake(remake_number, routing))


@unit_of_work
def _update(
    record_id: ObjectId, values: Mapping[str, Any], actor: Identity, remake: NewRemake
) -> Claim:
    claim = records.load(Claim, record_id)
    has_files = photos.move_to_files(claim)
    changes = _changes(claim, values)
    rights.require_change(claim, changes, actor)
    rights.refuse_decided(claim, values, changes, actor)
    if not changes and not has_files:
        return claim
    references.require_exist(references.references_in(Claim, changes))
    before, requested = claim.pane, changes.pop("status", claim.status)
    decides = requested != claim.status
    if "photos" in changes:
        given = photos.use_attachments(changes.pop("photos"), actor)
        photos.replace(claim, given)
    records.apply_changes(claim, changes)
    order = records.load(Order, claim.order)
    pane = _load_pane(claim)
    if not changes.keys().isdisjoint({"pane", "material"}):
        _require_match(claim, order, pane)
    restarts = not changes.keys().isdisjoint({"pane", "remake_station"})
    if restarts and remake.routing is None:
        _require_remake_station(claim, pane)
    if claim.pane != before:
        _change_pane(before, pane, claim, actor)
    if decides:
        _decide(claim, requested, order, pane, actor, remake)
    if claim.pane != before or (decides and pane is not None):
        _recount(order)
    records.store(claim)
    return claim


def _changes(claim: Claim, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that differ from the stored ones; None means the default."""
    wanted = {
        name: _default(name) if value is None else value
        for name, value in values.items()
    }
    if "photos" in wanted:
        wanted["photos"] = photos.match(claim, wanted["photos"])
    return {name: value for name, value in wanted.items() if value != claim[name]}


def _default(name: str) -> Any:
    default = Claim._fields[name].default
    return default() if callable(default) else default


def _change_pane(
    before: ObjectId | None, pane: Pane | None, claim: Claim, actor: Identity
) -> None:
    """Release the previous pane and hold the new one."""
    if before is not None:
        pane_hold.release(records.load(Pane, before), claim, actor=actor)
    if pane is not None:
        pane_hold.hold(pane, claim, actor=actor)


def _decide(
    claim: Claim,
    requested: str,
    order: Order,
    pane: Pane | None,
    actor: Identity,
    remake: NewRemake,
) -> None:
    """Approve or reject a pending claim; the caller updates the order's progress."""
    claim.status = requested
    claim.approved_by = actor.worker_id
    if pane is not None and requested == ClaimStatus.REJECTED:
        pane_hold.release(pane, claim, actor=actor)
    elif pane is not None:
        pane_hold.apply_approval(pane, claim, order=order, remake=remake, actor=actor)
    if requested == ClaimStatus.APPROVED:
        pane_hold.notify_approval(claim, order)


def report_broken(
    pane: Mapping[str, Any],
    *,
    number: str,
    description: str,
    photos: Sequence[Picture],
    actor: Identity,
) -> Claim | None:
    """Create a claim of a finished pane, in stored form, that broke outside the workshop.

    Returns None for a pane that cannot be claimed: it has no order, or an earlier claim
    was decided. Call it inside the unit of work; whoever may record the fact needs no
    other key.
    """
    try:
        values = _of_pane({"_id": pane["_id"]})
        return _create(
            {
                **values,
                "claim_number": number,
                "created_by": actor.worker_id,
                "reported_by": actor.worker_id,
                "source": str(ClaimSource.WORKER),
                "defect_code": str(DefectCode.BROKEN),
                "description": description,
                "photos": photos,
            },
            actor,
            NewRemake(""),
        )
    except NOT_CLAIMABLE:
        return None


def reject_reports(
    ids: Sequence[ObjectId], *, rejected_with: str, actor: Identity
) -> None:
    """Reject those of some claims that are pending; their panes are as before.

    `rejected_with` is the number of the record with which they are taken back. Call it
    inside the unit of work.
    """
    query = {"_id": {"$in": list(ids)}, "status": str(ClaimStatus.PENDING)}
    for claim in Claim.find_many(query) if ids else ():
        order, pane = records.load(Order, claim.order), _load_pane(claim)
        _decide(claim, ClaimStatus.REJECTED, order, pane, actor, NewRemake(""))
        claim.rejected_with = rejected_with
        _recount(order)
        records.store(claim)


def release_panes(deleted: Iterable[Claim], *, actor: Identity) -> list[Pane]:
    """Put the panes of pending claims that are deleted back where they were.

    Returns the panes; the caller recounts their orders.
    """
    pending = [one for one in deleted if one.status == ClaimStatus.PENDING and one.pane]
    if not pending:
        return []
    panes = {pane.pk: pane for pane in Pane.objects(pk__in=[c.pane for c in pending])}
    held = [(panes[claim.pane], claim) for claim in pending if claim.pane in panes]
    pane_hold.release_all(held, actor=actor)
    return list(panes.values())


def of_customer(customer: ObjectId) -> dict[str, Any]:
    """Return the condition of the store for the claims under the orders of a customer."""
    orders = Order.collection().find({"customer": customer}, {"_id": 1})
    return {"order": {"$in": [row["_id"] for row in orders]}}
