"""Claims: somebody says that a piece of glass is not as it should be.

A pending claim holds its pane; its decision is final. The pane is written with either,
so of two claims or two decisions at once one meets what the other has left.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from bson import ObjectId

from glassflow.core.unit_of_work import unit_of_work
from glassflow.domain import claims as rules
from glassflow.domain.errors import Forbidden, Refusal, UnknownReference
from glassflow.domain.permissions import EVERYTHING
from glassflow.models.claim import Claim
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.services import (
    claimed_panes,
    deletion,
    order_progress,
    records,
    references,
)
from glassflow.services.identity import Identity
from glassflow.services.pane_views import number_of

# What takes `claims:approve`, and is final once the claim is decided.
DECIDING = ("status", "decision", "remake", "remake_station")
FIXED = (*DECIDING, "pane", "material")


def create(*, values: Mapping[str, Any], order_id: ObjectId, actor: Identity) -> Claim:
    """Make a claim under an order; who may approve can decide it at once.

    Raises `UnknownReference`, `Conflict` for a pane with an open claim, and `Refusal`
    for a pane of another order, one that is gone, or a material that is not the pane's.
    """
    decides = any(values.get(n) not in (None, _default(n)) for n in DECIDING)
    if decides:
        _demand_judge(actor, values["reported_by"])
    number = records.next_numbers(Claim)[0]
    spare = records.next_numbers(Pane)[0] if decides else ""  # for the remake
    values = {**values, "order": order_id, "claim_number": number}
    return _create(values, actor, spare)


def _default(name: str) -> Any:
    return Claim._fields[name].default


def create_from_pane(*, values: Mapping[str, Any], actor: Identity) -> Claim:
    """Make a claim from a pane number: order and material are the pane's."""
    values = dict(values)
    number = number_of(values.pop("pane_number"))
    pane = Pane._get_collection().find_one({"paneNumber": number})
    if pane is None:
        raise UnknownReference("Pane not found")
    if not pane.get("order"):
        raise Refusal("The pane belongs to no order", code="NO_ORDER")
    order = records.find(Order, pane["order"])
    values["pane"] = pane["_id"]
    values["material"] = pane.get("material") or order["material"]
    return create(values=values, order_id=order["_id"], actor=actor)


@unit_of_work
def _create(values: Mapping[str, Any], actor: Identity, spare: str) -> Claim:
    references.check(references.mentions(Claim, values))
    claim = records.new(Claim, values)
    order = records.get(Order, claim.order)
    claim.pk = ObjectId()
    asked, claim.status = claim.status, rules.PENDING
    pane = _fitting_pane(claim, order)
    if pane is not None:
        claimed_panes.hold(pane, claim, actor=actor)
    if asked != rules.PENDING:
        _decide(claim, asked, order, pane, actor, spare)
    if pane is not None:
        _recount(order)
    claim.save()
    return claim


def _recount(order: Order) -> None:
    order_progress.recount(order)
    order.save()


def _fitting_pane(claim: Claim, order: Order) -> Pane | None:
    """Load the claim's pane. Raises `Refusal` if it or the material does not fit."""
    pane = records.get(Pane, claim.pane) if claim.pane else None
    if pane is not None and pane.order != order.pk:
        raise Refusal("The pane does not belong to the order", code="OTHER_ORDER")
    material = (pane.material if pane else None) or order.material
    if claim.material != material:
        whose = "pane's" if pane else "order's"
        raise Refusal(f"The material is not the {whose}", code="OTHER_MATERIAL")
    return pane


def update(
    *,
    model: type[Claim],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> Claim:
    """Change what a claim says, or decide it; a decision takes `claims:approve`.

    Nobody decides a claim of their own, but a holder of everything. Raises `Forbidden`,
    and `Refusal` for a claim that is decided, or a pane or material that does not fit.
    """
    approves = values.get("status") == rules.APPROVED
    spare = records.next_numbers(Pane)[0] if approves else ""
    return _update(record_id, values, actor, spare)


@unit_of_work
def _update(
    record_id: ObjectId, values: Mapping[str, Any], actor: Identity, spare: str
) -> Claim:
    claim = records.get(Claim, record_id)
    _demand_right(claim, values, actor)
    references.check(references.mentions(Claim, values))
    asked, before = values.get("status") or claim.status, claim.pane
    decides = asked != claim.status
    fitted = (claim.pane, claim.material)
    records.assign(claim, {k: v for k, v in values.items() if k != "status"})
    order = records.get(Order, claim.order)
    if (claim.pane, claim.material) != fitted:
        pane = _fitting_pane(claim, order)
    else:
        pane = records.get(Pane, claim.pane) if claim.pane else None
    if claim.pane != before:
        _exchange(before, pane, claim, actor)
    if decides:
        _decide(claim, asked, order, pane, actor, spare)
    if claim.pane != before or (decides and pane is not None):
        _recount(order)
    claim.save()
    return claim


def _exchange(
    before: ObjectId | None, pane: Pane | None, claim: Claim, actor: Identity
) -> None:
    """The claim is about another pane now: the one before it goes back."""
    if before is not None:
        claimed_panes.free(records.get(Pane, before), claim, actor=actor)
    if pane is not None:
        claimed_panes.hold(pane, claim, actor=actor)


def _demand_right(claim: Claim, values: Mapping[str, Any], actor: Identity) -> None:
    """Raise `Forbidden` for a decision that is not the actor's to take.

    What a client sends back as it is, is no decision, but for a status of one: who may
    decide is told that the claim has been decided.
    """
    changed = {n for n in FIXED if n in values and values[n] != claim[n]}
    if changed & set(DECIDING):
        _demand_judge(actor, claim.reported_by)
    if claim.status == rules.PENDING:
        return
    again = "status" in values and actor.may("claims:approve")
    if changed or again:
        raise rules.ClaimDecided(claim.status)


def _demand_judge(actor: Identity, reported_by: ObjectId) -> None:
    own = actor.worker_id == reported_by and not actor.may(EVERYTHING)
    if own or not actor.may("claims:approve"):
        raise Forbidden()


def _decide(
    claim: Claim,
    asked: str,
    order: Order,
    pane: Pane | None,
    actor: Identity,
    spare: str,
) -> None:
    """Approve or reject a pending claim, with all that follows but the order's count."""
    claim.status = asked
    claim.approved_by = actor.worker_id
    if pane is not None and asked == rules.REJECTED:
        claimed_panes.free(pane, claim, actor=actor)
    elif pane is not None:
        claimed_panes.judge(pane, claim, order=order, spare=spare, actor=actor)
    if asked == rules.APPROVED:
        claimed_panes.tell_approved(claim, order)


@unit_of_work
def delete(*, model: type[Claim], ids: Sequence[ObjectId], actor: Identity) -> int:
    """Delete claims, all or none; a pending one lets its pane go. Raises `NotFound`."""
    for claim_id in ids:
        let_go(records.get(Claim, claim_id), actor=actor)
    return deletion.delete(model=Claim, ids=ids, actor=actor)


def let_go(claim: Claim, *, actor: Identity) -> None:
    """Put the pane of a pending claim that goes away back where it was."""
    if claim.status != rules.PENDING or not claim.pane:
        return
    pane = Pane.objects(pk=claim.pane).first()
    if pane is not None:
        claimed_panes.free(pane, claim, actor=actor)
        order_progress.recount_orders([pane.order])
