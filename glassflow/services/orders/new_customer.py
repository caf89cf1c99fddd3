"""Another customer of work: not once its panes are planned or charged, or it is paid for."""

from collections.abc import Iterator, Mapping
from typing import Any

from bson import ObjectId

from glassflow.core.store import locks
from glassflow.domain import texts
from glassflow.domain.errors import Refusal
from glassflow.models.billing_entry import BillingEntry
from glassflow.models.delivery import Delivery
from glassflow.models.pane import Pane
from glassflow.models.payment import Payment


class CustomerFixed(Refusal):
    """Deliveries, billing entries or payments name the customer of this work.

    They are in the details by their numbers.
    """

    code = "CUSTOMER_FIXED"

    def __init__(self, documents: Mapping[str, list[str]]) -> None:
        numbers = [one for found in documents.values() for one in found]
        super().__init__(
            texts.CUSTOMER_FIXED.format(documents=", ".join(numbers)),
            details=documents,
        )


def require_possible(owner: str, record_id: ObjectId) -> None:
    """Raise `CustomerFixed` where documents name the customer of some work.

    `owner` is the field of panes that refers to it: `request` or `order`. The panes are
    touched, so that a delivery that is planned at the same time conflicts. A pane that is
    noted as delivered by hand is charged with the next delivery of its request.
    """
    rows = Pane.collection().find({owner: record_id}, {"_id": 1})
    ids = [row["_id"] for row in rows]
    locks.touch(Pane, ids)
    documents = {
        "deliveries": _numbers(Delivery, "deliveryNumber", {"panes": {"$in": ids}}),
        "billingEntries": _numbers(
            BillingEntry, "entryNumber", {f"parts.{owner}": record_id}
        ),
    }
    if owner == "request":  # whose payments name the customer
        documents["payments"] = _numbers(
            Payment, "paymentNumber", {"request": record_id}
        )
    if any(documents.values()):
        raise CustomerFixed(documents)


def require_no_payments(quote: ObjectId) -> None:
    """Raise `CustomerFixed` where payments for a quote name its customer."""
    if numbers := _numbers(Payment, "paymentNumber", {"quote": quote}):
        raise CustomerFixed({"payments": numbers})


def _numbers(model: type[Any], name: str, query: Mapping[str, Any]) -> list[str]:
    found: Iterator[Mapping[str, Any]] = model.collection().find(query, {name: 1})
    return sorted(one[name] for one in found if one.get(name))
