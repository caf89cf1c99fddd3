"""Withdrawals: material taken from stock."""

from flask import Response

from glassflow.domain import error_codes
from glassflow.domain.permissions import view_key
from glassflow.models.inventory import Inventory
from glassflow.models.withdrawal import Withdrawal
from glassflow.schemas.answers.stock import WITHDRAWAL_PREVIEW
from glassflow.schemas.withdrawal import (
    NewWithdrawalSchema,
    PreviewSchema,
    WithdrawalSchema,
)
from glassflow.services.events.event_route import EventRoute
from glassflow.services.stock import withdrawals
from glassflow.web.auth import current_identity, require
from glassflow.web.body import read_body
from glassflow.web.envelope import reply
from glassflow.web.operation import describe
from glassflow.web.record_responses import to_response
from glassflow.web.resource import Keys, Resource

PREVIEW = PreviewSchema()
INVENTORY_VIEW = view_key("inventory")

resource = Resource(
    name="withdrawals",
    model=Withdrawal,
    schema=WithdrawalSchema(),
    create_schema=NewWithdrawalSchema(),
    codes=(*error_codes.STOCK, *error_codes.WORK, "OTHER_ORDER"),
    keys=Keys.of("withdrawals"),
    events=EventRoute("withdrawal:updated", rooms=("dashboard", "withdrawal")),
    create_with=withdrawals.create,
    update_with=withdrawals.update,
)
blueprint = resource.blueprint()


@blueprint.post("/preview")
@require("withdrawals:create")
@describe(
    "preview_withdrawal",
    body=PREVIEW,
    answer=WITHDRAWAL_PREVIEW,
    populates=Inventory,
    codes=tuple(error_codes.STOCK),
)
def preview() -> Response:
    """Show from which lots a new withdrawal would take, and what is left then."""
    found = withdrawals.preview(**read_body(PREVIEW))
    lots = [one["inventory"] for one in found["allocations"]]
    may_see_lots = current_identity().may(INVENTORY_VIEW)
    shown = (
        to_response(Inventory, lots) if may_see_lots else [lot["_id"] for lot in lots]
    )
    allocations = [
        {**one, "inventory": lot}
        for one, lot in zip(found["allocations"], shown, strict=True)
    ]
    return reply({**found, "allocations": allocations}, "Preview")
