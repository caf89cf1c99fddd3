"""The order and the request of a pane belong together.

A pane that is made in an order, or moved into it, takes the order's request and, if it has
none, its material. The request of a pane belongs to the customer of its order.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bson import ObjectId

from glassflow.domain import texts
from glassflow.domain.aliases import Raw
from glassflow.domain.errors import Conflict
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.services import agreed_prices, records
from glassflow.services.panes import handed_over
from glassflow.services.records import lookup

Values = Mapping[str, Any]
OF_ORDER = ("customer", "request", "material")


class OtherCustomer(Conflict):
    """The request of a pane belongs to another customer than its order."""

    code = "OTHER_CUSTOMER"

    def __init__(self) -> None:
        super().__init__(texts.PANE_OF_OTHER_CUSTOMER)


@dataclass(frozen=True, slots=True)
class OrdersOfPanes:
    """The orders that new panes are made in, and the customers of their requests, by id."""

    orders: Mapping[Any, Raw]
    customers: Mapping[Any, ObjectId]

    @classmethod
    def read(cls, items: Sequence[Values]) -> "OrdersOfPanes":
        """Read them: two round trips if one of the panes has an order, else none."""
        in_orders = [one for one in items if one.get("order")]
        return cls(
            lookup.referred(Order, in_orders, "order", OF_ORDER),
            _customers(one.get("request") for one in in_orders),
        )

    def complete(self, values: Values) -> Values:
        """Return the values of a new pane with what it takes from its order.

        Raises `OtherCustomer`.
        """
        order = self.orders.get(values.get("order"))
        if order is None:
            return values
        _require_one_customer(order, self.customers.get(values.get("request")))
        missing = [one for one in ("request", "material") if not values.get(one)]
        return {**values, **{name: order.get(name) for name in missing}}


def follow_order(pane: Pane, *, moved: bool, request_given: bool) -> None:
    """Let a changed pane take what it has from its order; the caller stores the pane.

    `moved` means that it has another order now, `request_given` that the request is what
    the caller chose. Raises `OtherCustomer`.
    """
    order = lookup.by_id(Order, [pane.order], OF_ORDER).get(pane.order)
    if order is None:
        return
    customer = _customers([pane.request]).get(pane.request)
    _require_one_customer(order, customer)
    if moved and not request_given:
        pane.request = order.get("request") or pane.request
    if moved:
        pane.material = pane.material or order.get("material")


def move_with_order(order: Order, before: ObjectId | None) -> None:
    """Let the panes of an order follow it to another request; the order is stored after.

    `before` is the request that it had. Panes of other requests of its customer stay in
    these. Raises `OtherCustomer`, and `PaneDelivered` and `PaneCharged` for a pane that
    would move.
    """
    panes = Pane.find_many({"order": order.pk})
    moved = [one for one in panes if one.request in (None, before) and order.request]
    leaving = [one.stored_form() for one in moved if one.request != order.request]
    handed_over.require_none(leaving)
    agreed_prices.require_not_charged(leaving)
    for pane in moved:
        pane.request = order.request
    requests = {pane.request for pane in panes}
    for customer in _customers(requests).values():
        _require_one_customer({"customer": order.customer}, customer)
    agreed_prices.price_added([pane for pane in moved if pane.is_changed])
    records.store(*moved)
    agreed_prices.recount([before, order.request])


def _require_one_customer(order: Raw, customer: ObjectId | None) -> None:
    if customer not in (None, order["customer"]):
        raise OtherCustomer


def _customers(requests: Iterable[ObjectId | None]) -> dict[Any, ObjectId]:
    """Read the customers of requests, by the ids of the requests."""
    return {
        one: row["customer"]
        for one, row in lookup.by_id(Request, requests, ("customer",)).items()
    }
