"""Withdrawals: who takes what out of the store room.

What a withdrawal does to the stock is not built yet: it is stored, and a change that
would move stock is refused as that.
"""

from collections.abc import Mapping
from typing import Any

from bson import ObjectId

from glassflow.core.unit_of_work import unit_of_work
from glassflow.domain.errors import Forbidden, NotBuiltYet
from glassflow.models.withdrawal import Withdrawal
from glassflow.services import records
from glassflow.services.identity import Identity

MANAGE = "withdrawals:manage"
MOVES_STOCK = ("status", "quantity", "material", "stock_type", "inventory")


def create(
    *, model: type[Withdrawal], values: Mapping[str, Any], actor: Identity
) -> Withdrawal:
    """Store a pending withdrawal, in the caller's name unless another is given.

    Raises `Forbidden` for another's name, or a decision, without `withdrawals:manage`.
    """
    values = dict(values)
    values["withdrawn_by"] = values.get("withdrawn_by") or actor.worker_id
    decided = values.get("status") not in (None, "pending")
    foreign = values["withdrawn_by"] != actor.worker_id
    if (foreign or decided) and not actor.may(MANAGE):
        raise Forbidden()
    if decided:
        raise NotBuiltYet("Deciding a withdrawal is not available yet")
    return records.create(model=Withdrawal, values=values, actor=actor)


@unit_of_work
def update(
    *,
    model: type[Withdrawal],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> Withdrawal:
    """Change what a withdrawal says. Raises `NotBuiltYet` where stock would move."""
    withdrawal = records.get(Withdrawal, record_id)
    if "withdrawn_by" in values and values["withdrawn_by"] is None:
        values = {**values, "withdrawn_by": withdrawal.withdrawn_by}
    if any(name in values and values[name] != withdrawal[name] for name in MOVES_STOCK):
        raise NotBuiltYet("Changing what a withdrawal takes is not available yet")
    return records.update(
        model=Withdrawal, record_id=record_id, values=values, actor=actor
    )
