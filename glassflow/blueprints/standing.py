"""Where work stands, from the quote to the payment."""

from flask import Blueprint, Response, request

from glassflow.domain import texts
from glassflow.domain.errors import Invalid
from glassflow.models.billing_entry import BillingEntry
from glassflow.models.delivery import Delivery
from glassflow.models.order import Order
from glassflow.models.quote import Quote
from glassflow.models.request import Request
from glassflow.schemas.answers.standing import STANDING
from glassflow.schemas.shapes import ID
from glassflow.services import records
from glassflow.services.records.populate_table import VIEW_KEYS
from glassflow.services.reports import standing
from glassflow.web import query
from glassflow.web.auth import current_identity, require
from glassflow.web.envelope import reply
from glassflow.web.operation import Parameter, describe

KINDS = {
    "quote": Quote,
    "request": Request,
    "order": Order,
    "delivery": Delivery,
    "entry": BillingEntry,
}

blueprint = Blueprint("standing", __name__, url_prefix="/api/standing")


@blueprint.get("")
@require("requests:view", "orders:view", "pricing:view")
@describe(
    "get_standing",
    answer=STANDING,
    query=tuple(
        Parameter(
            name=name,
            description=f"The id of {label}; exactly one record is named.",
            shape=ID,
        )
        for name, label in (
            ("quote", "a quote"),
            ("request", "a request"),
            ("order", "an order"),
            ("delivery", "a delivery"),
            ("entry", "a billing entry"),
        )
    ),
    errors=(404,),
)
def show() -> Response:
    """Return where the work stands that one record is part of."""
    named = {name: query.record_id(request.args, name) for name in KINDS}
    given = [(name, one) for name, one in named.items() if one]
    if len(given) != 1:
        message = texts.NAME_ONE_RECORD
        raise Invalid(
            [{"field": given[1][0] if given else "request", "message": message}]
        )
    [(kind, record_id)] = given
    model = KINDS[kind]
    current_identity().require(VIEW_KEYS[model.__name__])
    raw = records.read_raw(model, record_id)
    found = standing.read(kind, raw, may=current_identity().may)
    return reply(found, "Where it stands")
