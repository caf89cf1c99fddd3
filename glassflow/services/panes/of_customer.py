"""Which panes are a customer's: those of the customer's requests and orders."""

from collections.abc import Callable
from typing import Any

from bson import ObjectId

from glassflow.domain.errors import Forbidden
from glassflow.models.base import Record
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.request import Request


def condition(customer: ObjectId, may: Callable[[str], bool]) -> dict[str, Any]:
    """Return the condition of the store for the panes of a customer.

    What the caller may not read does not count: requests or orders. Three round trips
    at most. Raises `Forbidden` for a caller who may read neither.
    """
    reads_requests, reads_orders = may("requests:view"), may("orders:view")
    if not reads_requests and not reads_orders:
        raise Forbidden()
    requests = {"$in": _ids(Request, customer) if reads_requests else []}
    orders = {"$in": _ids(Order, customer) if reads_orders else []}
    if not reads_requests:
        return {"order": orders}
    # the embedded store uses no index for an `$or`, and few panes have an order alone
    alone = {"order": orders, "request": {"$nin": requests["$in"]}}
    if not orders["$in"] or Pane._get_collection().find_one(alone, {"_id": 1}) is None:
        return {"request": requests}
    return {"$or": [{"request": requests}, {"order": orders}]}


def _ids(model: type[Record], customer: ObjectId) -> list[ObjectId]:
    found = model._get_collection().find({"customer": customer}, {"_id": 1})
    return [row["_id"] for row in found]
