"""The prices of the workshop: one document, read and replaced."""

from flask import Blueprint, Response

from glassflow.models.pricing_settings import PricingSettings
from glassflow.schemas.pricing_settings import PricingSettingsSchema
from glassflow.services import pricing
from glassflow.services.events.event_route import EventRoute
from glassflow.services.records import singleton
from glassflow.web.auth import current_identity, require
from glassflow.web.body import read_body
from glassflow.web.resource import Keys, Resource

resource = Resource(
    name="pricing-settings",
    model=PricingSettings,
    schema=PricingSettingsSchema(),
    keys=Keys.of("pricing"),
    events=EventRoute("pricing:updated", rooms=("pricing",), bare=True),
)
blueprint = Blueprint("pricing-settings", __name__, url_prefix="/api/pricing-settings")


@blueprint.get("")
@require("pricing:view")
@resource.operations.describe("show")
def show() -> Response:
    """Return the prices of the workshop."""
    return resource.answer(pricing.settings().stored_form(), "Pricing settings")


@blueprint.get("/history")
@require("pricing:view")
@resource.operations.describe("history")
def history() -> Response:
    """Return the changes of the prices, the newest first."""
    return resource.history(str(singleton.ID))


@blueprint.put("")
@require("pricing:manage")
@resource.operations.describe("update")
def update() -> Response:
    """Replace the parts of the prices that the body names."""
    values = read_body(resource.schema, partial=True)
    with resource.expecting(singleton.ID):
        changed = pricing.update(values=values, actor=current_identity())
    return resource.answer(changed.stored_form(), "Pricing settings updated")
