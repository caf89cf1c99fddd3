"""Which panes are a customer's: those of the customer's requests and orders."""

from typing import Any

from bson import ObjectId

from glassflow.domain.aliases import May
from glassflow.domain.errors import Forbidden
from glassflow.models.base import Record
from glassflow.models.order import Order
from glassflow.models.request import Request


def condition(customer: ObjectId, may: May) -> dict[str, Any]:
    """Return the condition of the store for the panes of a customer.

    What the caller may not read does not count: requests or orders. Two round trips at
    most. Raises `Forbidden` for a caller who may read neither.
    """
    reads_requests, reads_orders = may("requests:view"), may("orders:view")
    if not reads_requests and not reads_orders:
        raise Forbidden()
    requests = _ids(Request, customer) if reads_requests else []
    orders = _ids(Order, customer) if reads_orders else []
    return {"$or": [{"request": {"$in": requests}}, {"order": {"$in": orders}}]}


def _ids(model: type[Record], customer: ObjectId) -> list[ObjectId]:
    found = model.collection().find({"customer": customer}, {"_id": 1})
    return [row["_id"] for row in found]
