"""Payments of customers: deposits, invoices, and on account."""

from flask import Response

from glassflow.domain import error_codes
from glassflow.models.payment import Payment
from glassflow.schemas.payment import PaymentSchema, PaymentVoidSchema
from glassflow.services import payments
from glassflow.services.events.event_route import EventRoute
from glassflow.web.auth import current_identity, require
from glassflow.web.body import read_body
from glassflow.web.resource import Keys, Resource

VOID = PaymentVoidSchema()

resource = Resource(
    name="payments",
    model=Payment,
    schema=PaymentSchema(),
    keys=Keys(view="pricing:view", create="pricing:manage", manage="pricing:manage"),
    events=EventRoute("payment:updated", rooms=("dashboard", "pricing")),
    create_with=payments.record,
    update_with=payments.update,
    codes=tuple(error_codes.PAYMENTS),
)
# a mistaken one is made void: what the accounts have seen stays
blueprint = resource.blueprint(without=("delete", "delete_many"))


@blueprint.post("/<oid:record_id>/void")
@require("pricing:manage")
@resource.operations.describe("update", id="void_payment", body=VOID, partial=False)
def void(record_id: str) -> Response:
    """Make a payment void that was recorded by mistake, or that bounced."""
    raw = resource.read_visible(record_id)
    reason = read_body(VOID)["reason"]
    with resource.expecting(raw["_id"]):
        changed = payments.void(
            record_id=raw["_id"], reason=reason, actor=current_identity()
        )
    return resource.answer(changed.stored_form(), "Does not count any more")
