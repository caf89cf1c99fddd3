"""Orders, and the claims that are made under them."""

from flask import Response

from glassflow.core.channel import Channel
from glassflow.models.claim import Claim
from glassflow.models.order import Order
from glassflow.schemas.claim import ClaimSchema
from glassflow.schemas.order import OrderSchema
from glassflow.services import claims, orders
from glassflow.services.representation import stored
from glassflow.web.auth import require, who
from glassflow.web.body import read
from glassflow.web.envelope import reply
from glassflow.web.resource import Keys, Resource, present

CLAIM = ClaimSchema()

resource = Resource(
    name="orders",
    model=Order,
    schema=OrderSchema(),
    keys=Keys.of("orders"),
    channel=Channel("order:updated", rooms=("dashboard", "order")),
    create_with=orders.create,
    update_with=orders.update,
    owners=("assignedTo",),
    aliases={"stationId": "stations"},
)
blueprint = resource.blueprint()


@blueprint.post("/<order_id>/claims")
@require("claims:create")
def claim(order_id: str) -> Response:
    """Make a claim under an order."""
    order = resource.find_with(Order, order_id)
    made = claims.create(values=read(CLAIM), order_id=order["_id"], actor=who())
    return reply(present(Claim, [stored(made)])[0], "Claim created", status=201)
