"""The price list of the workshop: one document, read and replaced."""

from flask import Blueprint, Response

from glassflow.core.channel import Channel
from glassflow.models.pricing_settings import PricingSettings
from glassflow.schemas.pricing_settings import PricingSettingsSchema
from glassflow.services import pricing
from glassflow.services.representation import stored
from glassflow.web.auth import require, who
from glassflow.web.body import read
from glassflow.web.resource import Keys, Resource

resource = Resource(
    name="pricing-settings",
    model=PricingSettings,
    schema=PricingSettingsSchema(),
    keys=Keys.of("pricing"),
    channel=Channel("pricing:updated", rooms=("pricing",), bare=True),
)
blueprint = Blueprint("pricing-settings", __name__, url_prefix="/api/pricing-settings")


@blueprint.get("")
@require("pricing:view")
def show() -> Response:
    """Show the price list."""
    return resource.answer(stored(pricing.settings()), "Pricing settings")


@blueprint.put("")
@require("pricing:manage")
def update() -> Response:
    """Set the parts of the price list that the body names."""
    changed = pricing.update(values=read(resource.schema, partial=True), actor=who())
    return resource.answer(stored(changed), "Pricing settings updated")
