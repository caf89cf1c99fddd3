"""Recount the figures of all stored orders, after an upgrade that changed their rules."""

from collections.abc import Sequence
from typing import NamedTuple

from bson import ObjectId

from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.services import order_figures, records

BATCH = 20  # orders in one transaction


class Recounted(NamedTuple):
    """How many orders there are, and how many of them changed."""

    orders: int
    changed: int


def recount_stored() -> Recounted:
    """Set the figures and status of every order from its panes.

    Some orders at a time, each part in a transaction of its own. A second run changes
    nothing.
    """
    ids = [row["_id"] for row in Order.collection().find({}, {"_id": 1})]
    parts = [ids[start : start + BATCH] for start in range(0, len(ids), BATCH)]
    return Recounted(len(ids), sum(_recount(part) for part in parts))


@unit_of_work
def _recount(order_ids: Sequence[ObjectId]) -> int:
    _mark_remade(order_ids)
    orders = list(Order.objects(pk__in=order_ids))
    order_figures.recount_all(orders)
    changed = [order for order in orders if order.is_changed]
    records.store(*changed)
    return len(changed)


def _mark_remade(order_ids: Sequence[ObjectId]) -> None:
    """Set `remade` of panes that an earlier release wrote off, from their remakes."""
    panes = Pane.collection()
    query = {"order": {"$in": order_ids}, "writtenOff": True, "remade": {"$ne": True}}
    lost = [row["_id"] for row in panes.find(query, {"_id": 1})]
    if not lost:
        return
    remakes = panes.find({"remakeOf": {"$in": lost}}, {"remakeOf": 1})
    remade = [row["remakeOf"] for row in remakes]
    if remade:
        panes.update_many({"_id": {"$in": remade}}, {"$set": {"remade": True}})
