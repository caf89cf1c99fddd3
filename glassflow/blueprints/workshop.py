"""The workshop itself: one document, read and changed."""

from flask import Blueprint, Response

from glassflow.models.workshop import Workshop
from glassflow.schemas.answers.workshop import WORKSHOP
from glassflow.schemas.workshop import WorkshopSchema
from glassflow.services import workshop
from glassflow.services.events.event_route import EventRoute
from glassflow.services.records import singleton
from glassflow.web.auth import current_identity, require
from glassflow.web.body import read_body
from glassflow.web.resource import Keys, Resource

resource = Resource(
    name="workshop",
    model=Workshop,
    schema=WorkshopSchema(),
    keys=Keys.of("pricing"),
    events=EventRoute("workshop:updated", rooms=("dashboard",), bare=True),
)
blueprint = Blueprint("workshop", __name__, url_prefix="/api/workshop")


@blueprint.get("")
@require("pricing:view")
@resource.operations.describe("show", answer=WORKSHOP)
def show() -> Response:
    """Return the workshop itself."""
    return _answer(workshop.settings(), "Workshop")


@blueprint.get("/history")
@require("pricing:view")
@resource.operations.describe("history")
def history() -> Response:
    """Return the changes of the workshop, the newest first."""
    return resource.history(str(singleton.ID))


@blueprint.put("")
@require("pricing:manage")
@resource.operations.describe("update", answer=WORKSHOP)
def update() -> Response:
    """Change the fields of the workshop that the body names."""
    values = read_body(resource.schema, partial=True)
    with resource.expecting(singleton.ID):
        changed = workshop.update(values=values, actor=current_identity())
    return _answer(changed, "Workshop updated")


def _answer(found: Workshop, message: str) -> Response:
    return resource.answer(found.stored_form(), message, logo=found.logo)
