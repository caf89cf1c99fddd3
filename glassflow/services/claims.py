"""Claims: somebody says that a piece of glass is not as it should be.

Deciding a claim, and holding its pane meanwhile, is not built yet: such a change is
refused as that, and never half done.
"""

from collections.abc import Mapping
from typing import Any

from bson import ObjectId

from glassflow.core.unit_of_work import unit_of_work
from glassflow.domain.errors import Forbidden, NotBuiltYet, Refusal, UnknownReference
from glassflow.models.claim import Claim
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.services import panes, records, references
from glassflow.services.identity import Identity

DECIDING = ("status", "decision", "remake", "remake_station", "approved_by")
NOT_YET = "Deciding a claim is not available yet"


def create(*, values: Mapping[str, Any], order_id: ObjectId, actor: Identity) -> Claim:
    """Make a pending claim under an order.

    Raises `UnknownReference`, and `Refusal` for a pane of another order or a material
    that is not the pane's.
    """
    _refuse_decision(values, actor)
    number = records.next_numbers(Claim)[0]
    return _create({**values, "order": order_id, "claim_number": number})


def create_from_pane(*, values: Mapping[str, Any], actor: Identity) -> Claim:
    """Make a pending claim from a pane number: order and material are the pane's."""
    values = dict(values)
    number = panes.number_of(values.pop("pane_number"))
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
def _create(values: Mapping[str, Any]) -> Claim:
    references.check(references.mentions(Claim, values))
    order = records.get(Order, values["order"])
    _check_fit(order, values.get("pane"), values["material"])
    claim = records.new(Claim, values)
    claim.save()
    return claim


def _check_fit(order: Order, pane: ObjectId | None, material: ObjectId) -> None:
    if pane:
        _check_pane(records.get(Pane, pane), order, material)
    elif material != order.material:
        raise Refusal("The material is not the order's", code="OTHER_MATERIAL")


def _check_pane(pane: Pane, order: Order, material: ObjectId) -> None:
    if pane.order != order.pk:
        raise Refusal("The pane does not belong to the order", code="OTHER_ORDER")
    if material != (pane.material or order.material):
        raise Refusal("The material is not the pane's", code="OTHER_MATERIAL")


@unit_of_work
def update(
    *,
    model: type[Claim],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> Claim:
    """Change what a claim says. Its decision needs `claims:approve`, and is not built.

    Raises `Refusal` for a pane or material that does not fit the claim's order.
    """
    _refuse_decision(values, actor)
    if "pane" in values or "material" in values:
        references.check(references.mentions(Claim, values))
        claim = records.get(Claim, record_id)
        said = {"pane": claim.pane, "material": claim.material, **values}
        order = records.get(Order, claim.order)
        if (said["pane"], said["material"]) != (claim.pane, claim.material):
            _check_fit(order, said["pane"], said["material"])
    return records.update(model=Claim, record_id=record_id, values=values, actor=actor)


def _refuse_decision(values: Mapping[str, Any], actor: Identity) -> None:
    given = {name for name in DECIDING if values.get(name) is not None}
    if not given or (given == {"status"} and values["status"] == "pending"):
        return
    if not actor.may("claims:approve"):
        raise Forbidden()
    raise NotBuiltYet(NOT_YET)
