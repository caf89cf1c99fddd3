"""The working hours of the workshop: one document, read and changed."""

from flask import Blueprint, Response

from glassflow.models.working_hours import WorkingHours
from glassflow.schemas.answers.working_hours import HOLIDAYS
from glassflow.schemas.working_hours import WorkingHoursSchema
from glassflow.services import working_hours
from glassflow.services.events.event_route import EventRoute
from glassflow.services.records import singleton
from glassflow.web.auth import current_identity, require
from glassflow.web.body import read_body
from glassflow.web.envelope import reply
from glassflow.web.operation import describe
from glassflow.web.resource import Keys, Resource

resource = Resource(
    name="working-hours",
    model=WorkingHours,
    schema=WorkingHoursSchema(),
    keys=Keys.of("stations"),
    events=EventRoute("workingHours:updated", rooms=("dashboard",), bare=True),
)
blueprint = Blueprint("working_hours", __name__, url_prefix="/api/working-hours")


@blueprint.get("")
@require("stations:view")
@resource.operations.describe("show")
def show() -> Response:
    """Return the working hours."""
    return resource.answer(working_hours.settings().stored_form(), "Working hours")


@blueprint.get("/history")
@require("stations:view")
@resource.operations.describe("history")
def history() -> Response:
    """Return the changes of the working hours, the newest first."""
    return resource.history(str(singleton.ID))


@blueprint.put("")
@require("stations:manage")
@resource.operations.describe("update")
def update() -> Response:
    """Change the hours that the body names; what is over is counted as it was."""
    values = read_body(resource.schema, partial=True)
    with resource.expecting(singleton.ID):
        changed = working_hours.update(values=values, actor=current_identity())
    return resource.answer(changed.stored_form(), "Working hours updated")


@blueprint.get("/holidays")
@require("stations:view")
@describe("list_holidays", answer=HOLIDAYS)
def holidays() -> Response:
    """Return Thailand's holidays from today on, to be taken over as days off."""
    return reply(working_hours.holidays(), "Holidays")
