"""Claims: made under an order or from a pane."""

from flask import Response

from glassflow.core.channel import Channel
from glassflow.models.claim import Claim
from glassflow.schemas.claim import ClaimFromPaneSchema, ClaimSchema
from glassflow.services import claims
from glassflow.services.representation import stored
from glassflow.web.auth import require, who
from glassflow.web.body import read
from glassflow.web.resource import Keys, Resource

FROM_PANE = ClaimFromPaneSchema()

resource = Resource(
    name="claims",
    model=Claim,
    schema=ClaimSchema(),
    keys=Keys.of("claims"),
    channel=Channel("claim:updated", rooms=("dashboard", "claim")),
    update_with=claims.update,
    delete_with=claims.delete,
    owners=("reportedBy",),
)
blueprint = resource.blueprint(without=("create",))


@blueprint.post("/from-pane")
@require("claims:create")
def from_pane() -> Response:
    """Make a claim from a pane number."""
    made = claims.create_from_pane(values=read(FROM_PANE), actor=who())
    return resource.answer(stored(made), "Claim created", status=201)
