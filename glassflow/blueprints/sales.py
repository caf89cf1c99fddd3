"""Sales: what was delivered, by customer and month."""

from flask import Blueprint, Response, request

from glassflow.schemas.answers.billing import SALES
from glassflow.schemas.billing import SalesQuery
from glassflow.services.reports import sales
from glassflow.web.auth import current_identity, require
from glassflow.web.envelope import reply
from glassflow.web.operation import describe

QUERY = SalesQuery()

blueprint = Blueprint("sales", __name__, url_prefix="/api/sales")


@blueprint.get("")
@require("pricing:view")
@describe("get_sales", query=QUERY, answer=SALES)
def show() -> Response:
    """Add up what was delivered in the last months, and what was made again."""
    asked = QUERY.read(request.args)
    found = sales.read(
        months=int(asked["months"]),
        customer=asked.get("customer"),
        may=current_identity().may,
    )
    return reply(found, "Sales")
