"""The rules of cutting of the workshop: one document, read and changed."""

from flask import Blueprint, Response

from glassflow.models.cutting_settings import CuttingSettings
from glassflow.schemas.cutting_settings import CuttingSettingsSchema
from glassflow.services.cutting import rules
from glassflow.services.events.event_route import EventRoute
from glassflow.services.records import singleton
from glassflow.web.auth import current_identity, require
from glassflow.web.body import read_body
from glassflow.web.resource import Keys, Resource

resource = Resource(
    name="cutting-rules",
    model=CuttingSettings,
    schema=CuttingSettingsSchema(),
    keys=Keys.of("inventory"),
    events=EventRoute(
        "cuttingRules:updated", rooms=("dashboard", "inventory"), bare=True
    ),
)
blueprint = Blueprint("cutting_rules", __name__, url_prefix="/api/cutting-rules")


@blueprint.get("")
@require("inventory:view")
@resource.operations.describe("show")
def show() -> Response:
    """Return the rules of cutting."""
    return resource.answer(rules.settings().stored_form(), "Cutting rules")


@blueprint.get("/history")
@require("inventory:view")
@resource.operations.describe("history")
def history() -> Response:
    """Return the changes of the rules, the newest first."""
    return resource.history(str(singleton.ID))


@blueprint.put("")
@require("inventory:manage")
@resource.operations.describe("update")
def update() -> Response:
    """Change the common rules that the body names, and replace those by thickness."""
    values = read_body(resource.schema, partial=True)
    with resource.expecting(singleton.ID):
        changed = rules.update(values=values, actor=current_identity())
    return resource.answer(changed.stored_form(), "Cutting rules updated")
