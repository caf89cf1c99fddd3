"""What can be made: the limits of the workshop, one document, and panes checked by them."""

from flask import Blueprint, Response

from glassflow.models.makeability_limits import MakeabilityLimits
from glassflow.schemas.answers.makeability import CHECKED
from glassflow.schemas.makeability import CheckSchema, MakeabilityLimitsSchema
from glassflow.services import makeability
from glassflow.services.events.event_route import EventRoute
from glassflow.services.records import singleton
from glassflow.web.auth import current_identity, require
from glassflow.web.body import read_body
from glassflow.web.envelope import reply
from glassflow.web.language import localized_part
from glassflow.web.operation import describe
from glassflow.web.resource import Keys, Resource

resource = Resource(
    name="makeability",
    model=MakeabilityLimits,
    schema=MakeabilityLimitsSchema(),
    keys=Keys(view="panes:view", create="pricing:manage", manage="pricing:manage"),
    events=EventRoute("makeability:updated", rooms=("dashboard",), bare=True),
)
blueprint = Blueprint("makeability", __name__, url_prefix="/api/makeability")
CHECK = CheckSchema()


@blueprint.get("")
@require("panes:view")
@resource.operations.describe("show")
def show() -> Response:
    """Return the limits of what can be made."""
    return resource.answer(makeability.settings().stored_form(), "Makeability limits")


@blueprint.get("/history")
@require("panes:view")
@resource.operations.describe("history")
def history() -> Response:
    """Return the changes of the limits, the newest first."""
    return resource.history(str(singleton.ID))


@blueprint.put("")
@require("pricing:manage")
@resource.operations.describe("update")
def update() -> Response:
    """Change the limits that the body names."""
    values = read_body(resource.schema, partial=True)
    with resource.expecting(singleton.ID):
        changed = makeability.update(values=values, actor=current_identity())
    return resource.answer(changed.stored_form(), "Makeability limits updated")


@blueprint.post("/check")
@require("panes:view")
@describe("check_makeability", body=CHECK, answer=CHECKED)
def check() -> Response:
    """Tell which limits panes are beyond; nothing is stored."""
    checked = [
        {
            "findings": [
                localized_part({**one._asdict(), "message": one.message})
                for one in found
            ]
        }
        for found in makeability.check(read_body(CHECK)["panes"])
    ]
    return reply({"panes": checked}, "Makeability")
