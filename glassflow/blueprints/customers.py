"""Customers of the workshop."""

from flask import Response

from glassflow.models.customer import Customer
from glassflow.schemas.answers.billing import ACCOUNT
from glassflow.schemas.customer import CustomerSchema, MergeSchema
from glassflow.services import customers
from glassflow.services.reports import customer_account
from glassflow.web.auth import current_identity, require
from glassflow.web.body import read_body
from glassflow.web.envelope import reply
from glassflow.web.import_rows import ImportRows
from glassflow.web.operation import describe
from glassflow.web.resource import Keys, Resource

MERGE = MergeSchema()
resource = Resource(
    name="customers",
    model=Customer,
    schema=CustomerSchema(),
    keys=Keys.of("customers"),
    create_with=customers.create,
    create_all_with=customers.create_all,
    update_with=customers.update,
    importing=ImportRows(),
)
blueprint = resource.blueprint()


@blueprint.get("/<oid:record_id>/account")
@require("customers:view")
@describe("get_customer_account", answer=ACCOUNT, errors=(404,))
def account(record_id: str) -> Response:
    """Show where a customer stands: what is open, what is owed, and the prices."""
    found = Customer.from_stored(resource.read_visible(record_id))
    shown = customer_account.read(found, may=current_identity().may)
    return reply(shown, "Account of a customer")


@blueprint.post("/<oid:record_id>/merge")
@require("customers:manage")
@resource.operations.describe("update", id="merge_customers", body=MERGE, partial=False)
def merge(record_id: str) -> Response:
    """Merge other customers into this one: it gets their requests and orders, they are deleted."""
    for key in ("requests:manage", "orders:manage"):  # which get another customer
        current_identity().require(key)
    raw = resource.read_visible(record_id)
    others = read_body(MERGE)["customers"]
    with resource.expecting(raw["_id"]):
        kept = customers.merge(record_id=raw["_id"], others=others)
    return resource.answer(kept.stored_form(), "Customers merged")
